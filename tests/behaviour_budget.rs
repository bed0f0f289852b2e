//! BU: the budget bounds the whole run, operation time included, and the deadline of a caller does the same.

mod support;

use std::cell::{Cell, RefCell};
use std::future::pending;
use std::time::Duration;

use backoff_core::clock::{Clock, Sleep};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, RetryAfter};
use support::{Case, Op, all_ms, block_on, constant, ms, secs, unlimited, us};

fn budget(budget: Duration) -> ExponentialBackoff {
    ExponentialBackoff::new().budget(budget)
}

#[test]
fn bu_01_no_attempt_starts_after_the_budget() {
    let policy = budget(secs(15)).initial(ms(500)).multiplier(1.5).max_delay(ms(5_000));
    let seen = Case::new(policy).run();
    assert_eq!(seen.calls(), 8);
    assert_eq!(seen.sleeps, [500_000, 750_000, 1_125_000, 1_687_500, 2_531_250, 3_796_875, 4_609_375].map(us));
    assert_eq!((seen.end, seen.reason()), (secs(15), Reason::Budget));
}

#[test]
fn bu_03_the_end_of_a_sleep_is_compared_with_the_budget() {
    let seen = Case::new(budget(secs(10)).initial(secs(1)).max_delay(secs(60))).run();
    assert_eq!(seen.sleeps, all_ms([1_000, 2_000, 4_000, 3_000]));
    assert_eq!((seen.calls(), seen.end, seen.reason()), (5, secs(10), Reason::Budget));
}

#[test]
fn bu_05_a_hint_longer_than_the_budget_ends_the_run_and_says_so() {
    let policy = budget(secs(15 * 60)).max_hint(secs(3_600));
    let seen = Case::new(policy).ops([Op::Asks(secs(30 * 60)), Op::Succeeds]).run();
    assert_eq!((seen.calls(), seen.sleeps.len(), seen.reason()), (1, 0, Reason::Hint));
    assert_eq!(seen.failure().hint(), Some(ms(1_800_000)));
    assert_eq!(
        seen.failure().to_string(),
        "gave up after 1 attempt in 0s: the server asked for too long a wait (30m): call 1 failed"
    );
}

#[test]
fn bu_06_the_budget_starts_before_the_first_attempt() {
    let case = Case::new(budget(secs(1)).initial(ms(500))).ops([Op::Fails, Op::Succeeds]);
    let long = case.clone().op_times([ms(2_000), ms(0)]).run();
    assert_eq!((long.calls(), long.sleeps.len(), long.reason()), (1, 0, Reason::Budget));
    let short = case.op_times([ms(100), ms(0)]).run();
    assert_eq!(short.sleeps, all_ms([500]));
    assert_eq!((short.calls(), short.end, short.result), (2, ms(600), Ok(())));
}

#[test]
fn bu_08_what_remains_is_never_negative() {
    let seen = Case::new(budget(secs(1)).initial(ms(100))).op_times([ms(1_500)]).run();
    assert_eq!((seen.calls(), seen.sleeps.len(), seen.reason()), (1, 0, Reason::Budget));
}

#[test]
fn bu_10_no_attempt_with_no_time_left() {
    let seen = Case::new(budget(secs(1)).initial(ms(50))).op_times([ms(1_000)]).run();
    assert_eq!((seen.calls(), seen.sleeps.len(), seen.reason()), (1, 0, Reason::Budget));
}

#[test]
fn bu_11_the_deadline_of_the_caller_ends_a_run() {
    let policy = constant(ms(400)).max_attempts(50);
    let seen = Case::new(policy).deadline(secs(1)).run();
    assert_eq!(seen.sleeps, all_ms([400, 400, 200]));
    assert_eq!((seen.calls(), seen.end, seen.reason()), (4, secs(1), Reason::Deadline));

    // The nearer end counts, and gives its name to the reason.
    let both = policy.budget(ms(900));
    let seen = Case::new(both).deadline(secs(1)).run();
    assert_eq!((seen.end, seen.reason()), (ms(900), Reason::Budget));
    let seen = Case::new(both).deadline(ms(800)).run();
    assert_eq!((seen.end, seen.reason()), (ms(800), Reason::Deadline));
}

