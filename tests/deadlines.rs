//! Deadlines from outside: given by hand, handed down by `propagate`, across threads and tasks.

use std::cell::Cell;
use std::time::{Duration, Instant};

use backoff_core::clock::Clock as _;
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, deadline, exponential_backoff};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn all_ms<const N: usize>(millis: [u64; N]) -> Vec<Duration> {
    millis.map(ms).to_vec()
}

#[exponential_backoff(budget = "unlimited", initial = "100ms")]
fn innermost(calls: &Cell<u32>) -> Result<(), &'static str> {
    calls.set(calls.get() + 1);
    Err("down")
}

#[exponential_backoff(initial = "1s", budget = "10s")]
fn middle(calls: &Cell<u32>) -> Result<(), &'static str> {
    innermost(calls)
}

#[exponential_backoff(initial = "1s", budget = "1s", propagate)]
fn outermost(calls: &Cell<u32>) -> Result<(), &'static str> {
    middle(calls)
}

#[test]
fn a_run_hands_its_end_down_two_levels() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let calls = Cell::new(0);
    assert_eq!(outermost(&calls), Err("down"));
    // The innermost run ends with the budget of the outermost; neither of the others has time for another attempt.
    assert_eq!(time.sleeps(), all_ms([100, 200, 400, 300]));
    assert_eq!(calls.get(), 5);
    assert_eq!(time.elapsed(), ms(1_000));
    assert_eq!(deadline::current(), None);
}

#[exponential_backoff(budget = "unlimited", initial = "100ms")]
async fn innermost_async(calls: &Cell<u32>) -> Result<(), &'static str> {
    calls.set(calls.get() + 1);
    tokio::task::yield_now().await;
    Err("down")
}

#[exponential_backoff(budget = "1s", propagate)]
async fn outermost_async(calls: &Cell<u32>) -> Result<(), &'static str> {
    innermost_async(calls).await
}

#[tokio::test(start_paused = true)]
async fn a_future_hands_its_end_down() {
    let start = tokio::time::Instant::now();
    let calls = Cell::new(0);
    assert_eq!(outermost_async(&calls).await, Err("down"));
    assert_eq!((calls.get(), start.elapsed()), (5, ms(1_000)));
}

#[exponential_backoff(budget = "20ms", initial = "1ms", propagate)]
async fn sees(seen: &std::sync::Mutex<Vec<(std::thread::ThreadId, Instant)>>) -> Option<()> {
    for _ in 0..50 {
        let end = deadline::current().expect("the deadline is in force on every thread");
        seen.lock().unwrap().push((std::thread::current().id(), end));
        tokio::task::yield_now().await;
    }
    Some(())
}

#[test]
fn the_deadline_moves_with_the_future_and_stays_out_of_other_tasks() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().unwrap();
    runtime.block_on(async {
        let tasks: Vec<_> = (0..64)
            .map(|n| {
                tokio::spawn(async move {
                    if n % 2 == 0 {
                        for _ in 0..50 {
                            assert_eq!(deadline::current(), None, "a task without a deadline has none");
                            tokio::task::yield_now().await;
                        }
                        return;
                    }
                    let seen = std::sync::Mutex::default();
                    assert_eq!(sees(&seen).await, Some(()));
                    let seen = seen.into_inner().unwrap();
                    assert!(seen.iter().all(|(_, end)| *end == seen[0].1), "one deadline, whatever the thread");
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    });
}

#[tokio::test]
async fn a_spawned_task_starts_without_a_deadline() {
    let inside = deadline::within_async(Instant::now(), async {
        assert!(deadline::current().is_some());
        tokio::spawn(async { deadline::current() }).await.unwrap()
    });
    assert_eq!(inside.await, None);
}

#[test]
fn the_nearer_deadline_wins_and_the_outer_one_comes_back() {
    let near = Instant::now();
    let far = near + ms(60_000);
    deadline::within(far, || {
        deadline::within(near, || assert_eq!(deadline::current(), Some(near)));
        assert_eq!(deadline::current(), Some(far));
        deadline::within(far + ms(1), || assert_eq!(deadline::current(), Some(far)));
    });
    assert_eq!(deadline::current(), None);
}

#[test]
fn a_panic_takes_the_deadline_with_it() {
    let caught = std::panic::catch_unwind(|| deadline::within(Instant::now(), || panic!("inside")));
    assert!(caught.is_err());
    assert_eq!(deadline::current(), None);
}

#[exponential_backoff(deadline = end, initial = "400ms", max_delay = "400ms", attempt = attempt)]
fn until_then(end: Instant, left: &mut Vec<Duration>) -> Option<()> {
    left.push(attempt.remaining().unwrap());
    None
}

#[test]
fn bu_11_attempts_end_with_the_deadline_of_the_caller() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let mut left = Vec::new();
    assert_eq!(until_then(time.now() + ms(1_000), &mut left), None);
    assert_eq!(time.sleeps(), all_ms([400, 400, 200]));
    assert_eq!(left, all_ms([1_000, 600, 200, 0]));
}

#[test]
fn a_deadline_that_has_passed_allows_the_first_attempt_only() {
    let time = VirtualTime::new();
    time.pass(ms(5));
    let passed = time.now().checked_sub(ms(1)).expect("the virtual clock has moved");
    let policy = ExponentialBackoff::new().unlimited();
    let error = policy.time(&time).deadline(passed).wait(|| None::<()>).unwrap_err();
    assert_eq!((error.reason(), error.attempts(), time.sleeps()), (Reason::Deadline, 1, vec![]));
}

#[test]
fn the_nearer_of_budget_and_deadline_is_the_reason() {
    for (deadline, reason) in [(3_499, Reason::Deadline), (3_500, Reason::Budget), (3_501, Reason::Budget)] {
        let time = VirtualTime::new();
        let waiter = ExponentialBackoff::new().time(&time).deadline(time.now() + ms(deadline));
        let error = waiter.wait(|| None::<()>).unwrap_err();
        assert_eq!(error.reason(), reason, "{deadline}");
        assert_eq!(time.elapsed(), ms(deadline.min(3_500)));
    }
}

#[test]
fn an_inner_run_without_budget_reads_the_clock_only_after_a_failure() {
    /// A clock that counts how often it is read.
    #[derive(Default)]
    struct Counting(Cell<u32>);

    impl backoff_core::clock::Clock for Counting {
        type Instant = Instant;

        fn now(&self) -> Instant {
            self.0.set(self.0.get() + 1);
            Instant::now()
        }

        fn elapsed(&self, from: Instant, to: Instant) -> Duration {
            to.saturating_duration_since(from)
        }
    }

    impl backoff_core::clock::Sleep for Counting {
        fn sleep(&self, _: Duration) {}
    }

    #[exponential_backoff(waiter = backoff_core::Waiter::new(ExponentialBackoff::new()).time(clock), budget = "unlimited", max_attempts = 3)]
    fn call(clock: &Counting, failures: &mut u32) -> Option<()> {
        *failures = failures.checked_sub(1)?;
        if *failures == 0 { Some(()) } else { None }
    }

    let clock = Counting::default();
    assert_eq!(call(&clock, &mut 1), Some(()));
    assert_eq!(clock.0.get(), 0, "never read without an end in time");
    assert_eq!(call(&clock, &mut 3), Some(()));
    assert_eq!(clock.0.get(), 0);
    let error = deadline::within(Instant::now() + ms(60_000), || call(&clock, &mut 3));
    assert_eq!(error, Some(()));
    assert_eq!(clock.0.get(), 2, "once for each failed attempt, to honour the deadline from outside");
}
