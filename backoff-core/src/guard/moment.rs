//! Time as guards see it: one number, whatever clock the runs that share them have.

use core::fmt;
use core::time::Duration;

use crate::clock::Clock;

/// A point in time, to the nanosecond, on the clock of the runs that share a guard.
///
/// Guards decide nothing by themselves about time: they are told. [`Moment::now`] is the time of
/// [`System`](crate::clock::System), which a [`VirtualTime`](crate::testing::VirtualTime) guard makes virtual;
/// [`Moment::of`] asks any clock; a simulation counts its own with [`Moment::at`]. All runs that share a guard have to
/// be on one clock.
///
/// ```
/// use backoff_core::guard::Moment;
/// use std::time::Duration;
///
/// let (early, late) = (Moment::at(Duration::from_secs(1)), Moment::at(Duration::from_secs(3)));
/// assert_eq!(late.since(early), Duration::from_secs(2));
/// assert_eq!(early.since(late), Duration::ZERO);
/// assert_eq!(early.after(Duration::from_secs(2)), late);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

/// The origin lies in the middle, because a virtual clock may have started before the first guard was asked.
const ORIGIN: u64 = 1 << 62;

/// An instant that is a count from a fixed point, or can be compared with one.
///
/// Implement it for the instants of a clock of your own, so that its runs can share guards.
///
/// ```
/// use backoff_core::guard::Origin;
///
/// #[derive(Clone, Copy)]
/// struct MillisSinceBoot(u64);
///
/// impl Origin for MillisSinceBoot {
///     fn origin() -> Self {
///         Self(0)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "guards can't tell the time by an instant of type `{Self}`",
    label = "the clock of this run counts in `{Self}`",
    note = "implement `backoff_core::guard::Origin` for it: any fixed instant that all runs agree on"
)]
pub trait Origin: Copy {
    /// The fixed instant: the same one at every call.
    fn origin() -> Self;
}

#[cfg(feature = "std")]
impl Origin for std::time::Instant {
    fn origin() -> Self {
        static ORIGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        *ORIGIN.get_or_init(Self::now)
    }
}

impl Origin for u32 {
    fn origin() -> Self {
        0
    }
}

impl Origin for u64 {
    fn origin() -> Self {
        0
    }
}

impl Origin for Duration {
    fn origin() -> Self {
        Self::ZERO
    }
}

impl Moment {
    /// That long after the origin of a clock that is counted by the caller, up to 438 years.
    #[must_use]
    pub const fn at(since_origin: Duration) -> Self {
        Self(ORIGIN).after(since_origin)
    }

    /// The present on a clock.
    ///
    /// ```
    /// # use backoff_core::guard::Moment;
    /// # use backoff_core::testing::VirtualTime;
    /// # use std::time::Duration;
    /// let time = VirtualTime::new();
    /// let start = Moment::of(&time);
    /// time.pass(Duration::from_secs(2));
    /// assert_eq!(Moment::of(&time).since(start), Duration::from_secs(2));
    /// ```
    pub fn of<C: Clock>(clock: &C) -> Self
    where
        C::Instant: Origin,
    {
        let (origin, now) = (C::Instant::origin(), clock.now());
        match nanos(clock.elapsed(origin, now)) {
            0 => Self(ORIGIN.saturating_sub(nanos(clock.elapsed(now, origin)))),
            later => Self(ORIGIN.saturating_add(later)),
        }
    }

    /// The present on the default clock.
    ///
    /// ```
    /// # use backoff_core::guard::Moment;
    /// assert!(Moment::now() <= Moment::now());
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    pub fn now() -> Self {
        use crate::clock::{BlockingTime, System};
        Self::of(System.blocking())
    }

    /// The time since an earlier moment; zero if that is later.
    #[must_use]
    #[inline]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// That long before this.
    #[must_use]
    #[inline]
    pub const fn before(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(nanos(duration)))
    }

    /// Whether it is news how a call ended, that lasted from `began` until `now`: not if it was under way when the last judgement was
    /// passed. If that lies ahead of the clock by more than the call took, the clock has stepped back since; ends of calls that were
    /// told out of order lie closer.
    pub(super) fn is_news(began: Self, now: Self, judged: Option<Self>) -> bool {
        judged.is_none_or(|judged| began >= judged || judged.since(now) > now.since(began))
    }

    /// Nanoseconds since long before the origin.
    #[cfg(feature = "std")]
    #[inline]
    pub(super) const fn nanos(self) -> u64 {
        self.0
    }

    #[cfg(feature = "std")]
    #[inline]
    pub(super) const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// That long after this.
    #[must_use]
    #[inline]
    pub const fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(nanos(duration)))
    }
}

/// As many nanoseconds as a moment can count.
#[inline]
const fn nanos(duration: Duration) -> u64 {
    let nanos = duration.as_nanos();
    #[expect(clippy::cast_possible_truncation, reason = "compared before")]
    if nanos > (u64::MAX - ORIGIN) as u128 { u64::MAX - ORIGIN } else { nanos as u64 }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < ORIGIN { "-" } else { "" };
        write!(f, "Moment({sign}{:?})", Duration::from_nanos(self.0.abs_diff(ORIGIN)))
    }
}
