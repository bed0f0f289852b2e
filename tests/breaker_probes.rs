//! The places of probes: who has one, until when, and whose it is when it comes back late.

use std::time::Duration;

use backoff_core::guard::{Circuit, CircuitBreaker, Moment, Permit};

fn at(millis: u64) -> impl Fn() -> Moment {
    move || Moment::at(Duration::from_millis(millis))
}

fn admitted(breaker: &CircuitBreaker, millis: u64) -> Permit<'_> {
    breaker.admit(at(millis)).expect("the circuit lets it through")
}

fn rejected(breaker: &CircuitBreaker, millis: u64) -> Option<Duration> {
    breaker.admit(at(millis)).expect_err("the circuit does not let it through").retry_after()
}

/// Open since zero, for ten seconds; a probe is lost after twenty.
fn opened() -> CircuitBreaker {
    let breaker = CircuitBreaker::new().failures(1).probe_timeout(Duration::from_secs(20));
    admitted(&breaker, 0).failed(at(0));
    breaker
}

#[test]
fn only_a_call_through_a_half_open_circuit_is_a_probe() {
    let breaker = opened();
    assert!(!admitted(&CircuitBreaker::new(), 0).is_probe());
    assert!(admitted(&breaker, 10_000).is_probe());
    admitted(&breaker, 10_000).succeeded(at(10_000));
    assert!(!admitted(&breaker, 10_000).is_probe());
}

#[test]
fn a_rest_and_a_probe_end_to_the_nanosecond() {
    let breaker = opened();
    assert_eq!(rejected(&breaker, 9_999), Some(Duration::from_millis(1)));
    let probe = admitted(&breaker, 10_000);
    assert_eq!(rejected(&breaker, 29_999), Some(Duration::from_millis(1)));
    assert!(admitted(&breaker, 30_000).is_probe(), "the first is lost");
    drop(probe);
}

#[test]
fn a_lost_probe_that_is_dropped_late_frees_no_place_of_another() {
    let breaker = opened();
    let lost = admitted(&breaker, 10_000);
    let probe = admitted(&breaker, 30_000);
    drop(lost);
    let seen = breaker.snapshot(at(30_000)());
    assert_eq!((seen.circuit, seen.probes), (Circuit::HalfOpen, 1));
    assert_eq!(rejected(&breaker, 30_000), Some(Duration::from_secs(20)));
    drop(probe);
    assert_eq!(breaker.snapshot(at(30_000)()).probes, 0);
}

#[test]
fn a_lost_probe_is_lost_in_time_though_the_clock_has_stepped_back() {
    let breaker = opened();
    let lost = admitted(&breaker, 70_000);
    assert_eq!(rejected(&breaker, 10_000), Some(Duration::from_secs(20)));
    assert_eq!(rejected(&breaker, 29_999), Some(Duration::from_millis(1)));
    assert!(admitted(&breaker, 30_000).is_probe());
    drop(lost);
}
