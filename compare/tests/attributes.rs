//! Bodies that leave by `?` and by `return`: each attribute retries them.

use std::cell::Cell;
use std::num::ParseIntError;

use backoff_compare::ms;

const RETRY_IF: retry_if::ExponentialBackoffConfig = retry_if::ExponentialBackoffConfig {
    max_retries: 3,
    t_wait: ms(1_000),
    backoff: 2.0,
    t_wait_max: None,
    backoff_max: None,
};

fn failed(outcome: &Result<u32, ParseIntError>) -> bool {
    outcome.is_err()
}

#[backoff_core::exponential_backoff(max_attempts = 4)]
async fn ours(calls: &Cell<u32>, text: &str) -> Result<u32, ParseIntError> {
    calls.set(calls.get() + 1);
    if calls.get() == 3 {
        return Ok(3);
    }
    let number = text.parse::<u32>()?;
    Ok(number)
}

#[backon_macros::backon(sleep = tokio::time::sleep)]
async fn backon(calls: &Cell<u32>, text: &str) -> Result<u32, ParseIntError> {
    calls.set(calls.get() + 1);
    if calls.get() == 3 {
        return Ok(3);
    }
    let number = text.parse::<u32>()?;
    Ok(number)
}

#[retry_if::retry(RETRY_IF, failed)]
async fn retry_if(calls: &Cell<u32>, text: &str) -> Result<u32, ParseIntError> {
    calls.set(calls.get() + 1);
    if calls.get() == 3 {
        return Ok(3);
    }
    let number = text.parse::<u32>()?;
    Ok(number)
}

#[tokio::test(start_paused = true)]
async fn question_marks_and_returns_are_retried() {
    let calls = Cell::new(0);
    assert_eq!(ours(&calls, "x").await, Ok(3));
    calls.set(0);
    assert_eq!(backon(&calls, "x").await, Ok(3));
    calls.set(0);
    assert_eq!(retry_if(&calls, "x").await, Ok(3));
    assert_eq!(calls.get(), 3);
}
