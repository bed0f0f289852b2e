//! Long sleeps on timers that have a limit.

use core::time::Duration;

use super::{AsyncSleep, Cancellation, Clock, Sleep};

/// Divides each sleep into pieces of at most `longest`, for timers that can't count further: the 32-bit milliseconds of
/// a browser, say, which take anything longer for "at once".
///
/// ```
/// use backoff_core::clock::{Chained, Sleep};
/// use backoff_core::testing::VirtualTime;
/// use std::time::Duration;
///
/// let time = VirtualTime::new();
/// Chained::new(&time, Duration::from_secs(2)).sleep(Duration::from_secs(5));
/// assert_eq!(time.sleeps(), [2, 2, 1].map(Duration::from_secs));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chained<C> {
    inner: C,
    longest: Duration,
}

impl<C> Chained<C> {
    /// Wraps a timer that can sleep for `longest` at a time. Zero is taken for a nanosecond.
    ///
    /// ```
    /// use backoff_core::clock::{Chained, Threads};
    /// let browser = Chained::new(Threads, std::time::Duration::from_millis(2_147_483_647));
    /// ```
    pub const fn new(inner: C, longest: Duration) -> Self {
        let longest = if longest.is_zero() { Duration::from_nanos(1) } else { longest };
        Self { inner, longest }
    }
}

/// The pieces of a sleep: whole ones, then the rest.
pub(super) fn pieces(duration: Duration, longest: Duration) -> impl Iterator<Item = Duration> {
    let mut left = duration;
    core::iter::from_fn(move || {
        let piece = left.min(longest);
        left -= piece;
        (!piece.is_zero()).then_some(piece)
    })
}

impl<C: Clock> Clock for Chained<C> {
    type Instant = C::Instant;

    fn now(&self) -> C::Instant {
        self.inner.now()
    }

    fn elapsed(&self, from: C::Instant, to: C::Instant) -> Duration {
        self.inner.elapsed(from, to)
    }
}

impl<C: Sleep> Sleep for Chained<C> {
    fn sleep(&self, duration: Duration) {
        pieces(duration, self.longest)
            .take_while(|_| self.inner.cancellation() != Cancellation::Cancelled)
            .for_each(|piece| self.inner.sleep(piece));
    }

    #[cfg(feature = "std")]
    fn sleep_unless(&self, duration: Duration, token: &crate::CancelToken) {
        pieces(duration, self.longest)
            .take_while(|_| !token.is_cancelled() && self.inner.cancellation() != Cancellation::Cancelled)
            .for_each(|piece| self.inner.sleep_unless(piece, token));
    }

    #[cfg(feature = "std")]
    fn wakes(&self) -> bool {
        self.inner.wakes()
    }

    fn cancellation(&self) -> Cancellation {
        self.inner.cancellation()
    }
}

impl<C: AsyncSleep> AsyncSleep for Chained<C> {
    async fn sleep_async(&self, duration: Duration) {
        for piece in pieces(duration, self.longest) {
            self.inner.sleep_async(piece).await;
        }
    }
}
