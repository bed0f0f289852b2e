//! Guards under every interleaving of two or three threads. From the root of the repository:
//! `RUSTFLAGS="--cfg loom" cargo test --release --manifest-path interleavings/Cargo.toml`.
#![cfg(loom)]

use std::time::Duration;

use backoff_core::guard::{Circuit, CircuitBreaker, Moment, RetryBudget, RetryQuota, RetryTokens};
use loom::sync::Arc;
use loom::thread;

fn at(seconds: u64) -> impl Fn() -> Moment {
    move || Moment::at(Duration::from_secs(seconds))
}

fn opened(breaker: CircuitBreaker) -> Arc<CircuitBreaker> {
    let breaker = breaker.failures(1);
    breaker.admit(at(0)).unwrap().failed(at(0));
    Arc::new(breaker)
}

#[test]
fn half_open_lets_one_probe_through() {
    loom::model(|| {
        let breaker = opened(CircuitBreaker::new());
        let probe = |breaker: Arc<CircuitBreaker>| move || breaker.admit(at(10)).map(std::mem::forget).is_ok();
        let other = thread::spawn(probe(Arc::clone(&breaker)));
        let admitted = u32::from(probe(Arc::clone(&breaker))()) + u32::from(other.join().unwrap());
        assert_eq!(admitted, 1);
        assert_eq!(breaker.snapshot(at(10)()).probes, 1);
    });
}

#[test]
fn cb_13_a_failure_right_after_closing_is_not_erased() {
    loom::model(|| {
        let breaker = opened(CircuitBreaker::new());
        let probe = breaker.admit(at(10)).unwrap();
        let other = thread::spawn({
            let breaker = Arc::clone(&breaker);
            // Let through only once the circuit is closed: the probe holds the only place until then.
            move || breaker.admit(at(10)).map(|permit| permit.failed(at(10))).is_ok()
        });
        probe.succeeded(at(10));
        let has_failed = other.join().unwrap();
        let seen = breaker.snapshot(at(10)());
        let right = if has_failed { (Circuit::Open, 4) } else { (Circuit::Closed, 3) };
        assert_eq!((seen.circuit, seen.generation), right);
    });
}

#[test]
fn a_dropped_probe_never_wedges_the_circuit() {
    loom::model(|| {
        let breaker = opened(CircuitBreaker::new());
        let other = thread::spawn({
            let breaker = Arc::clone(&breaker);
            move || drop(breaker.admit(at(10)))
        });
        drop(breaker.admit(at(10)));
        other.join().unwrap();
        assert_eq!(breaker.snapshot(at(10)()).probes, 0);
        breaker.admit(at(10)).unwrap().succeeded(at(10));
        assert_eq!(breaker.snapshot(at(10)()).circuit, Circuit::Closed);
    });
}

#[test]
fn results_of_an_old_period_are_ignored_however_they_come() {
    loom::model(|| {
        let breaker = opened(CircuitBreaker::new().probes(2));
        let [first, second] = [true, false].map(|success| {
            let breaker = Arc::clone(&breaker);
            move || {
                // Two threads at once: both are let through, or one comes after the other has decided.
                let Ok(permit) = breaker.admit(at(10)) else { return };
                if success { permit.succeeded(at(11)) } else { permit.failed(at(11)) }
            }
        });
        let other = thread::spawn(first);
        second();
        other.join().unwrap();
        // Opened, half-open, and then closed or open again; closed and failed is open once more.
        let seen = breaker.snapshot(at(11)());
        assert_eq!(seen.probes, 0);
        assert!(matches!((seen.circuit, seen.generation), (Circuit::Open, 3 | 4) | (Circuit::Closed, 3)), "{seen:?}");
    });
}

#[test]
fn tokens_are_neither_lost_nor_made() {
    loom::model(|| {
        let budget = Arc::new(RetryBudget::new().max_tokens(4));
        assert_eq!(budget.snapshot().refused, 0, "made before the threads are");
        let fail = |budget: Arc<RetryBudget>| {
            move || {
                budget.failed(&at(0));
                budget.take(&at(0)).is_some()
            }
        };
        let other = thread::spawn(fail(Arc::clone(&budget)));
        let allowed = u32::from(fail(Arc::clone(&budget))()) + u32::from(other.join().unwrap());
        // The first of the two leaves three of four tokens, the second two, which is no more than half.
        assert!(allowed <= 1);
        assert_eq!(budget.snapshot().thousandths, 2_000);
    });
}

#[test]
fn a_quota_never_lends_more_than_it_has() {
    loom::model(|| {
        let quota = Arc::new(RetryQuota::new().capacity(9));
        assert_eq!(quota.left(), 9, "made before the threads are");
        let take = |quota: Arc<RetryQuota>| move || quota.take(&at(0));
        let other = thread::spawn(take(Arc::clone(&quota)));
        let taken = [take(Arc::clone(&quota))(), other.join().unwrap()];
        assert_eq!(taken.iter().flatten().count(), 1);
        taken.into_iter().flatten().for_each(|taken| quota.give_back(taken));
        assert_eq!(quota.left(), 9);
    });
}
