//! How large the future of an annotated function is, beside a loop by hand that keeps the same promises
//! and sleeps on the same timer.

use std::time::Duration;

use backoff_core::clock::{AsyncSleep as _, AsyncTime as _, System};
use backoff_core::{ExponentialBackoff, Waiter, exponential_backoff};

type R<T> = Result<T, &'static str>;

/// An operation whose future holds that many bytes across an await.
async fn operation<const N: usize>() -> R<u8> {
    let block = [1_u8; N];
    std::future::pending::<()>().await;
    Ok(block[N / 2])
}

#[exponential_backoff(initial = "100ms", max_attempts = 5, jitter = "full")]
async fn annotated<const N: usize>() -> R<u8> {
    operation::<N>().await
}

/// A total budget, a limit of attempts, growth and jitter.
async fn by_hand<const N: usize>() -> R<u8> {
    let start = std::time::Instant::now();
    let mut attempt = 0_u32;
    loop {
        let error = match operation::<N>().await {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        attempt += 1;
        let left = Duration::from_millis(3_500).saturating_sub(start.elapsed());
        if attempt == 5 || left.is_zero() {
            return Err(error);
        }
        let delay = Duration::from_millis(100) * 2_u32.pow(attempt - 1);
        System.asynchronous().sleep_async(delay.min(left)).await;
    }
}

#[test]
fn no_larger_than_a_loop_by_hand() {
    let sizes = [
        (size_of_val(&annotated::<8>()), size_of_val(&by_hand::<8>())),
        (size_of_val(&annotated::<88>()), size_of_val(&by_hand::<88>())),
        (size_of_val(&annotated::<1024>()), size_of_val(&by_hand::<1024>())),
    ];
    println!("{sizes:?}");
    for (annotated, by_hand) in sizes {
        assert!(annotated <= by_hand, "{annotated} bytes, by hand {by_hand}");
    }
}

#[test]
fn at_most_72_bytes_and_the_policy_more_for_waiters_and_their_loops() {
    async fn looped() -> R<u8> {
        let mut run = ExponentialBackoff::new().start();
        loop {
            match operation::<8>().await {
                Ok(value) => return Ok(value),
                Err(error) => run.backoff(error).await.map_err(|error| error.into_last().unwrap_or_default())?,
            }
        }
    }
    let waited = ExponentialBackoff::new().retry_async(operation::<8>);
    let sizes = [size_of_val(&waited), size_of_val(&looped())].map(|size| size - size_of::<Waiter>());
    let by_hand = size_of_val(&by_hand::<8>());
    println!("{sizes:?}, {by_hand}");
    assert!(sizes.iter().all(|size| *size <= by_hand + 72), "{sizes:?}, by hand {by_hand}");
}
