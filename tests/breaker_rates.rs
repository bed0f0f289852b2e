//! Rates of failure over the last calls: the ring of a breaker beside a list of what ended how.

use std::collections::VecDeque;
use std::time::Duration;

use backoff_core::guard::{Circuit, CircuitBreaker, Moment};

fn now() -> Moment {
    Moment::at(Duration::ZERO)
}

/// Ends a call, and says what the breaker counts then: failures and calls.
fn ends(breaker: &CircuitBreaker, failed: bool) -> (u32, u32) {
    let permit = breaker.admit(now).expect("the circuit is closed");
    if failed {
        permit.failed(now);
    } else {
        permit.succeeded(now);
    }
    let seen = breaker.snapshot(now());
    (seen.failures, seen.calls)
}

#[test]
fn the_ring_counts_as_a_list_of_the_last_calls_does() {
    for size in [1, 2, 3, 63, 64, 65, 127, 128, 129, 255, 256] {
        // So high that it opens only where all of them failed; every third call succeeds, or every second.
        let breaker = CircuitBreaker::new().try_failure_rate(1.0, size).expect("within the limits");
        let mut last = VecDeque::new();
        for call in 0..3 * size + 2 {
            let failed = size > 2 && call % 3 != 0 || size == 2 && call % 2 != 0;
            last.push_back(failed);
            if last.len() > size as usize {
                last.pop_front();
            }
            let failures = last.iter().filter(|failed| **failed).count();
            let (failures, calls) = (u32::try_from(failures).unwrap(), u32::try_from(last.len()).unwrap());
            assert_eq!(ends(&breaker, failed), (failures, calls), "call {call} of a ring of {size}");
        }
    }
}

#[test]
fn a_rate_is_judged_once_there_were_so_many_calls_and_not_before() {
    for size in [1, 2, 3, 256] {
        let breaker = CircuitBreaker::new().try_failure_rate(1.0, size).expect("within the limits");
        for call in 1..size {
            assert_eq!(ends(&breaker, true), (call, call), "ring of {size}");
        }
        assert_eq!(breaker.snapshot(now()).circuit, Circuit::Closed);
        ends(&breaker, true);
        assert_eq!(breaker.snapshot(now()).circuit, Circuit::Open, "ring of {size}");
    }
}
