//! Guards under clocks that stand still or creep back, and timers that wake early: what was slept has passed all the same.

mod support;

use std::cell::{Cell, RefCell};
use std::future::{Future, ready};
use std::time::Duration;

use backoff_core::clock::{AsyncSleep, Clock, Sleep};
use backoff_core::guard::{CircuitBreaker, Pacer, Patient, RetryBudget, RetryQueue};
use backoff_core::{ExponentialBackoff, Reason};
use support::{all_ms, block_on, ms, secs};

/// A clock that moves by `percent` of each sleep, and goes back by `creep` with each reading. A thousand sleeps are a run that never
/// ends.
struct Odd {
    nanos: Cell<u64>,
    percent: u32,
    creep: Duration,
    sleeps: RefCell<Vec<Duration>>,
}

const HOUR: Duration = secs(3_600);

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).expect("short enough")
}

impl Odd {
    fn new(percent: u32) -> Self {
        let nanos = Cell::new(nanos(HOUR));
        Self { nanos, percent, creep: Duration::ZERO, sleeps: RefCell::default() }
    }

    fn creeping(creep: Duration) -> Self {
        Self { creep, ..Self::new(0) }
    }

    /// The sleeps since this was asked last.
    fn sleeps(&self) -> Vec<Duration> {
        self.sleeps.take()
    }
}

impl Clock for Odd {
    type Instant = u64;

    fn now(&self) -> u64 {
        self.nanos.replace(self.nanos.get() - nanos(self.creep))
    }

    fn elapsed(&self, from: u64, to: u64) -> Duration {
        Duration::from_nanos(to.saturating_sub(from))
    }
}

impl Sleep for Odd {
    fn sleep(&self, duration: Duration) {
        self.sleeps.borrow_mut().push(duration);
        assert!(self.sleeps.borrow().len() < 1_000, "the run does not end");
        self.nanos.set(self.nanos.get() + nanos(duration * self.percent / 100));
    }

    fn wakes(&self) -> bool {
        true
    }
}

impl AsyncSleep for Odd {
    fn sleep_async(&self, duration: Duration) -> impl Future<Output = ()> {
        self.sleep(duration);
        ready(())
    }
}

/// How a run ends that never succeeds, and its sleeps: the same for threads and futures.
macro_rules! ended {
    ($clock:ident = $new:expr, $waiter:expr) => {{
        let $clock = &$new;
        let threads = (*$waiter.wait(|| None::<()>).expect_err("nothing succeeds").stop(), $clock.sleeps());
        let $clock = &$new;
        let futures =
            (*block_on($waiter.wait_async(async || None::<()>)).expect_err("nothing succeeds").stop(), $clock.sleeps());
        assert_eq!(threads, futures);
        threads
    }};
}

/// A retry budget that refuses nothing.
fn generous() -> RetryBudget {
    RetryBudget::new().max_tokens(1_000)
}

#[test]
fn guards_that_make_nobody_wait_leave_the_sleeps_of_the_policy_as_they_are() {
    // Timers that never move the clock, or half as far as they should, or three times as far.
    for (percent, elapsed, planned) in [
        (0, 0, [200, 400, 800, 1_600, 500]),
        (50, 1_750, [200, 400, 800, 1_600, 500]),
        (100, 3_500, [200, 400, 800, 1_600, 500]),
    ] {
        let policy = ExponentialBackoff::new();
        let plain = ended!(clock = Odd::new(percent), policy.time(clock));
        assert_eq!(plain.1, all_ms(planned));
        assert_eq!((plain.0.reason, plain.0.attempts), (Reason::Budget, 6));
        assert_eq!((plain.0.elapsed, plain.0.slept), (ms(elapsed), ms(3_500)));
        let guarded = ended!(clock = Odd::new(percent), policy.time(clock).breaker(&CircuitBreaker::new()));
        assert_eq!(guarded, plain);
        let guarded = ended!(clock = Odd::new(percent), policy.time(clock).retry_budget(&generous()));
        assert_eq!(guarded, plain);
    }
    // What is late has passed by the clock, but was not slept.
    let policy = ExponentialBackoff::new().unlimited().max_attempts(3);
    let late = ended!(clock = Odd::new(300), policy.time(clock).breaker(&CircuitBreaker::new()));
    assert_eq!((late.0.elapsed, late.0.slept), (ms(1_800), ms(600)));
}

#[test]
fn under_any_guard_a_run_whose_clock_stands_still_ends_when_its_budget_was_slept() {
    let policy = ExponentialBackoff::new().max_delay(ms(200));
    for percent in [0, 50] {
        let plain = ended!(clock = Odd::new(percent), policy.time(clock));
        let (breaker, budget) = (CircuitBreaker::new, generous);
        for (stop, sleeps) in [
            ended!(clock = Odd::new(percent), policy.time(clock).breaker(&breaker())),
            ended!(clock = Odd::new(percent), policy.time(clock).retry_budget(&budget())),
        ] {
            assert_eq!((stop, sleeps), plain);
        }
        let patient = || Patient(RetryBudget::new().max_tokens(1));
        let lined = || RetryQueue::new().free(RetryBudget::new().max_tokens(1));
        let slow = || Pacer::new().interval(ms(150)).up(1.0);
        for (stop, sleeps) in [
            ended!(clock = Odd::new(percent), policy.time(clock).retry_budget(&patient())),
            ended!(clock = Odd::new(percent), policy.time(clock).retry_queue(&lined())),
            ended!(clock = Odd::new(percent), policy.time(clock).pacer(&slow())),
        ] {
            assert_eq!(stop.reason, Reason::Budget, "{sleeps:?}");
            assert_eq!(stop.slept, sleeps.iter().sum(), "{sleeps:?}");
            assert!((ms(3_000)..=ms(3_500)).contains(&stop.slept), "{stop:?}: {sleeps:?}");
        }
    }
}

#[test]
fn who_waits_for_a_guard_goes_on_though_the_clock_goes_back_with_each_reading() {
    let policy = ExponentialBackoff::new();
    for creep in [Duration::from_nanos(1), ms(1), secs(1)] {
        let pacer = || Pacer::new().interval(ms(100)).up(1.0);
        let lined = || RetryQueue::new().free(RetryBudget::new().max_tokens(1));
        let patient = || Patient(RetryBudget::new().max_tokens(1));
        for (stop, sleeps) in [
            ended!(clock = Odd::creeping(creep), policy.time(clock).pacer(&pacer())),
            ended!(clock = Odd::creeping(creep), policy.time(clock).retry_queue(&lined())),
            ended!(clock = Odd::creeping(creep), policy.time(clock).retry_budget(&patient())),
        ] {
            assert_eq!((stop.reason, stop.elapsed, stop.slept), (Reason::Budget, Duration::ZERO, sleeps.iter().sum()));
            // What a clock loses between the two readings that a wait is counted from is waited for on top.
            assert!((ms(3_000)..=ms(3_500) + 8 * creep).contains(&stop.slept), "{stop:?}: {sleeps:?}");
        }
    }
}
