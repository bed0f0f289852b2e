//! C13: clocks and timers that do what they should not, and C10: a thread that waits in line is cancelled from another.

use std::cell::Cell;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use backoff_core::clock::{AsyncSleep, Clock, Sleep};
use backoff_core::event::Retry;
use backoff_core::guard::{Pacer, RetryBudget, RetryQueue};
use backoff_core::testing::VirtualTime;
use backoff_core::{CancelToken, ExponentialBackoff, Reason};

use super::scene::{Fault, polled};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(ms(100)).budget(ms(3_500));

fn queue() -> RetryQueue {
    RetryQueue::new().free(RetryBudget::new().max_tokens(1))
}

/// A clock that stands still, and a sleep that is over at once.
struct Stopped {
    now: Instant,
    sleeps: Cell<u32>,
}

impl Stopped {
    fn new() -> Self {
        Self { now: Instant::now(), sleeps: Cell::new(0) }
    }

    fn count(&self) {
        self.sleeps.set(self.sleeps.get() + 1);
        assert!(self.sleeps.get() < 1_000, "C13: the run spins");
    }
}

impl Clock for Stopped {
    type Instant = Instant;

    fn now(&self) -> Instant {
        self.now
    }

    fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        to.saturating_duration_since(from)
    }
}

impl Sleep for Stopped {
    fn sleep(&self, _: Duration) {
        self.count();
    }

    fn wakes(&self) -> bool {
        true
    }
}

impl AsyncSleep for Stopped {
    async fn sleep_async(&self, _: Duration) {
        self.count();
    }
}

#[test]
fn c13_a_clock_that_stands_still_keeps_nobody_in_line_for_ever() {
    let policy = POLICY.max_attempts(4);
    let (time, pacer) = (Stopped::new(), Pacer::new().interval(ms(50)));
    let run = || policy.time(&time).pacer(&pacer).retry(|| Err::<(), _>(Fault)).expect_err("it never succeeds");
    assert_eq!((run().attempts(), run().attempts() <= 4), (4, true), "the second finds slots ahead of the clock");
    let (time, queue) = (Stopped::new(), queue());
    let end = policy.time(&time).retry_queue(&queue).retry(|| Err::<(), _>(Fault)).expect_err("it never succeeds");
    assert_eq!((end.attempts(), end.reason()), (4, Reason::Attempts));
    // 100, 200 and 400 ms in one piece each.
    assert_eq!(time.sleeps.get(), 3);

    let time = Stopped::new();
    let run = Box::pin(async {
        let run = policy.time(&time).retry_queue(&queue).pacer(&pacer).retry_async(async || Err::<u32, _>(Fault));
        run.await.map_err(|_| Fault)
    });
    assert_eq!(polled(run, 1_000), Some(Err(Fault)));
}

#[test]
fn c13_nor_does_it_keep_a_run_past_its_budget_in_line() {
    let (time, pacer) = (Stopped::new(), Pacer::new().interval(Duration::from_secs(2)));
    let end = POLICY.time(&time).pacer(&pacer).retry(|| Err::<(), _>(Fault)).expect_err("it never succeeds");
    assert_eq!(end.reason(), Reason::Budget);
    assert!(end.attempts() <= 6, "{end:?}");
}

/// A timer that wakes after a quarter of the time.
struct Hasty<'a>(&'a VirtualTime);

impl Clock for Hasty<'_> {
    type Instant = Instant;

    fn now(&self) -> Instant {
        self.0.now()
    }

    fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        Clock::elapsed(self.0, from, to)
    }
}

impl Sleep for Hasty<'_> {
    fn sleep(&self, duration: Duration) {
        self.0.sleep((duration / 4).max(Duration::from_nanos(1)));
    }

    fn wakes(&self) -> bool {
        true
    }
}

#[test]
fn c13_a_timer_that_wakes_early_lets_nobody_go_before_its_slot() {
    let (time, pacer) = (VirtualTime::new(), Pacer::new().interval(ms(40)).up(1.01));
    let mut starts = Vec::new();
    let end = POLICY.initial(ms(1)).max_delay(ms(1)).max_attempts(5).time(Hasty(&time)).pacer(&pacer).retry(|| {
        starts.push(time.elapsed());
        Err::<(), _>(Fault)
    });
    assert_eq!(end.expect_err("it never succeeds").attempts(), 5);
    for pair in starts.windows(2) {
        assert!(pair[1] >= pair[0] + ms(40), "{starts:?}");
    }
}

/// Cancels a run from another thread once it waits: how it ends, and how long that takes.
fn cancelled(run: impl FnOnce(&CancelToken, &dyn Fn()) -> Reason + Send) -> (Reason, Duration) {
    let token = CancelToken::new();
    let (told, waits) = mpsc::channel();
    thread::scope(|scope| {
        let run = scope.spawn(|| run(&token, &move || told.send(()).expect("someone listens")));
        waits.recv().expect("it is about to wait");
        thread::sleep(ms(5));
        let start = Instant::now();
        token.cancel();
        let reason = run.join().expect("no panic");
        (reason, start.elapsed())
    })
}

#[test]
fn c10_a_thread_that_waits_in_line_is_cancelled_from_another() {
    let policy = ExponentialBackoff::new().initial(Duration::from_secs(600)).unlimited();
    let queue = queue();
    let (reason, took) = cancelled(|token, waits| {
        let waiter = policy.cancel(token).retry_queue(&queue).on_retry(|_: &Retry<'_, Fault>| waits());
        waiter.retry(|| Err::<(), _>(Fault)).expect_err("it was cancelled").reason()
    });
    assert_eq!((reason, queue.snapshot().waiting), (Reason::Cancelled, 0));
    assert!(took < Duration::from_secs(1), "{took:?}");

    let pacer = Pacer::new().max(Duration::from_secs(3_600)).interval(Duration::from_secs(600));
    assert_eq!(pacer.exec(|| Ok::<_, Fault>(7)), Ok(7), "the first slot");
    let (reason, took) = cancelled(|token, waits| {
        waits();
        policy.cancel(token).pacer(&pacer).retry(|| Ok::<_, Fault>(7)).expect_err("it was cancelled").reason()
    });
    assert_eq!((reason, pacer.snapshot().waiting), (Reason::Cancelled, 0));
    assert!(took < Duration::from_secs(1), "{took:?}");
}
