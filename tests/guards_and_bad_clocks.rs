//! Guards under clocks that stand still, creep back or step back, and timers that wake early: what was slept has passed all the same.

mod support;

use std::cell::{Cell, RefCell};
use std::future::{Future, ready};
use std::time::Duration;

use backoff_core::clock::{AsyncSleep, Clock, Sleep};
use backoff_core::guard::{CircuitBreaker, Moment, Pacer, PacerMode, Patient, RetryBudget, RetryQueue, Slot};
use backoff_core::{ExponentialBackoff, Reason};
use support::{all_ms, block_on, ms, secs, unlimited};

/// A clock that moves by `percent` of each sleep, and goes back by `creep` with each reading. A thousand sleeps are a run that never
/// ends.
struct Odd {
    nanos: Cell<u64>,
    percent: u32,
    creep: Duration,
    step_back: Cell<Duration>,
    sleeps: RefCell<Vec<Duration>>,
}

const HOUR: Duration = secs(3_600);

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).expect("short enough")
}

impl Odd {
    fn new(percent: u32) -> Self {
        let nanos = Cell::new(nanos(HOUR));
        Self { nanos, percent, creep: Duration::ZERO, step_back: Cell::default(), sleeps: RefCell::default() }
    }

    fn creeping(creep: Duration) -> Self {
        Self { creep, ..Self::new(0) }
    }

    fn step_back(&self, by: Duration) {
        self.nanos.set(self.nanos.get() - nanos(by));
    }

    /// The clock steps back at the end of the next sleep.
    fn step_back_during_the_next_sleep(&self, by: Duration) {
        self.step_back.set(by);
    }

