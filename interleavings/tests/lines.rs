//! Calls that wait, threads and futures, under every interleaving: no wake-up is lost. Timers never end here, so a call that
//! nobody wakes is a deadlock, which loom reports.
#![cfg(loom)]

use std::future::{Future, pending};
use std::pin::{Pin, pin};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use backoff_core::clock::{AsyncSleep, Clock, Sleep};
use backoff_core::guard::{Moment, Pacer, RetryBudget, RetryQueue};
use backoff_core::{CancelToken, ExponentialBackoff};
use loom::future::block_on;
use loom::sync::Arc;
use loom::thread;

const SECOND: Duration = Duration::from_secs(1);

/// A clock that stands still, and timers that never end.
#[derive(Clone, Copy)]
struct Still(Instant);

impl Clock for Still {
    type Instant = Instant;

    fn now(&self) -> Instant {
        self.0
    }

    fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        to.saturating_duration_since(from)
    }
}

impl Sleep for Still {
    fn sleep(&self, _: Duration) {
        unreachable!("nobody sleeps without a bell");
    }

    fn sleep_unless(&self, _: Duration, token: &CancelToken) {
        token.wait(Duration::from_secs(3_600));
    }

    fn wakes(&self) -> bool {
        true
    }
}

impl AsyncSleep for Still {
    async fn sleep_async(&self, _: Duration) {
        pending().await
    }
}

fn poll_once<F: Future>(future: Pin<&mut F>) {
    assert!(future.poll(&mut Context::from_waker(Waker::noop())).is_pending(), "it waits");
}

#[test]
fn a_token_wakes_who_waits_for_it() {
    loom::model(|| {
        let token = CancelToken::new();
        let waiter = thread::spawn({
            let token = token.clone();
            move || token.wait(Duration::from_secs(3_600))
        });
        token.cancel();
        assert!(waiter.join().unwrap());
    });
}

#[test]
fn a_token_made_of_two_hears_of_either_whenever_it_is_made() {
    loom::model(|| {
        let (process, request) = (CancelToken::new(), CancelToken::new());
        let cancels = thread::spawn({
            let request = request.clone();
            move || request.cancel()
        });
        let either = process.or(&request);
        assert!(either.wait(Duration::from_secs(3_600)));
        cancels.join().unwrap();
        assert!(!process.is_cancelled());
    });
}

/// A pacer whose next slot is due in a second.
fn busy(clock: &Still) -> Arc<Pacer> {
    let pacer = Pacer::new().interval(SECOND);
    let _ = pacer.try_reserve(Moment::of(clock), 1).unwrap();
    Arc::new(pacer)
}

#[test]
fn two_callers_never_get_one_slot() {
    loom::model(|| {
        let clock = Still(Instant::now());
        let pacer = Arc::new(Pacer::new());
        // Its state is made before the threads are.
        pacer.set_interval(SECOND);
        let take = |pacer: Arc<Pacer>| move || pacer.try_reserve(Moment::of(&clock), 1).is_ok();
        let other = thread::spawn(take(Arc::clone(&pacer)));
        let taken = [take(Arc::clone(&pacer))(), other.join().unwrap()];
        assert_eq!(taken.into_iter().filter(|taken| *taken).count(), 1);
    });
}

/// A pacer that took a slot at a moment, so that a second later the next can be taken without its lock.
fn open(start: Moment) -> Arc<Pacer> {
    let pacer = Pacer::new().interval(SECOND);
    let _ = pacer.try_reserve(start, 1).unwrap();
    Arc::new(pacer)
}

#[test]
fn two_callers_never_get_one_slot_without_the_lock_either() {
    loom::model(|| {
        let start = Moment::at(SECOND);
        let pacer = open(start);
        let take = |pacer: Arc<Pacer>| move || pacer.try_reserve(start.after(SECOND), 1).is_ok();
        let other = thread::spawn(take(Arc::clone(&pacer)));
        let taken = [take(Arc::clone(&pacer))(), other.join().unwrap()];
        assert_eq!(taken.into_iter().filter(|taken| *taken).count(), 1);
    });
}

#[test]
fn one_slot_and_two_do_not_go_into_two() {
    loom::model(|| {
        let start = Moment::at(SECOND);
        let (pacer, later) = (open(start), start.after(SECOND * 2));
        let other = thread::spawn({
            let pacer = Arc::clone(&pacer);
            move || pacer.try_reserve(later, 2).is_ok()
        });
        let one = pacer.try_reserve(later, 1).is_ok();
        let two = other.join().unwrap();
        assert!(one != two, "one of them at least, and not both");
        assert!(pacer.try_reserve(later, 1).is_err());
    });
}

#[test]
fn nobody_passes_a_block() {
    loom::model(|| {
        let start = Moment::at(SECOND);
        let (pacer, until) = (open(start), start.after(SECOND * 10));
        let blocks = thread::spawn({
            let pacer = Arc::clone(&pacer);
            move || pacer.block_until(until)
        });
        let taken = pacer.try_reserve(start.after(SECOND), 1);
        assert!(taken.is_ok() || taken == Err(until));
        blocks.join().unwrap();
        assert_eq!(pacer.try_reserve(start.after(SECOND * 5), 1), Err(until));
    });
}

