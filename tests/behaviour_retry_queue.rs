//! The retry queue: who waits, who goes, and that nobody is held up.

mod support;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::Duration;

use backoff_core::clock::{Clock, Sleep, Threads};
use backoff_core::guard::{Moment, Now, Patient, RetryBudget, RetryQueue, RetryTokens, Taken};
use backoff_core::testing::VirtualTime;
use backoff_core::{CancelToken, ExponentialBackoff, Jitter, Reason, exponential_backoff};
use support::{all_ms, block_on, ms, secs, unlimited};

/// A queue that lets no call sleep by itself: the first failure uses up its one token.
const fn lined() -> RetryQueue {
    RetryQueue::new().free(RetryBudget::new().max_tokens(1))
}

#[test]
fn a_lone_client_follows_its_policy() {
    let run = |queue: Option<&RetryQueue>| {
        let time = VirtualTime::new();
        let policy = ExponentialBackoff::new().budget(secs(10)).max_delay(secs(2));
        let waiter = policy.time(&time);
        let error = match queue {
            Some(queue) => waiter.retry_queue(queue).wait(|| None::<()>).unwrap_err(),
            None => waiter.wait(|| None::<()>).unwrap_err(),
        };
        (time.sleeps(), *error.stop())
    };
    assert_eq!(run(Some(&RetryQueue::new())), run(None));
    assert_eq!(run(Some(&lined())), run(None));
    assert_eq!(run(None).0, all_ms([200, 400, 800, 1_600, 2_000, 2_000, 2_000, 1_000]));
}

/// Many calls that fail together, on one virtual clock: when each attempt of each call began.
fn crowd(
    calls: u32,
    up_at: Duration,
    policy: ExponentialBackoff,
    queue: &'static RetryQueue,
) -> Vec<(u32, Duration, bool)> {
    let time = VirtualTime::new();
    let attempts = Arc::new(Mutex::new(Vec::new()));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for call in 0..calls {
            let (time, attempts) = (time.clone(), Arc::clone(&attempts));
            tasks.spawn(async move {
                let waiter = policy.time(time.clone()).retry_queue(queue);
                let attempt = || {
                    let (time, attempts) = (time.clone(), Arc::clone(&attempts));
                    async move {
                        let began = time.elapsed();
                        let is_up = began >= up_at;
                        attempts.lock().unwrap().push((call, began, is_up));
                        time.pass_async(ms(10)).await;
                        is_up.then_some(())
                    }
                };
                waiter.wait_async(attempt).await.is_ok()
            });
        }
        assert!(tasks.join_all().await.into_iter().all(|served| served), "nobody is given up");
    });
    assert_eq!(queue.snapshot().waiting, 0);
    Arc::into_inner(attempts).expect("all tasks have ended").into_inner().unwrap()
}

#[test]
fn after_an_outage_each_success_lets_the_next_one_go() {
    static QUEUE: RetryQueue = RetryQueue::new();
    let policy = unlimited().initial(ms(100)).max_delay(secs(10)).jitter(Jitter::Full);
    let attempts = crowd(50, secs(2), policy, &QUEUE);
    let failed = attempts.iter().filter(|(.., is_up)| !is_up).count() - 50;
    assert!(failed <= 12, "{failed} probes in two seconds, for all fifty together");
    let served: Vec<_> = attempts.iter().filter(|(.., is_up)| *is_up).map(|(_, began, _)| *began).collect();
    assert_eq!(served.len(), 50);
    // One after the other, ten milliseconds each; probes run beside them while the line is served.
    let whole = served[49].saturating_sub(served[0]);
    assert!(whole <= ms(500) + secs(1), "{whole:?}");
    // Fair: who failed first goes first, up to those that were probes.
    let first_calls: Vec<_> = attempts[..50].iter().map(|(call, ..)| *call).collect();
    assert_eq!(first_calls, (0..50).collect::<Vec<_>>());
}

#[test]
fn a_full_line_ends_the_run_with_its_last_failure() {
    let queue = lined().capacity(1);
    let time = VirtualTime::new();
    let mut waiting =
        Box::pin(unlimited().time(&time).retry_queue(&queue).retry_async(|| std::future::ready(Err::<(), _>(1))));
    let mut context = Context::from_waker(Waker::noop());
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    assert_eq!(queue.snapshot().waiting, 1);
    let error = unlimited().time(&time).retry_queue(&queue).retry(|| Err::<(), _>(2)).unwrap_err();
    assert_eq!((error.reason(), error.attempts(), error.last()), (Reason::RetryQueue, 1, Some(&2)));
    assert_eq!((error.slept(), time.elapsed()), (Duration::ZERO, Duration::ZERO), "a refusal never waits");
    drop(waiting);
    assert_eq!(queue.snapshot().waiting, 0);
}