    /// The work of an operation.
    fn pass(&self, duration: Duration) {
        self.nanos.set(self.nanos.get() + nanos(duration));
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
        self.step_back(self.step_back.take());
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

/// A run that fails once, and the server asks for so long.
fn asked(clock: &Odd, pacer: &Pacer, wish: Duration) {
    let waiter = unlimited().max_attempts(1).time(clock).pacer(pacer).hint(move |_: &&str| wish);
    waiter.retry(|| Err::<(), _>("later")).expect_err("it fails");
}

#[test]
fn what_the_server_asked_for_is_no_longer_after_the_clock_has_stepped_back() {
    let (clock, pacer) = (Odd::new(100), Pacer::new());
    asked(&clock, &pacer, ms(250));
    clock.step_back(secs(60));
    assert_eq!(ExponentialBackoff::new().time(&clock).pacer(&pacer).wait(|| Some(7)), Ok(7));
    assert_eq!(clock.sleeps(), [ms(250)]);

    // The same for a moment that was set from outside, once somebody has looked.
    pacer.block_until(Moment::of(&clock).after(ms(250)));
    assert!(pacer.try_reserve(Moment::of(&clock), 1).is_err());
    clock.step_back(secs(60));
    assert_eq!(ExponentialBackoff::new().time(&clock).pacer(&pacer).wait(|| Some(7)), Ok(7));
    assert_eq!(clock.sleeps(), [ms(250)]);

    // A wish of now is not hidden behind one of before.
    clock.pass(ms(10));
    asked(&clock, &pacer, secs(3));
    clock.step_back(secs(60));
    asked(&clock, &pacer, ms(3_500));
    assert_eq!(clock.sleeps(), [secs(3)]);
    assert_eq!(pacer.snapshot().blocked_until, Some(Moment::of(&clock).after(ms(3_500))));
}

#[test]
fn a_step_back_during_a_sleep_makes_the_run_wait_once_more_at_most() {
    let (clock, pacer) = (Odd::new(100), Pacer::new());
    clock.step_back_during_the_next_sleep(secs(60));
    let waiter = ExponentialBackoff::new().time(&clock).pacer(&pacer).hint(|_: &&str| ms(250));
    let mut answers = [Ok(7), Err("later")].into_iter().rev();
    assert_eq!(waiter.retry(|| answers.next().expect("no third attempt")), Ok(7));
    assert_eq!(clock.sleeps(), all_ms([250, 250]));

    let lined = || RetryQueue::new().free(RetryBudget::new().max_tokens(1));
    let (clock, queue) = (Odd::new(100), lined());
    clock.step_back_during_the_next_sleep(secs(60));
    let error = ExponentialBackoff::new().time(&clock).retry_queue(&queue).wait(|| None::<()>).unwrap_err();
    assert_eq!((error.reason(), error.slept()), (Reason::Budget, ms(3_500)));
    assert_eq!(clock.sleeps(), all_ms([200, 400, 800, 1_600, 500]));
}

#[test]
fn failures_stretch_the_interval_though_the_clock_has_stepped_back() {
    let pacer = Pacer::new().mode(PacerMode::Literal).smoothing(0.0).interval(ms(100));
    let clock = Odd::new(100);
    let fails = || {
        let run = unlimited().max_attempts(1).time(&clock).pacer(&pacer).wait(|| None::<()>);
        assert_eq!(run.unwrap_err().attempts(), 1);
        pacer.snapshot().interval
    };
    assert_eq!(fails(), ms(200));
    clock.step_back(secs(60));
    assert_eq!([fails(), fails(), fails()], [ms(400), ms(800), ms(1_600)]);
    assert_eq!(clock.sleeps(), all_ms([200, 400, 800]));
}

#[test]
fn after_a_step_back_failures_that_were_under_way_together_count_once_still() {
    let at = |seconds| Moment::at(secs(seconds));
    let pacer = Pacer::new().mode(PacerMode::Literal).smoothing(0.0);
    let fails = |began, now| {
        pacer.settle(Slot::starting(at(began)), false, || at(now));
        pacer.snapshot().interval
    };
    assert_eq!(fails(1_000, 1_001), ms(2));
    assert_eq!([fails(10, 12), fails(10, 12), fails(11, 13), fails(12, 14)], [ms(4), ms(4), ms(4), ms(8)]);
    // Two that are told in the wrong order are no step back.
    assert_eq!([fails(20, 26), fails(21, 25)], [ms(16), ms(16)]);
}

#[test]
fn a_cubic_curve_begins_where_the_clock_has_stepped_back_to() {
    let at = |seconds| Moment::at(secs(seconds));
    let intervals = |start: u64| {
        let pacer = Pacer::new().mode(PacerMode::Cubic).interval(ms(100));
        pacer.settle(Slot::starting(at(100)), false, || at(100));
        [0, 1, 2].map(|later| {
            pacer.settle(Slot::starting(at(start + later)), true, || at(start + later));
            pacer.snapshot().interval
        })
    };
    assert_eq!(intervals(40), intervals(100));
}

#[test]
fn a_queue_goes_on_though_the_clock_has_stepped_back() {
    let lined = || RetryQueue::new().free(RetryBudget::new().max_tokens(1));
    let (clock, queue) = (Odd::new(100), lined());
    let once = unlimited().max_attempts(1).time(&clock).retry_queue(&queue).wait(|| None::<()>);
    assert_eq!(once.unwrap_err().attempts(), 1);
    clock.step_back(secs(60));
    let error = ExponentialBackoff::new().time(&clock).retry_queue(&queue).wait(|| None::<()>).unwrap_err();
    assert_eq!((error.reason(), error.slept()), (Reason::Budget, ms(3_500)));
    assert_eq!(clock.sleeps(), all_ms([400, 800, 1_600, 700]));
}

#[test]
fn a_probe_that_takes_longer_than_the_clock_stepped_back_is_heard() {
    let queue = RetryQueue::new().free(RetryBudget::new().max_tokens(1));
    let clock = Odd::new(100);
    clock.step_back_during_the_next_sleep(secs(1));
    let run = unlimited().max_attempts(3).time(&clock).retry_queue(&queue).wait(|| {
        clock.pass(secs(2));
        None::<()>
    });
    assert_eq!(run.unwrap_err().attempts(), 3);
    assert_eq!(clock.sleeps(), all_ms([200, 400]));
}
