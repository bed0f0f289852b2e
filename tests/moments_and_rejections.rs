//! What guards tell: moments, and why a run was not let begin.

use std::time::Duration;

use backoff_core::guard::{CircuitBreaker, Moment, Rejected};
use backoff_core::testing::VirtualTime;
use backoff_core::{CancelToken, ExponentialBackoff, Reason};

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn a_moment_prints_its_distance_from_the_origin() {
    let origin = Moment::at(Duration::ZERO);
    assert_eq!(format!("{origin:?}"), "Moment(0ns)");
    assert_eq!(format!("{:?}", origin.after(secs(2))), "Moment(2s)");
    assert_eq!(format!("{:?}", origin.before(Duration::from_millis(1_500))), "Moment(-1.5s)");
}

#[test]
fn what_is_too_far_to_count_is_the_farthest_that_is_not() {
    let farthest = Duration::from_nanos(u64::MAX - (1 << 62));
    let far = Moment::at(farthest);
    assert_eq!(far.since(Moment::at(Duration::ZERO)), farthest);
    // Two to the 64 nanoseconds and five: not five.
    let wraps = Duration::from_nanos(u64::MAX) + Duration::from_nanos(6);
    for too_far in [farthest + Duration::from_nanos(1), wraps, Duration::MAX] {
        assert_eq!(Moment::at(too_far), far, "{too_far:?}");
    }
    assert!(Moment::at(Duration::from_nanos(u64::MAX - (1 << 62) - 1)) < far);
}

/// Why a run with an open circuit was not let begin.
fn rejected() -> Rejected {
    let time = VirtualTime::new();
    let breaker = CircuitBreaker::new().failures(1);
    breaker.admit(|| Moment::of(&time)).expect("it is closed").failed(|| Moment::of(&time));
    time.pass(secs(3));
    let error = ExponentialBackoff::new().time(&time).breaker(&breaker).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (0, Reason::CircuitOpen));
    error.stop().rejection().expect("no attempt was made")
}

#[test]
fn a_rejection_says_why_and_how_long_to_stay_away() {
    let rejected = rejected();
    assert_eq!((rejected.reason(), rejected.retry_after()), (Reason::CircuitOpen, Some(secs(7))));
    let sentence = "no attempt was made: the circuit is open; try again in 7s";
    assert_eq!(rejected.to_string(), sentence);
    assert_eq!(String::from(rejected), sentence);
    let error = std::io::Error::from(rejected);
    assert_eq!((error.kind(), error.to_string().as_str()), (std::io::ErrorKind::ConnectionRefused, sentence));
}

#[test]
fn a_run_with_an_attempt_was_not_rejected() {
    let policy = ExponentialBackoff::new().max_attempts(1);
    let error = policy.time(VirtualTime::new()).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.attempts(), error.stop().rejection()), (1, None));
}

#[test]
fn a_run_that_was_cancelled_before_its_first_attempt_was_not_rejected_either() {
    let token = CancelToken::new();
    token.cancel();
    let waiter = ExponentialBackoff::new().time(VirtualTime::new()).cancel(&token);
    let error = waiter.retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.attempts(), error.reason(), error.stop().rejection()), (0, Reason::Cancelled, None));
}
