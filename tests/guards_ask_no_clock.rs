//! Where a guard has nothing to decide it asks no clock: the price of a call that nothing is wrong with.

use std::cell::Cell;
use std::time::Duration;

use backoff_core::guard::{Circuit, CircuitBreaker, Moment};

/// A clock that stands at `seconds`, and counts how often it is read.
fn clock(reads: &Cell<u32>, seconds: u64) -> impl Fn() -> Moment {
    move || {
        reads.set(reads.get() + 1);
        Moment::at(Duration::from_secs(seconds))
    }
}

/// How often a call reads the clock: when it is let through, and when it has succeeded.
fn reads_of_a_success(breaker: &CircuitBreaker, seconds: u64) -> (u32, u32) {
    let (admitted, settled) = (Cell::new(0), Cell::new(0));
    let permit = breaker.admit(clock(&admitted, seconds)).expect("the circuit lets it through");
    permit.succeeded(clock(&settled, seconds));
    (admitted.get(), settled.get())
}

fn fails(breaker: &CircuitBreaker, seconds: u64) {
    let reads = Cell::new(0);
    let permit = breaker.admit(clock(&reads, seconds)).expect("the circuit lets it through");
    permit.failed(clock(&reads, seconds));
    assert_eq!(reads.get(), 1, "for the failure");
}

#[test]
fn a_success_through_a_closed_circuit_reads_no_clock() {
    let breaker = CircuitBreaker::new();
    assert_eq!(reads_of_a_success(&breaker, 1), (0, 0));
    fails(&breaker, 1);
    assert_eq!(reads_of_a_success(&breaker, 1), (0, 1), "it ends a row of failures");
    assert_eq!(reads_of_a_success(&breaker, 1), (0, 0));
}

#[test]
fn nor_does_one_through_a_circuit_that_has_closed_again() {
    let breaker = CircuitBreaker::new().failures(1);
    for period in 1..4 {
        fails(&breaker, 100 * period);
        assert_eq!(reads_of_a_success(&breaker, 100 * period + 10), (1, 1), "a probe");
        let seen = breaker.snapshot(Moment::at(Duration::from_secs(100 * period + 10)));
        assert_eq!((u64::from(seen.generation), seen.circuit), (3 * period, Circuit::Closed));
        assert_eq!(reads_of_a_success(&breaker, 100 * period + 10), (0, 0), "period {period}");
    }
}

#[test]
fn shares_have_to_count_every_success() {
    for breaker in [
        CircuitBreaker::new().failure_rate(0.5, 4),
        CircuitBreaker::new().failure_rate_within(0.5, Duration::from_secs(10), 4),
    ] {
        for calls in 1..=4 {
            assert_eq!(reads_of_a_success(&breaker, 1), (0, 1));
            assert_eq!(breaker.snapshot(Moment::at(Duration::from_secs(1))).calls, calls);
        }
    }
}