#[test]
fn bu_13_the_budget_of_a_shared_policy_starts_with_each_run() {
    const POLICY: ExponentialBackoff = ExponentialBackoff::new().budget(ms(1_000)).initial(ms(300)).max_delay(ms(300));
    let time = VirtualTime::new();
    for start in [0, 10_000, 20_000].map(ms) {
        time.pass(start.saturating_sub(time.elapsed()));
        let before = time.sleeps().len();
        let error = POLICY.time(&time).wait(|| None::<()>).expect_err("it never succeeds");
        assert_eq!((error.attempts(), error.elapsed(), error.reason()), (5, ms(1_000), Reason::Budget));
        assert_eq!(time.sleeps()[before..], all_ms([300, 300, 300, 100]));
    }
}

/// A clock that shows what the test sets, and a sleep that only writes down.
#[derive(Default)]
struct Faulty {
    now: Cell<u64>,
    sleeps: RefCell<Vec<Duration>>,
    /// What the clock is set to while it sleeps.
    steps_to: Cell<Option<u64>>,
}

impl Clock for Faulty {
    type Instant = u64;

    fn now(&self) -> u64 {
        self.now.get()
    }

    fn elapsed(&self, from: u64, to: u64) -> Duration {
        ms(to.saturating_sub(from))
    }
}

impl Sleep for Faulty {
    fn sleep(&self, duration: Duration) {
        self.sleeps.borrow_mut().push(duration);
        if let Some(now) = self.steps_to.get() {
            self.now.set(now);
        }
    }
}

/// Runs on a faulty clock whose time is `10_000` before and `then` after the first call.
fn on_a_clock_that_jumps(then: u64) -> (Vec<Duration>, backoff_core::RetryError<&'static str>) {
    let clock = Faulty::default();
    clock.now.set(10_000);
    let policy = budget(secs(1)).initial(ms(100)).max_attempts(2);
    let error = policy.time(&clock).retry(|| {
        clock.now.set(then);
        Err::<(), _>("down")
    });
    (clock.sleeps.into_inner(), error.expect_err("it never succeeds"))
}

#[test]
fn bu_15_a_clock_that_jumps_neither_stretches_a_sleep_nor_panics() {
    let (sleeps, error) = on_a_clock_that_jumps(9_000);
    assert_eq!(sleeps, [ms(100)]);
    assert_eq!((error.reason(), error.elapsed()), (Reason::Attempts, Duration::ZERO));
    let (sleeps, error) = on_a_clock_that_jumps(3_610_000);
    assert_eq!(sleeps, []);
    assert_eq!((error.reason(), error.attempts()), (Reason::Budget, 1));
}

#[test]
fn bu_15_a_clock_that_stands_still_does_not_keep_a_run_going() {
    let clock = Faulty::default();
    let policy = budget(secs(1)).initial(ms(100)).max_delay(ms(100));
    let error = policy.time(&clock).wait(|| None::<()>).expect_err("it never succeeds");
    assert_eq!(clock.sleeps.into_inner(), [ms(100); 10], "what was slept counts, whatever the clock says");
    assert_eq!((error.reason(), error.attempts(), error.slept()), (Reason::Budget, 11, secs(1)));
}

#[test]
fn bu_16_a_sleep_is_handed_over_once_as_a_duration() {
    let clock = Faulty::default();
    clock.now.set(100_000);
    clock.steps_to.set(Some(40_000));
    let error = budget(secs(1)).initial(ms(250)).max_attempts(2).time(&clock).wait(|| None::<()>);
    assert!(error.is_err());
    assert_eq!(clock.sleeps.into_inner(), [ms(250)]);
}

