//! Blocking the thread, on the standard library's monotonic clock.

use std::time::{Duration, Instant};

use super::{Clock, Sleep};

/// The thread's own sleep and [`std::time::Instant`].
///
/// ```
/// use backoff_core::clock::{Sleep, Threads};
/// Threads.sleep(std::time::Duration::from_micros(1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threads;

impl Clock for Threads {
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

impl Sleep for Threads {
    fn sleep(&self, duration: Duration) {
        std::thread::sleep(duration);
    }

    fn sleep_unless(&self, duration: Duration, token: &crate::CancelToken) {
        token.wait(duration);
    }

    fn wakes(&self) -> bool {
        true
    }
}
