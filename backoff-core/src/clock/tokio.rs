//! Tokio's timer and clock, which tests can pause.

use std::time::{Duration, Instant};

use super::{AsyncSleep, Clock};

/// Tokio's sleep and clock; both honour `tokio::time::pause`.
///
/// The timer needs a tokio runtime with time enabled. Outside of one, polling the sleep panics; enable the feature
/// `futures-timer` too if a future may run under another executor.
///
/// ```
/// use backoff_core::clock::{AsyncSleep, Tokio};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// Tokio.sleep_async(std::time::Duration::from_micros(1)).await;
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokio;

impl Tokio {
    /// Whether this thread is inside a tokio runtime.
    #[cfg_attr(not(feature = "futures-timer"), expect(dead_code, reason = "only asked if there is another timer"))]
    pub(super) fn is_here() -> bool {
        tokio::runtime::Handle::try_current().is_ok()
    }
}

impl Clock for Tokio {
    type Instant = Instant;

    #[inline]
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    #[inline]
    fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        to.saturating_duration_since(from)
    }
}

impl AsyncSleep for Tokio {
    fn sleep_async(&self, duration: Duration) -> impl Future<Output = ()> {
        assert!(
            tokio::runtime::Handle::try_current().is_ok(),
            "there is no tokio runtime here, so the feature `tokio` of `backoff-core` has no timer: \
             enable its feature `futures-timer` as well, which works under every executor"
        );
        tokio::time::sleep(duration)
    }
}
