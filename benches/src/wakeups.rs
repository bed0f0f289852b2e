//! How late a run wakes for its second attempt, while a million others do.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use backoff_core::{ExponentialBackoff, exponential_backoff};
use tokio::time::sleep;

use crate::operation::Failure;

/// Long enough that all wait at once.
const WAIT: Duration = Duration::from_secs(5);

/// They begin one after the other, so that they do not wake in one heap: what is asked is the accuracy, not the throughput.
const APART: Duration = Duration::from_micros(4);

thread_local! {
    static LATE: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

/// Milliseconds that so many runs of a candidate were late, in order. None if there is no such candidate.
#[must_use]
pub fn late(candidate: &str, runs: u32) -> Option<Vec<f64>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().ok()?;
    LATE.take();
    runtime.block_on(async {
        let runs: Vec<_> = match candidate {
            "hand-written" => (0..runs).map(|number| tokio::spawn(staggered(number, hand))).collect(),
            "attribute" => (0..runs).map(|number| tokio::spawn(staggered(number, attribute))).collect(),
            "waiter" => (0..runs).map(|number| tokio::spawn(staggered(number, waiter))).collect(),
            _ => return None,
        };
        for run in runs {
            run.await.ok()?;
        }
        let mut late = LATE.take();
        late.sort_by(f64::total_cmp);
        Some(late)
    })
}

async fn staggered<F: Future<Output = ()>>(number: u32, run: impl FnOnce() -> F) {
    sleep(APART * number).await;
    run().await;
}

/// Fails at first, and says when; then tells how much later than that plus the wait it is.
fn attempt(failed: &mut Option<Instant>) -> Result<(), Failure> {
    let now = Instant::now();
    let Some(failed) = *failed else {
        *failed = Some(now);
        return Err(Failure(1));
    };
    let late = (now - failed).as_secs_f64() - WAIT.as_secs_f64();
    LATE.with_borrow_mut(|all| all.push(late * 1e3));
    Ok(())
}

async fn hand() {
    let mut failed = None;
    while attempt(&mut failed).is_err() {
        sleep(WAIT).await;
    }
}

#[exponential_backoff(initial = "5s", max_attempts = 4, budget = "unlimited")]
async fn annotated(failed: &mut Option<Instant>) -> Result<(), Failure> {
    attempt(failed)
}

async fn attribute() {
    let mut failed = None;
    let _ = annotated(&mut failed).await;
}

async fn waiter() {
    let mut failed = None;
    let policy = ExponentialBackoff::new().initial(WAIT).unlimited();
    let _ = policy.retry_async(|| std::future::ready(attempt(&mut failed))).await;
}
