//! Events for the `tracing` crate, under the target `backoff`.
//!
//! | level | message | fields |
//! |---|---|---|
//! | debug | `retrying` | `name`, `attempt`, `delay`, `elapsed`, `remaining` |
//! | warn | `gave up` | `name`, `attempts`, `elapsed`, `slept`, `reason`, `hint` |
//! | debug | `rejected` | `name`, `retry_after` |
//! | debug | `succeeded after retries` | `name`, `attempts`, `slept` |
//!
//! `elapsed` is left out by a run that has neither budget nor deadline nor observer, and so no clock. Never the error, an
//! argument or a URL: those may hold secrets, and only the caller knows.

use crate::error::{Reason, Stop};
use crate::event::Success;
use crate::run::Pause;

pub(super) fn retry(name: &'static str, pause: &Pause, timed: bool) {
    tracing::debug!(
        target: "backoff",
        name,
        attempt = pause.attempt,
        delay = ?pause.sleep,
        elapsed = timed.then(|| tracing::field::debug(pause.elapsed)),
        remaining = pause.remaining.map(tracing::field::debug),
        "retrying"
    );
}

pub(super) fn give_up(name: &'static str, stop: &Stop, timed: bool) {
    // An open circuit was told of when it opened; each call that it keeps away would be a flood.
    if stop.reason == Reason::CircuitOpen {
        tracing::debug!(target: "backoff", name, retry_after = stop.hint.map(tracing::field::debug), "rejected");
        return;
    }
    tracing::warn!(
        target: "backoff",
        name,
        attempts = stop.attempts,
        elapsed = timed.then(|| tracing::field::debug(stop.elapsed)),
        slept = ?stop.slept,
        reason = stop.reason.name(),
        hint = stop.hint.map(tracing::field::debug),
        "gave up"
    );
}

/// A success at the first attempt is no news.
pub(super) fn success(success: &Success) {
    if success.attempts > 1 {
        tracing::debug!(
            target: "backoff",
            name = success.name,
            attempts = success.attempts,
            slept = ?success.slept,
            "succeeded after retries"
        );
    }
}