#[test]
fn bu_18_a_slow_attempt_is_cut_and_leaves_time_for_another() {
    let time = VirtualTime::new();
    let mut left = Vec::new();
    let waiter = budget(secs(10)).initial(secs(1)).time(&time).attempt_timeout(secs(5));
    let result = block_on(waiter.retry_async_with(|attempt| {
        let number = attempt.number();
        left.push(attempt.remaining());
        let time = &time;
        async move {
            if number == 1 {
                pending::<()>().await;
            }
            time.pass_async(secs(1)).await;
            Ok::<_, &str>(number)
        }
    }));
    assert_eq!(result, Ok(2));
    assert_eq!(time.sleeps(), all_ms([5_000, 1_000]), "the timer that cut the first attempt, and the backoff");
    assert_eq!(time.elapsed(), secs(7));
    assert_eq!(left, [Some(secs(10)), Some(secs(4))]);
}

#[test]
fn bu_18_an_attempt_is_cut_where_the_budget_ends() {
    let time = VirtualTime::new();
    let waiter = budget(secs(10)).initial(secs(1)).time(&time).attempt_timeout(secs(5));
    let mut calls = 0;
    let error = block_on(waiter.retry_async(|| {
        calls += 1;
        pending::<Result<(), &str>>()
    }));
    let error = error.expect_err("every attempt is cut");
    assert_eq!((calls, time.elapsed()), (2, secs(10)), "5 s, a sleep of 1 s, and the 4 s that remain");
    assert_eq!((error.reason(), error.last()), (Reason::Budget, None));
    let sentence = "gave up after 2 attempts in 10s: the budget is used up: the attempt was cut by its timeout";
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn bu_18_no_attempt_starts_with_a_timeout_of_zero() {
    let time = VirtualTime::new();
    let waiter = budget(secs(1)).initial(secs(1)).time(&time).attempt_timeout(secs(5));
    let mut starts = Vec::new();
    let result = block_on(waiter.retry_async(|| {
        starts.push(time.elapsed());
        let (first, time) = (starts.len() == 1, &time);
        async move {
            if first {
                return Err("down");
            }
            time.pass_async(secs(2)).await;
            Ok(7)
        }
    }));
    assert_eq!(result, Ok(7), "a late success is a success");
    assert_eq!((starts, time.elapsed()), (all_ms([0, 1_000]), secs(3)), "nothing remains, so the whole timeout counts");
}

#[test]
fn bu_20_concurrent_runs_do_not_use_up_each_other_s_budget() {
    let policy = budget(secs(180)).initial(secs(1));
    let times: Vec<_> = (0..3).map(|_| VirtualTime::new()).collect();
    // Three runs in step with each other, in three threads.
    std::thread::scope(|scope| {
        for time in &times {
            scope.spawn(move || {
                let mut calls = 0;
                let result = policy.time(time).retry(|| {
                    calls += 1;
                    if calls == 1 {
                        time.pass(secs(100));
                        return Err("slow");
                    }
                    Ok(calls)
                });
                assert_eq!(result, Ok(2));
            });
        }
    });
    for time in times {
        assert_eq!((time.sleeps(), time.elapsed()), (vec![secs(1)], secs(101)));
    }
    assert_eq!(policy, budget(secs(180)).initial(secs(1)));
}

#[test]
fn a_hint_that_fits_exactly_is_obeyed() {
    let case = |hint| Case::new(budget(secs(1))).ops([Op::Asks(hint), Op::Succeeds]).run();
    let fits = case(secs(1));
    assert_eq!((fits.sleeps, fits.result), (vec![secs(1)], Ok(())));
    assert_eq!(case(secs(1) + Duration::from_nanos(1)).reason(), Reason::Hint);
    assert_eq!(RetryAfter::after(secs(1)).delay(), secs(1));
}

#[test]
fn without_a_budget_only_attempts_end_a_run() {
    let seen = Case::new(unlimited().initial(secs(3_600)).max_attempts(3)).run();
    assert_eq!((seen.sleeps, seen.end), (vec![secs(3_600), secs(7_200)], secs(10_800)));
}
