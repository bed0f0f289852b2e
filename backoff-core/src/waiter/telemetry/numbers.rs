//! Numbers for the `metrics` facade. See [`crate::metrics`] for what they are called.

use metrics::{counter, histogram};

use crate::error::{Reason, Stop};
use crate::event::Success;
use crate::metrics::{DELAY, RETRIES, RUNS};
use crate::run::Pause;

pub(super) fn retry(name: &'static str, pause: &Pause) {
    counter!(RETRIES, "name" => name).increment(1);
    histogram!(DELAY, "name" => name).record(pause.sleep.as_secs_f64());
}

pub(super) fn give_up(name: &'static str, stop: &Stop) {
    counter!(RUNS, "name" => name, "outcome" => outcome(stop.reason)).increment(1);
}

pub(super) fn success(success: &Success) {
    let outcome = if success.attempts == 1 { "first_try" } else { "after_retries" };
    counter!(RUNS, "name" => success.name, "outcome" => outcome).increment(1);
}

/// One word for each way to end without success: what needs an operator begins with `exhausted`.
const fn outcome(reason: Reason) -> &'static str {
    match reason {
        Reason::NotRetryable => "permanent",
        Reason::Cancelled => "cancelled",
        Reason::CircuitOpen => "circuit_open",
        Reason::Attempts => "exhausted_attempts",
        Reason::Budget => "exhausted_budget",
        Reason::Deadline => "exhausted_deadline",
        Reason::Hint => "exhausted_hint",
        Reason::RetryBudget => "exhausted_retry_budget",
        Reason::RetryQueue => "exhausted_retry_queue",
    }
}