#[test]
fn each_call_ends_by_its_own_budget() {
    let queue = lined();
    let time = VirtualTime::new();
    let fails = |budget| {
        let waiter = ExponentialBackoff::new().initial(secs(3)).budget(budget).time(&time).retry_queue(&queue);
        let budgets = std::future::ready(Err::<(), _>("down"));
        async move { waiter.retry_async(|| budgets.clone()).await.unwrap_err() }
    };
    let mut head = Box::pin(fails(secs(60)));
    let mut second = Box::pin(fails(secs(1)));
    let mut context = Context::from_waker(Waker::noop());
    assert!(head.as_mut().poll(&mut context).is_pending());
    assert!(second.as_mut().poll(&mut context).is_pending());
    assert_eq!(queue.snapshot().waiting, 2);
    let error = block_on(second);
    assert_eq!((error.reason(), error.attempts(), error.last()), (Reason::Budget, 1, Some(&"down")));
    assert_eq!((error.elapsed(), error.slept()), (secs(1), secs(1)));
    assert_eq!(queue.snapshot().waiting, 1);
    drop(head);
}

#[test]
fn a_hint_is_obeyed_and_does_not_wait_in_line() {
    let queue = lined();
    let time = VirtualTime::new();
    let mut results = [Err(secs(2)), Ok(7)].into_iter();
    let waiter = unlimited().time(&time).retry_queue(&queue).hint(|hint: &Duration| Some(*hint));
    assert_eq!(waiter.retry(|| results.next().unwrap()), Ok(7));
    assert_eq!(time.sleeps(), [secs(2)]);
}

#[test]
fn who_is_dropped_holds_nobody_up() {
    let queue = lined();
    let time = VirtualTime::new();
    let run =
        || Box::pin(unlimited().time(&time).retry_queue(&queue).retry_async(std::future::pending::<Result<(), ()>>));
    let fails = || {
        let mut results = [Err(()), Ok(7)].into_iter();
        Box::pin(
            unlimited()
                .time(&time)
                .retry_queue(&queue)
                .retry_async(move || std::future::ready(results.next().unwrap())),
        )
    };
    let mut context = Context::from_waker(Waker::noop());
    // The head of the line is dropped while it waits.
    let (mut head, mut next) = (fails(), fails());
    assert!(head.as_mut().poll(&mut context).is_pending());
    assert!(next.as_mut().poll(&mut context).is_pending());
    drop(head);
    assert_eq!(block_on(next), Ok(7));

    // The probe itself is dropped while it is under way: the next one may probe at once.
    let mut probe = {
        let mut calls = 0;
        let attempt = move || {
            calls += 1;
            let first = calls == 1;
            async move { if first { Err(()) } else { std::future::pending::<Result<u8, ()>>().await } }
        };
        Box::pin(unlimited().time(&time).retry_queue(&queue).retry_async(attempt))
    };
    let mut behind = fails();
    assert!(probe.as_mut().poll(&mut context).is_pending());
    assert!(behind.as_mut().poll(&mut context).is_pending());
    while queue.snapshot().waiting == 2 {
        assert!(probe.as_mut().poll(&mut context).is_pending());
    }
    assert_eq!(queue.snapshot().next_probe, None, "a probe is under way");
    drop(probe);
    assert!(queue.snapshot().next_probe <= Some(Moment::of(&time)));
    assert_eq!(block_on(behind), Ok(7));
    drop(run());
}

#[test]
fn a_panic_in_the_probe_holds_nobody_up() {
    let queue = lined();
    let time = VirtualTime::new();
    let mut calls = 0;
    let mut panics = || {
        calls += 1;
        assert!(calls == 1, "on purpose");
        Err::<u8, _>("down")
    };
    let waiter = || unlimited().time(&time).retry_queue(&queue);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| waiter().retry(&mut panics))).unwrap_err();
    let mut results = [Err("down"), Ok(7)].into_iter();
    assert_eq!(waiter().retry(|| results.next().unwrap()), Ok(7));
    assert_eq!(queue.snapshot().waiting, 0);
}

#[test]
fn a_token_cuts_the_wait_in_line() {
    let queue = lined();
    let time = VirtualTime::new();
    let token = CancelToken::new();
    time.at(ms(150), {
        let token = token.clone();
        move || token.cancel()
    });
    let error = unlimited().time(&time).cancel(&token).retry_queue(&queue).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.reason(), error.attempts(), error.last()), (Reason::Cancelled, 1, Some(&"down")));
    assert_eq!((time.elapsed(), queue.snapshot().waiting), (ms(150), 0));
}

