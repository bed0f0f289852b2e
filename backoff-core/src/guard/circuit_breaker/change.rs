//! Telling of a change of the circuit.

use core::time::Duration;

use super::Circuit;
use crate::guard::Moment;

/// A circuit changed.
///
/// With the feature `tracing` it is also an event under the target `backoff`, `circuit changed`, with the fields `name`,
/// `from` and `to`: at warn level when it opens, else at debug. With the feature `metrics` it is counted, see
/// [`backoff_circuit_changes_total`](crate::metrics).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CircuitChange {
    /// The name of the breaker; empty if it has none.
    pub name: &'static str,
    /// What it was.
    pub from: Circuit,
    /// What it is.
    pub to: Circuit,
    /// When.
    pub at: Moment,
    /// How long it rests when it opens.
    pub open_for: Duration,
}

impl Circuit {
    /// The name for logs and metrics, in snake case.
    ///
    /// ```
    /// assert_eq!(backoff_core::guard::Circuit::HalfOpen.name(), "half_open");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
        }
    }
}

pub(super) fn tell(change: &CircuitChange, hook: Option<fn(&CircuitChange)>) {
    #[cfg(feature = "tracing")]
    if change.to == Circuit::Open {
        tracing::warn!(target: "backoff", name = change.name, from = change.from.name(), to = "open", "circuit changed");
    } else {
        tracing::debug!(target: "backoff", name = change.name, from = change.from.name(), to = change.to.name(), "circuit changed");
    }
    #[cfg(feature = "metrics")]
    if crate::metrics::is_reporting() {
        metrics::counter!(crate::metrics::CIRCUIT_CHANGES, "name" => change.name, "to" => change.to.name())
            .increment(1);
    }
    if let Some(hook) = hook {
        hook(change);
    }
}
