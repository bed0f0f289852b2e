//! What every measured program shares: the work that fails twice, and the policies of the peers.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Why an attempt failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Down;

impl fmt::Display for Down {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("down")
    }
}

impl std::error::Error for Down {}

/// What most functions return.
pub type R<T> = Result<T, Down>;

static CALLS: AtomicU32 = AtomicU32::new(0);

/// The work in a blocking function: fails twice, then succeeds with 3. Each call is a line of output, which the harness
/// counts.
pub fn attempt() -> R<u32> {
    let call = CALLS.fetch_add(1, Ordering::SeqCst) + 1;
    println!("call {call}");
    if call < 3 { Err(Down) } else { Ok(call) }
}

/// The same in an async function, where an attempt takes more than one poll.
pub async fn attempt_async() -> R<u32> {
    tokio::task::yield_now().await;
    attempt()
}

/// Runs a future to its end, on a runtime with one worker and a timer.
pub fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap().block_on(future)
}

/// The policy for `backon-macros`, which takes a path to a function.
pub fn quick() -> backon::ConstantBuilder {
    backon::ConstantBuilder::new().with_delay(Duration::from_millis(1)).with_max_times(4)
}

/// The policy for `retry-if`, which takes the name of a constant.
pub const POLICY: retry_if::ExponentialBackoffConfig = retry_if::ExponentialBackoffConfig {
    max_retries: 4,
    t_wait: Duration::from_millis(1),
    backoff: 1.0,
    t_wait_max: None,
    backoff_max: None,
};

/// The predicate for `retry-if` that fits a `Result`.
pub fn failed<T, E>(outcome: &Result<T, E>) -> bool {
    outcome.is_err()
}

/// The predicate for `retry-if` that fits an `Option`.
pub fn missing<T>(outcome: &Option<T>) -> bool {
    outcome.is_none()
}