#[exponential_backoff(initial = "1ms", max_delay = "5ms", budget = "30s", jitter = "full", retry_queue = QUEUE)]
fn threaded(up: &std::sync::atomic::AtomicBool, attempts: &AtomicU32) -> Option<()> {
    attempts.fetch_add(1, Ordering::Relaxed);
    up.load(Ordering::Relaxed).then_some(())
}

static QUEUE: RetryQueue = RetryQueue::new();

#[test]
fn threads_are_woken_by_each_others_successes() {
    let (up, attempts) = (std::sync::atomic::AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..32).map(|_| scope.spawn(|| threaded(&up, &attempts))).collect();
        while QUEUE.snapshot().waiting < 31 {
            std::thread::yield_now();
        }
        up.store(true, Ordering::Relaxed);
        assert!(threads.into_iter().all(|thread| thread.join().unwrap().is_some()));
    });
    assert_eq!(QUEUE.snapshot().waiting, 0);
}

#[test]
fn a_success_without_a_queue_behind_it_draws_nothing() {
    struct Never;
    impl backoff_core::random::Random for Never {
        fn next_u64(&self) -> u64 {
            panic!("drawn")
        }
    }
    let queue = lined();
    let policy = unlimited().jitter(Jitter::Full);
    for _ in 0..100 {
        assert_eq!(policy.time(VirtualTime::new()).random(Never).retry_queue(&queue).wait(|| Some(7)), Ok(7));
    }
}

struct Never;

impl RetryTokens for Never {
    fn take(&self, _: Now<'_>) -> Option<Taken> {
        None
    }
}

#[test]
fn a_probe_that_a_patient_rule_holds_back_for_ever_holds_nobody_up() {
    let (queue, time) = (lined(), VirtualTime::new());
    let policy = unlimited().budget(secs(1));
    let error =
        policy.time(&time).retry_queue(&queue).retry_budget(&Patient(Never)).retry(|| Err::<(), _>(1)).unwrap_err();
    assert_eq!((error.reason(), error.attempts(), error.last()), (Reason::Budget, 1, Some(&1)));
    assert_eq!(queue.snapshot().waiting, 0);
    let mut results = [Err(2), Ok(7)].into_iter();
    assert_eq!(unlimited().time(&time).retry_queue(&queue).retry(|| results.next().unwrap()), Ok(7));
}

/// Threads, but their sleep can't be cut short.
struct Stubborn;

impl Clock for Stubborn {
    type Instant = std::time::Instant;

    fn now(&self) -> Self::Instant {
        Threads.now()
    }

    fn elapsed(&self, from: Self::Instant, to: Self::Instant) -> Duration {
        Threads.elapsed(from, to)
    }
}

impl Sleep for Stubborn {
    fn sleep(&self, duration: Duration) {
        Threads.sleep(duration);
    }
}

#[test]
fn a_sleep_that_nothing_can_cut_holds_nobody_up() {
    let queue = lined();
    let up = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let run = || {
            let policy = unlimited().initial(ms(1)).max_delay(ms(5));
            policy.time(Stubborn).retry_queue(&queue).wait(|| up.load(Ordering::Relaxed).then_some(()))
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        while queue.snapshot().waiting < 3 {
            std::thread::yield_now();
        }
        up.store(true, Ordering::Relaxed);
        assert!(threads.into_iter().all(|thread| thread.join().unwrap().is_ok()));
    });
}

#[test]
fn few_failures_sleep_by_themselves_and_those_behind_a_line_do_not() {
    let (queue, time) = (RetryQueue::new(), VirtualTime::new());
    let fails =
        || Box::pin(unlimited().time(&time).retry_queue(&queue).retry_async(|| std::future::ready(Err::<(), _>(()))));
    let mut context = Context::from_waker(Waker::noop());
    let mut runs: Vec<_> = (0..7).map(|_| fails()).collect();
    let waiting: Vec<_> = runs
        .iter_mut()
        .map(|run| {
            assert!(run.as_mut().poll(&mut context).is_pending());
            queue.snapshot().waiting
        })
        .collect();
    assert_eq!(waiting, [0, 0, 0, 0, 1, 2, 3], "four may while more than half of ten tokens are left");
    let free = queue.snapshot().free;
    assert_eq!((free.allowed, free.refused, free.thousandths), (4, 1, 3_000), "who finds others waiting does not ask");
}
