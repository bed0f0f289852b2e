//! What a run tells the outside by itself, if a feature asks for it: events for `tracing`, numbers for `metrics`.

#[cfg(feature = "tracing")]
mod events;
#[cfg(feature = "metrics")]
mod numbers;

use crate::error::Stop;
use crate::event::Success;
use crate::run::Pause;

/// The sleep after a failure. A run that is not timed does not know how long it took.
#[inline]
pub(super) fn retry(name: &'static str, pause: &Pause, timed: bool) {
    #[cfg(feature = "tracing")]
    events::retry(name, pause, timed);
    #[cfg(feature = "metrics")]
    if crate::metrics::is_reporting() {
        numbers::retry(name, pause);
    }
    let _ = (name, pause, timed);
}

/// The end of a run without success.
#[inline]
pub(super) fn give_up(name: &'static str, stop: &Stop, timed: bool) {
    #[cfg(feature = "tracing")]
    events::give_up(name, stop, timed);
    #[cfg(feature = "metrics")]
    if crate::metrics::is_reporting() {
        numbers::give_up(name, stop);
    }
    let _ = (name, stop, timed);
}

/// The end of a run with a success.
#[inline]
pub(super) fn success(success: &Success) {
    #[cfg(feature = "tracing")]
    events::success(success);
    #[cfg(feature = "metrics")]
    if crate::metrics::is_reporting() {
        numbers::success(success);
    }
    let _ = success;
}
