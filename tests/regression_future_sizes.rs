//! Functions that retry and call each other: a future must not hold the one it calls several times over, or its size grows
//! by a factor with each level, and a few levels overflow the stack.

use backoff_core::{ExponentialBackoff, exponential_backoff};

/// The size of the future, which is not made: it may be too large for the stack.
fn size<F>(_: impl Fn() -> F) -> usize {
    size_of::<F>()
}

macro_rules! three_levels {
    ($name:ident $(, $attribute:meta)?) => {
        mod $name {
            use backoff_core::exponential_backoff;

            $(#[$attribute])?
            async fn inner() -> Option<u8> {
                let block = [1_u8; 1024];
                std::future::pending::<()>().await;
                Some(block[512])
            }

            $(#[$attribute])?
            async fn middle() -> Option<u8> {
                inner().await
            }

            $(#[$attribute])?
            async fn outer() -> Option<u8> {
                middle().await
            }

            pub(super) fn size() -> usize {
                super::size(outer)
            }
        }
    };
}

three_levels!(bare, exponential_backoff);
three_levels!(propagating, exponential_backoff(propagate));
three_levels!(timed, exponential_backoff(attempt_timeout = "1s"));
three_levels!(both, exponential_backoff(propagate, attempt_timeout = "1s"));
three_levels!(on_a_waiter, exponential_backoff(waiter = backoff_core::ExponentialBackoff::new().waiter()));

#[exponential_backoff]
async fn plain() -> Option<u8> {
    let block = [1_u8; 1024];
    std::future::pending::<()>().await;
    Some(block[512])
}

#[test]
fn annotated_functions_grow_by_what_they_add() {
    let sizes = [bare::size(), propagating::size(), timed::size(), both::size(), on_a_waiter::size()];
    println!("{sizes:?}");
    assert!(sizes.iter().all(|size| *size < 1024 + 3 * 1024), "{sizes:?}");
}

#[test]
fn runs_by_hand_grow_by_what_they_add() {
    let policy = ExponentialBackoff::new();
    let sizes = [
        size(|| policy.retry_async(plain)),
        size(|| policy.retry_async(|| policy.waiter().retry_async(plain))),
        size(|| policy.retry_async(|| policy.waiter().retry_async(|| policy.waiter().retry_async(plain)))),
    ];
    println!("{sizes:?}");
    assert!((1..).zip(sizes).all(|(level, size)| size < 1024 + level * 2 * 1024), "{sizes:?}");
}
