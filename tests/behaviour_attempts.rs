//! AT: how many attempts are made, and what is never made of none.

mod support;

use std::time::Duration;

use backoff_core::testing::{Recorder, VirtualTime};
use backoff_core::{CancelToken, ExponentialBackoff, Reason};
use support::{Case, Op, all_ms, constant, ms, secs, unlimited};

#[test]
fn at_01_no_attempt_more_than_asked_for() {
    let policy = constant(Duration::from_nanos(1)).max_attempts(4);
    let seen = Case::new(policy).ops([Op::Fails, Op::Fails, Op::Fails, Op::Fails, Op::Succeeds]).run();
    assert_eq!((seen.calls(), seen.reason()), (4, Reason::Attempts));
    // The other mode of errors: the failure alone.
    assert_eq!(seen.failure().into_last().map(|last| last.call), Some(4));
}

#[test]
fn at_03_no_sleep_after_the_last_attempt() {
    let seen = Case::new(unlimited().initial(secs(1)).max_attempts(3)).run();
    assert_eq!(seen.sleeps, all_ms([1_000, 2_000]));
    assert_eq!((seen.calls(), seen.end), (3, secs(3)));
    let once = Case::new(unlimited().max_attempts(1)).run();
    assert_eq!((once.calls(), once.sleeps.len(), once.end), (1, 0, Duration::ZERO));
}

#[test]
fn at_05_no_attempts_are_no_policy() {
    let message = ExponentialBackoff::builder().max_attempts(0).build().expect_err("zero is refused").to_string();
    assert_eq!(
        message,
        "`max_attempts` can't be `0`: it counts the first attempt, so use 1 to 4294967295; leave it out for no limit"
    );
    assert_eq!(unlimited().get_max_attempts(), None, "no limit is the absence of one");
}

#[test]
fn at_06_no_success_without_a_value_of_the_operation() {
    // (a) cancelled before the first call
    let token = CancelToken::new();
    token.cancel();
    let time = VirtualTime::new();
    let mut calls = 0;
    let result = ExponentialBackoff::new().time(&time).cancel(&token).retry(|| {
        calls += 1;
        Ok::<_, &str>(7)
    });
    let error = result.expect_err("no value, no success");
    assert_eq!((calls, error.reason(), error.attempts(), error.last()), (0, Reason::Cancelled, 0, None));
    assert_eq!(error.to_string(), "gave up after 0 attempts in 0s: it was cancelled");

    // (b) is at_05. (c) A budget of zero is no policy; a deadline that has passed allows one call.
    let message =
        ExponentialBackoff::builder().budget(Some(Duration::ZERO)).build().expect_err("zero is refused").to_string();
    assert_eq!(message, "`budget` can't be `0s`: it is the total time of a run, such as `3.5s`, or \"unlimited\"");
    let case = Case::new(unlimited()).deadline(Duration::ZERO);
    let seen = case.clone().ops([Op::Succeeds]).run();
    assert_eq!((seen.calls(), seen.result), (1, Ok(())));
    let seen = case.run();
    assert_eq!((seen.calls(), seen.sleeps.len(), seen.reason()), (1, 0, Reason::Deadline));
}

#[test]
fn at_08_the_hook_sees_the_attempt_that_failed_and_the_sleep_that_follows() {
    let time = VirtualTime::new();
    let recorder = Recorder::new();
    let mut calls = 0;
    let error = unlimited().initial(ms(100)).max_attempts(4).time(&time).observe(recorder.clone()).wait(|| {
        calls += 1;
        None::<()>
    });
    assert!(error.is_err());
    assert_eq!(calls, 4);
    assert_eq!(recorder.retries(), [(1, ms(100)), (2, ms(200)), (3, ms(400))]);
}
