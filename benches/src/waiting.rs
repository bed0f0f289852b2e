//! A run that waits for its second attempt.

use std::pin::Pin;
use std::time::Duration;

use backoff_core::{ExponentialBackoff, exponential_backoff};
use backon::Retryable as _;
use tokio::time::sleep;

use crate::operation::{ATTEMPTS, CAP, Failure, INITIAL};

type Run = Pin<Box<dyn Future<Output = Result<u64, Failure>>>>;

/// A run of that candidate, if there is such.
#[must_use]
pub fn run(candidate: &str) -> Option<Run> {
    let run: Run = match candidate {
        "hand-written" => Box::pin(hand()),
        "attribute" => Box::pin(attribute()),
        "attribute, budget" => Box::pin(attribute_budget()),
        "waiter" => Box::pin(waiter()),
        "backon" => Box::pin(with_backon()),
        "tokio-retry2" => Box::pin(with_tokio_retry2()),
        "backoff" => Box::pin(with_backoff()),
        _ => return None,
    };
    Some(run)
}

async fn down() -> Result<u64, Failure> {
    Err(Failure(1))
}

async fn hand() -> Result<u64, Failure> {
    let mut delay = INITIAL;
    let mut attempt = 1;
    loop {
        match down().await {
            Ok(value) => return Ok(value),
            Err(failure) if attempt >= ATTEMPTS => return Err(failure),
            Err(_) => {}
        }
        sleep(delay).await;
        delay = delay.saturating_mul(2).min(CAP);
        attempt += 1;
    }
}

#[exponential_backoff(initial = "200s", max_delay = "300s", budget = "unlimited", max_attempts = 4)]
async fn attribute() -> Result<u64, Failure> {
    down().await
}

#[exponential_backoff(initial = "200s", budget = "3500s")]
async fn attribute_budget() -> Result<u64, Failure> {
    down().await
}

async fn waiter() -> Result<u64, Failure> {
    let policy = ExponentialBackoff::new().initial(Duration::from_secs(200)).unlimited();
    policy.retry_async(down).await.map_err(|_| Failure(1))
}

async fn with_backon() -> Result<u64, Failure> {
    down.retry(backon::ExponentialBuilder::default()).sleep(sleep).await
}

async fn with_tokio_retry2() -> Result<u64, Failure> {
    let strategy = tokio_retry2::strategy::ExponentialFactorBackoff::from_millis(200, 2.0).take(3);
    tokio_retry2::Retry::spawn(strategy, || async { Ok(down().await?) }).await
}

async fn with_backoff() -> Result<u64, Failure> {
    let attempt = || async { down().await.map_err(backoff::Error::transient) };
    backoff::future::retry(backoff::ExponentialBackoff::default(), attempt).await
}
