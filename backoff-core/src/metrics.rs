//! The numbers that every run reports to the recorder of the `metrics` crate that the program has installed.
//!
//! | name | kind | labels | meaning |
//! |---|---|---|---|
//! | [`backoff_runs_total`](RUNS) | counter | `name`, `outcome` | runs that have ended |
//! | [`backoff_retries_total`](RETRIES) | counter | `name` | attempts after the first |
//! | [`backoff_delay_seconds`](DELAY) | histogram | `name` | the sleep before each retry |
//! | [`backoff_circuit_changes_total`](CIRCUIT_CHANGES) | counter | `name`, `to` | changes of circuit breakers |
//!
//! `name` is the name of the operation: the path of an annotated function, or what `name` says, and empty for a waiter
//! without one. `outcome` is `first_try`, `after_retries`, `permanent`, `cancelled`, `circuit_open`, or `exhausted_` and the
//! reason: `attempts`, `budget`, `deadline`, `hint`, `retry_budget`, `retry_queue`. A loop that is written by hand reports a
//! success only when it is told of one, by `succeed`.
//!
//! Reporting begins with [`report`]. Before that, a run costs one relaxed load more and allocates nothing; after it, each
//! report looks a counter up by its labels, which allocates.

use std::sync::atomic::{AtomicBool, Ordering};

use metrics::{Unit, describe_counter, describe_histogram};

/// Runs that have ended, by `outcome`.
pub const RUNS: &str = "backoff_runs_total";
/// Attempts after the first.
pub const RETRIES: &str = "backoff_retries_total";
/// The sleep before each retry, in seconds.
pub const DELAY: &str = "backoff_delay_seconds";
/// Changes of circuit breakers, by what the circuit became: `open`, `half_open` or `closed`.
pub const CIRCUIT_CHANGES: &str = "backoff_circuit_changes_total";

static REPORTING: AtomicBool = AtomicBool::new(false);

/// Begins to report: tells the recorder the unit and the meaning of every number, and lets every run report from now on.
/// Call it once, after the recorder is installed.
///
/// ```
/// backoff_core::metrics::report();
/// ```
pub fn report() {
    describe_counter!(RUNS, Unit::Count, "Runs that have ended, by outcome.");
    describe_counter!(RETRIES, Unit::Count, "Attempts after the first.");
    describe_histogram!(DELAY, Unit::Seconds, "The sleep before each retry.");
    describe_counter!(CIRCUIT_CHANGES, Unit::Count, "Changes of circuit breakers, by what the circuit became.");
    REPORTING.store(true, Ordering::Relaxed);
}

#[inline]
pub(crate) fn is_reporting() -> bool {
    REPORTING.load(Ordering::Relaxed)
}
