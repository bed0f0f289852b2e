//! What a run holds of its guards when it ends before the service could answer.

use std::time::Duration;

use backoff_core::event::{GiveUp, Retry};
use backoff_core::guard::{Circuit, CircuitBreaker, Moment, Pacer};
use backoff_core::testing::VirtualTime;
use backoff_core::{CancelToken, ExponentialBackoff, NotYet, Reason};

#[test]
fn a_run_that_is_cancelled_is_no_failure_of_the_service() {
    let (time, breaker, token) = (VirtualTime::new(), CircuitBreaker::new().failures(1), CancelToken::new());
    let error = ExponentialBackoff::new()
        .time(&time)
        .cancel(&token)
        .breaker(&breaker)
        .on_retry(|_: &Retry<'_, &str>| token.cancel())
        .retry(|| Err::<(), _>("down"))
        .unwrap_err();
    assert_eq!((error.reason(), error.attempts(), error.slept()), (Reason::Cancelled, 1, Duration::ZERO));
    let seen = breaker.snapshot(Moment::of(&time));
    assert_eq!((seen.circuit, seen.failures), (Circuit::Closed, 0));
}

#[test]
fn a_run_that_never_begins_has_given_its_probe_back_when_that_is_told() {
    let (time, breaker) = (VirtualTime::new(), CircuitBreaker::new().failures(1));
    let pacer = Pacer::new().interval(Duration::from_secs(60)).burst(1);
    let policy = ExponentialBackoff::new().max_attempts(1);
    let error = policy.time(&time).breaker(&breaker).pacer(&pacer).wait(|| None::<u8>).unwrap_err();
    assert_eq!((error.reason(), error.attempts()), (Reason::Attempts, 1));
    time.pass(Duration::from_secs(10));
    let probes = || breaker.snapshot(Moment::of(&time)).probes;
    let mut told = None;
    let error = policy
        .time(&time)
        .breaker(&breaker)
        .pacer(&pacer)
        .on_give_up(|_: &GiveUp<'_, NotYet>| told = Some(probes()))
        .wait(|| Some(7))
        .unwrap_err();
    assert_eq!((error.reason(), error.attempts(), told), (Reason::Budget, 0, Some(0)));
}
