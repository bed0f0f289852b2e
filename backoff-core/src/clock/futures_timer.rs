//! A timer for every executor.

use std::time::{Duration, Instant};

use super::{AsyncSleep, Clock};

/// The longest sleep that is handed to the timer at once; it adds it to the present, which must not overflow.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3_600);

/// A sleep that works under every executor: the `futures-timer` crate keeps one thread for all of them.
///
/// ```
/// use backoff_core::clock::{AsyncSleep, FuturesTimer};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// FuturesTimer.sleep_async(std::time::Duration::from_micros(1)).await;
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FuturesTimer;

impl Clock for FuturesTimer {
    type Instant = Instant;

    #[inline]
    fn now(&self) -> Instant {
        Instant::now()
    }

    #[inline]
    fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        to.saturating_duration_since(from)
    }
}

impl AsyncSleep for FuturesTimer {
    async fn sleep_async(&self, duration: Duration) {
        for piece in super::chained::pieces(duration, LONGEST) {
            futures_timer::Delay::new(piece).await;
        }
    }
}
