//! The server's own wish: "wait 30 s", "until 12:00".

use core::time::Duration;

/// How long a server asked to wait before the next attempt.
///
/// A hint replaces the formula for one sleep and is a minimum: jitter only adds to it, and no cap or trim shortens it. A
/// zero hint, or one that points into the past, means that the server has no wish. One that is longer than `max_hint` or
/// than what remains of the budget ends the run, with the hint in the error.
///
/// ```
/// use backoff_core::RetryAfter;
/// use std::time::{Duration, SystemTime};
///
/// let wait = RetryAfter::after(Duration::from_secs(30));
/// assert_eq!(wait.delay(), Duration::from_secs(30));
/// let past = RetryAfter::until(SystemTime::UNIX_EPOCH, SystemTime::now());
/// assert_eq!(past.delay(), Duration::ZERO);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RetryAfter(Duration);

impl RetryAfter {
    /// Wait that long.
    ///
    /// ```
    /// # use backoff_core::RetryAfter;
    /// # use std::time::Duration;
    /// assert_eq!(RetryAfter::after(Duration::from_secs(1)).delay().as_secs(), 1);
    /// ```
    #[must_use]
    pub const fn after(delay: Duration) -> Self {
        Self(delay)
    }

    /// Wait until `at`, on a clock that shows `now`: the server's, if it said what time it has, else this machine's.
    ///
    /// ```
    /// # use backoff_core::RetryAfter;
    /// # use std::time::{Duration, SystemTime};
    /// let now = SystemTime::now();
    /// assert_eq!(RetryAfter::until(now + Duration::from_secs(7), now).delay().as_secs(), 7);
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    pub fn until(at: std::time::SystemTime, now: std::time::SystemTime) -> Self {
        Self(at.duration_since(now).unwrap_or_default())
    }

    /// The wait.
    ///
    /// ```
    /// # use backoff_core::RetryAfter;
    /// # use std::time::Duration;
    /// assert!(RetryAfter::after(Duration::ZERO).delay().is_zero());
    /// ```
    #[must_use]
    pub const fn delay(self) -> Duration {
        self.0
    }
}

/// What a `hint` function may return.
///
/// ```
/// use backoff_core::hint::IntoHint;
/// use backoff_core::RetryAfter;
/// use std::time::Duration;
/// let second = Duration::from_secs(1);
/// assert_eq!(Some(second).into_hint(), Some(second));
/// assert_eq!(RetryAfter::after(second).into_hint(), Some(second));
/// assert_eq!(None::<RetryAfter>.into_hint(), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`hint` returned `{Self}`, which is not a server hint",
    label = "not a hint",
    note = "return `Option<Duration>`, `Option<RetryAfter>` or `RetryAfter`"
)]
pub trait IntoHint {
    /// The wait that was asked for, if any.
    fn into_hint(self) -> Option<Duration>;
}

impl IntoHint for Duration {
    fn into_hint(self) -> Option<Duration> {
        Some(self)
    }
}

impl IntoHint for RetryAfter {
    fn into_hint(self) -> Option<Duration> {
        Some(self.0)
    }
}

impl<H: IntoHint> IntoHint for Option<H> {
    fn into_hint(self) -> Option<Duration> {
        self.and_then(H::into_hint)
    }
}