#[test]
fn a_new_interval_counts_from_the_last_slot_whoever_was_faster() {
    loom::model(|| {
        let start = Moment::at(SECOND);
        let (pacer, later) = (open(start), start.after(SECOND));
        let slows = thread::spawn({
            let pacer = Arc::clone(&pacer);
            move || pacer.set_interval(SECOND * 3)
        });
        let last = if pacer.try_reserve(later, 1).is_ok() { later } else { start };
        slows.join().unwrap();
        assert_eq!(pacer.try_reserve(later, 1), Err(last.after(SECOND * 3)));
    });
}

#[test]
fn nobody_passes_who_waits_in_line() {
    loom::model(|| {
        let clock = Still(Instant::now());
        let pacer = open(Moment::of(&clock));
        let mut waits = pin!(pacer.reserve_async(&clock, 1, None));
        poll_once(waits.as_mut());
        let passes = thread::spawn({
            let pacer = Arc::clone(&pacer);
            move || pacer.try_reserve(Moment::of(&clock).after(SECOND * 5), 1).is_ok()
        });
        assert!(!passes.join().unwrap());
    });
}

#[test]
fn a_future_behind_one_that_is_dropped_hears_of_it() {
    loom::model(|| {
        let clock = Still(Instant::now());
        let pacer = busy(&clock);
        let end = Some(Moment::of(&clock).after(SECOND / 2));
        let mut head = Box::pin({
            let pacer = Arc::clone(&pacer);
            async move { pacer.reserve_async(&clock, 1, None).await }
        });
        poll_once(head.as_mut());
        let mut second = pin!(pacer.reserve_async(&clock, 1, end));
        poll_once(second.as_mut());
        let other = thread::spawn(move || drop(head));
        // At the head it sees that its turn lies behind its end.
        assert_eq!(block_on(second), None);
        other.join().unwrap();
        assert_eq!(pacer.snapshot().waiting, 0);
    });
}

#[test]
fn a_thread_behind_a_future_that_is_dropped_hears_of_it() {
    loom::model(|| {
        let clock = Still(Instant::now());
        let pacer = busy(&clock);
        let mut head = Box::pin({
            let pacer = Arc::clone(&pacer);
            async move { pacer.reserve_async(&clock, 1, None).await }
        });
        poll_once(head.as_mut());
        let other = thread::spawn({
            let pacer = Arc::clone(&pacer);
            move || pacer.reserve(&clock, 1, Some(Moment::of(&clock).after(SECOND / 2)))
        });
        drop(head);
        assert_eq!(other.join().unwrap(), None);
        assert_eq!(pacer.snapshot().waiting, 0);
    });
}

#[test]
fn the_head_of_a_pacer_hears_that_the_interval_is_shorter() {
    loom::model(|| {
        let clock = Still(Instant::now());
        let pacer = busy(&clock);
        let mut head = pin!(pacer.reserve_async(&clock, 1, Some(Moment::of(&clock).after(SECOND * 9))));
        poll_once(head.as_mut());
        let other = thread::spawn({
            let pacer = Arc::clone(&pacer);
            move || pacer.block_until(Moment::of(&clock).after(SECOND * 10))
        });
        // The server wants nobody for ten seconds: the head's turn is behind its end now.
        assert_eq!(block_on(head), None);
        other.join().unwrap();
    });
}

const POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(SECOND).unlimited();

/// A queue that lets nobody pass, and each success lets one go.
fn queue() -> Arc<RetryQueue> {
    let queue = Arc::new(RetryQueue::new().free(RetryBudget::new().max_tokens(1)).share(1_000));
    assert_eq!(queue.snapshot().waiting, 0, "made before the threads are");
    queue
}

/// As `loom::model`, with at most two switches of threads against their will: the whole of it takes minutes.
fn few_switches(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(model);
}

/// A run that fails once, and then waits in line.
async fn fails_once(queue: &RetryQueue, clock: Still) -> u32 {
    let mut calls = 0;
    let run = POLICY.time(clock).retry_queue(queue).retry_async(|| {
        calls += 1;
        std::future::ready(if calls == 1 { Err(()) } else { Ok(calls) })
    });
    run.await.expect("it succeeds at last")
}

/// What a run does that succeeds at once, so often.
fn succeeds(queue: &RetryQueue, clock: Still, times: u32) {
    for _ in 0..times {
        POLICY.time(clock).retry_queue(queue).retry(|| Ok::<_, ()>(7)).unwrap();
    }
}

#[test]
fn who_waits_in_a_queue_hears_of_a_success() {
    few_switches(|| {
        let (clock, queue) = (Still(Instant::now()), queue());
        let mut waits = pin!(fails_once(&queue, clock));
        poll_once(waits.as_mut());
        let other = thread::spawn({
            let queue = Arc::clone(&queue);
            move || succeeds(&queue, clock, 3)
        });
        assert_eq!(block_on(waits), 2);
        other.join().unwrap();
        assert_eq!(queue.snapshot().waiting, 0);
    });
}

#[test]
fn who_is_called_and_dropped_hands_its_turn_on() {
    few_switches(|| {
        let (clock, queue) = (Still(Instant::now()), queue());
        let mut first = Box::pin(fails_once(&queue, clock));
        poll_once(first.as_mut());
        let mut second = pin!(fails_once(&queue, clock));
        poll_once(second.as_mut());
        let other = thread::spawn({
            let queue = Arc::clone(&queue);
            move || succeeds(&queue, clock, 4)
        });
        drop(first);
        assert_eq!(block_on(second), 2);
        other.join().unwrap();
        assert_eq!(queue.snapshot().waiting, 0);
    });
}
