//! NE: runs inside of runs.

mod support;

use std::cell::Cell;

use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason};
use support::{all_ms, block_on, ms, secs, unlimited};

/// How often the operation is called if one run calls another. (A retry budget that both share would limit the
/// product; there is none here.)
fn calls(outer: u32, inner: u32) -> u32 {
    let time = VirtualTime::new();
    let calls = Cell::new(0);
    let result = unlimited().max_attempts(outer).time(&time).retry(|| {
        unlimited().max_attempts(inner).time(&time).retry(|| {
            calls.set(calls.get() + 1);
            Err::<(), _>("down")
        })
    });
    let error = result.expect_err("it never succeeds");
    assert_eq!(error.attempts(), outer);
    let last = error.into_last().expect("the error of the inner run");
    assert_eq!((last.reason(), last.attempts(), last.last()), (Reason::Attempts, inner, Some(&"down")));
    calls.get()
}

#[test]
fn ne_01_stacked_retries_multiply() {
    assert_eq!(calls(4, 3), 12);
    assert_eq!(calls(4, 1), 4, "unless the inner run makes one attempt");
}

#[test]
fn an_inner_run_ends_with_the_outer_one_without_being_told() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let inner = |reasons: &mut Vec<_>| {
        let error = ExponentialBackoff::new().budget(secs(60)).initial(ms(400)).wait(|| None::<()>).unwrap_err();
        reasons.push((error.reason(), error.elapsed()));
        Err::<(), _>(error)
    };
    let mut reasons = Vec::new();
    let outer = ExponentialBackoff::new().budget(secs(1)).waiter().propagate();
    assert!(outer.retry(|| inner(&mut reasons)).is_err());
    assert_eq!(reasons, [(Reason::Deadline, secs(1))]);
    assert_eq!(time.sleeps(), all_ms([400, 600]));

    // Without `propagate` it does not know.
    reasons.clear();
    assert!(ExponentialBackoff::new().budget(secs(1)).retry(|| inner(&mut reasons)).is_err());
    assert_eq!(reasons, [(Reason::Budget, secs(60))]);
}

#[test]
fn an_inner_future_ends_with_the_outer_one_without_being_told() {
    let time = VirtualTime::new();
    let outer = ExponentialBackoff::new().budget(secs(1)).waiter().propagate();
    let error = block_on(time.scope(outer.retry_async(async || {
        ExponentialBackoff::new().budget(secs(60)).initial(ms(400)).wait_async(async || None::<()>).await
    })));
    let inner = error.expect_err("it never succeeds").into_last().expect("the error of the inner run");
    assert_eq!((inner.reason(), inner.elapsed()), (Reason::Deadline, secs(1)));
    assert_eq!(time.sleeps(), all_ms([400, 600]));
}
