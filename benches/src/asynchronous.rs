//! Async functions whose first attempt succeeds.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use backoff_core::{ExponentialBackoff, Jitter, exponential_backoff};
use backon::Retryable as _;
use tokio::time::sleep;
use tokio_retry2::strategy::{ExponentialFactorBackoff, jitter};

use crate::Scenario;
use crate::operation::{ATTEMPTS, CAP, Failure, INITIAL, INITIAL_NANOS, grown, jittered, small};

pub(crate) const SCENARIOS: &[Scenario] = &[
    ("async, 8 bytes/bare call", repeat!(state: 0 => polled_bare(&mut state))),
    ("async, 8 bytes/hand-written", repeat!(state: 0 => polled_hand(&mut state))),
    ("async, 8 bytes/attribute", repeat!(state: 0 => polled_attribute(&mut state))),
    ("async, 8 bytes/waiter", repeat!(state: 0 => polled_waiter(&mut state))),
    ("async, 8 bytes/by hand", repeat!(state: 0 => polled_by_hand(&mut state))),
    ("async, 8 bytes/tokio-retry2", repeat!(state: 0 => polled_tokio_retry2(&mut state))),
    ("async, 8 bytes/tryhard", repeat!(state: 0 => polled_tryhard(&mut state))),
    ("async, 8 bytes/backon", repeat!(state: 0 => polled_backon(&mut state))),
    ("async, 8 bytes/backon-macros", repeat!(state: 0 => polled_backon_macros(&mut state))),
    ("async, 8 bytes/backoff", repeat!(state: 0 => polled_backoff(&mut state))),
];

/// Polls a future that is ready at once.
#[inline]
pub(crate) fn poll_once<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("nothing waits"),
    }
}

macro_rules! polled {
    ($($name:ident: $output:ty = $future:expr;)+) => {$(
        #[inline]
        fn $name(state: &mut u64) -> $output {
            poll_once($future(state))
        }
    )+};
}

polled! {
    polled_bare: Result<u64, Failure> = bare;
    polled_hand: Result<u64, Failure> = hand;
    polled_attribute: Result<u64, Failure> = attribute;
    polled_waiter: Result<u64, backoff_core::RetryError<Failure>> = waiter;
    polled_by_hand: Result<u64, backoff_core::RetryError<Failure>> = by_hand;
    polled_tokio_retry2: Result<u64, Failure> = with_tokio_retry2;
    polled_tryhard: Result<u64, Failure> = with_tryhard;
    polled_backon: Result<u64, Failure> = with_backon;
    polled_backon_macros: Result<u64, Failure> = with_backon_macros;
    polled_backoff: Result<u64, Failure> = with_backoff;
}

async fn bare(state: &mut u64) -> Result<u64, Failure> {
    small(state)
}

/// Bounded attempts, a cap, full jitter under it, and the failure dropped before the sleep.
async fn hand(state: &mut u64) -> Result<u64, Failure> {
    let mut delay = INITIAL_NANOS;
    let mut attempt = 1;
    loop {
        match bare(state).await {
            Ok(value) => return Ok(value),
            Err(failure) if attempt >= ATTEMPTS => return Err(failure),
            Err(_) => {}
        }
        sleep(jittered(delay)).await;
        delay = grown(delay);
        attempt += 1;
    }
}

#[exponential_backoff(initial = "200ms", max_delay = "10s", budget = "unlimited", max_attempts = 4, jitter = "full")]
async fn attribute(state: &mut u64) -> Result<u64, Failure> {
    bare(state).await
}

const BOUNDED: ExponentialBackoff =
    ExponentialBackoff::new().initial(INITIAL).max_delay(CAP).unlimited().max_attempts(ATTEMPTS).jitter(Jitter::Full);

/// A closure that returns a future can't lend it the state that it borrows mutably.
async fn waiter(state: &mut u64) -> Result<u64, backoff_core::RetryError<Failure>> {
    let cell = std::cell::Cell::from_mut(state);
    BOUNDED.retry_async(|| shared(cell)).await
}

async fn shared(state: &std::cell::Cell<u64>) -> Result<u64, Failure> {
    let mut number = state.get();
    let result = small(&mut number);
    state.set(number);
    result
}

async fn by_hand(state: &mut u64) -> Result<u64, backoff_core::RetryError<Failure>> {
    let mut run = BOUNDED.start();
    loop {
        match bare(state).await {
            Ok(value) => return Ok(value),
            Err(failure) => run.backoff(failure).await?,
        }
    }
}

async fn with_tokio_retry2(state: &mut u64) -> Result<u64, Failure> {
    let cell = std::cell::Cell::from_mut(state);
    let strategy = ExponentialFactorBackoff::from_millis(200, 2.0).max_delay(CAP).map(jitter).take(3);
    let action = || async { Ok(shared(cell).await?) };
    tokio_retry2::Retry::spawn(strategy, action).await
}

async fn with_tryhard(state: &mut u64) -> Result<u64, Failure> {
    let cell = std::cell::Cell::from_mut(state);
    tryhard::retry_fn(|| shared(cell)).retries(3).exponential_backoff(INITIAL).max_delay(CAP).await
}

fn exponential() -> backon::ExponentialBuilder {
    backon::ExponentialBuilder::default().with_min_delay(INITIAL).with_max_delay(CAP).with_max_times(3).with_jitter()
}

async fn with_backon(state: &mut u64) -> Result<u64, Failure> {
    let cell = std::cell::Cell::from_mut(state);
    (|| shared(cell)).retry(exponential()).sleep(sleep).await
}

async fn with_backon_macros(state: &mut u64) -> Result<u64, Failure> {
    through_backon_macros(std::cell::Cell::from_mut(state)).await
}

#[backon_macros::backon(backoff = exponential, sleep = sleep)]
async fn through_backon_macros(state: &std::cell::Cell<u64>) -> Result<u64, Failure> {
    shared(state).await
}

async fn with_backoff(state: &mut u64) -> Result<u64, Failure> {
    let cell = std::cell::Cell::from_mut(state);
    let policy = backoff::ExponentialBackoff { max_elapsed_time: None, ..backoff::ExponentialBackoff::default() };
    backoff::future::retry(policy, || async { shared(cell).await.map_err(backoff::Error::transient) }).await
}
