//! How large futures are, for operations of 8, 88 and 1,024 bytes.

use std::pin::Pin;
use std::task::{Context, Poll};

use backoff_core::{ExponentialBackoff, exponential_backoff};
use backon::Retryable as _;
use tokio::time::sleep;

use crate::operation::{ATTEMPTS, CAP, Failure, INITIAL};

/// An operation's future of so many bytes, which live until it is done.
struct Operation<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Future for Operation<BYTES> {
    type Output = Result<u64, Failure>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        std::hint::black_box(&self.0);
        Poll::Pending
    }
}

fn operation<const BYTES: usize>() -> Operation<BYTES> {
    Operation([0; BYTES])
}

async fn hand<const BYTES: usize>() -> Result<u64, Failure> {
    let mut delay = INITIAL;
    let mut attempt = 1;
    loop {
        match operation::<BYTES>().await {
            Ok(value) => return Ok(value),
            Err(failure) if attempt >= ATTEMPTS => return Err(failure),
            Err(_) => {}
        }
        sleep(delay.mul_f64(fastrand::f64())).await;
        delay = delay.saturating_mul(2).min(CAP);
        attempt += 1;
    }
}

#[exponential_backoff(initial = "200ms", max_delay = "10s", budget = "unlimited", max_attempts = 4, jitter = "full")]
async fn attribute<const BYTES: usize>() -> Result<u64, Failure> {
    operation::<BYTES>().await
}

#[exponential_backoff(initial = "200ms", budget = "3.5s")]
async fn attribute_budget<const BYTES: usize>() -> Result<u64, Failure> {
    operation::<BYTES>().await
}

async fn by_hand<const BYTES: usize>() -> Result<u64, backoff_core::RetryError<Failure>> {
    let mut run = ExponentialBackoff::new().start();
    loop {
        match operation::<BYTES>().await {
            Ok(value) => return Ok(value),
            Err(failure) => run.backoff(failure).await?,
        }
    }
}

fn of<const BYTES: usize>() -> Vec<(String, usize)> {
    let waiter = ExponentialBackoff::new().retry_async(operation::<BYTES>);
    let tryhard = async { tryhard::retry_fn(operation::<BYTES>).retries(3).exponential_backoff(INITIAL).await };
    let backon = async { operation::<BYTES>.retry(backon::ExponentialBuilder::default()).sleep(sleep).await };
    let backoff = async {
        let attempt = || async { operation::<BYTES>().await.map_err(backoff::Error::transient) };
        backoff::future::retry(backoff::ExponentialBackoff::default(), attempt).await
    };
    let strategy = tokio_retry2::strategy::ExponentialFactorBackoff::from_millis(200, 2.0).take(3);
    let tokio_retry2 = tokio_retry2::Retry::spawn(strategy, || async {
        Ok::<u64, tokio_retry2::RetryError<Failure>>(operation::<BYTES>().await?)
    });
    [
        ("hand-written", size_of_val(&hand::<BYTES>())),
        ("attribute", size_of_val(&attribute::<BYTES>())),
        ("attribute, budget", size_of_val(&attribute_budget::<BYTES>())),
        ("waiter", size_of_val(&waiter)),
        ("by hand", size_of_val(&by_hand::<BYTES>())),
        ("tryhard", size_of_val(&tryhard)),
        ("tokio-retry2", size_of_val(&tokio_retry2)),
        ("backon", size_of_val(&backon)),
        ("backoff", size_of_val(&backoff)),
    ]
    .into_iter()
    .map(|(name, bytes)| (format!("{name}/{BYTES}"), bytes))
    .collect()
}

/// Each candidate with each size.
#[must_use]
pub fn all() -> Vec<(String, usize)> {
    [of::<8>(), of::<88>(), of::<1_024>()].concat()
}
