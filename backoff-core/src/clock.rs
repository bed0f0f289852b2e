//! The seam to time: a clock and the sleep that goes with it are one thing.
//!
//! [`Clock`] is a supertrait of [`Sleep`] and of [`AsyncSleep`], so a fake sleep with a real clock does not compile.
//! A sleep is handed over as a duration, in one piece; where a timer has a limit, [`Chained`] divides it.

mod chained;
#[cfg(feature = "futures-timer")]
mod futures_timer;
mod system;
#[cfg(feature = "std")]
mod threads;
mod ticks;
#[cfg(feature = "tokio")]
mod tokio;

use core::pin::Pin;
use core::time::Duration;

pub use self::chained::Chained;
#[cfg(feature = "futures-timer")]
pub use self::futures_timer::FuturesTimer;
pub use self::system::System;
#[cfg(feature = "std")]
pub use self::threads::Threads;
pub use self::ticks::{AsyncTickTimer, TickClock, TickTimer, Ticks};
#[cfg(feature = "tokio")]
pub use self::tokio::Tokio;

/// A monotonic clock.
///
/// A clock that stands still, jumps or steps back can't make a run panic, spin or overrun by more than a sleep:
/// [`elapsed`](Self::elapsed) is never negative.
///
/// ```
/// use backoff_core::clock::Clock;
/// use std::cell::Cell;
/// use std::time::Duration;
///
/// /// Milliseconds since boot.
/// struct Uptime(Cell<u64>);
///
/// impl Clock for Uptime {
///     type Instant = u64;
///     fn now(&self) -> u64 {
///         self.0.get()
///     }
///     fn elapsed(&self, from: u64, to: u64) -> Duration {
///         Duration::from_millis(to.saturating_sub(from))
///     }
/// }
/// assert_eq!(Uptime(Cell::new(0)).elapsed(9, 5), Duration::ZERO);
/// ```
pub trait Clock {
    /// A point in time on this clock.
    type Instant: Copy + 'static;

    /// The present.
    fn now(&self) -> Self::Instant;

    /// The time between two points; zero if `to` is before `from`.
    fn elapsed(&self, from: Self::Instant, to: Self::Instant) -> Duration;
}

/// Whether a run was cancelled, as its sleep knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancellation {
    /// There is nothing that could cancel the run.
    Never,
    /// The run may be cancelled, but was not yet.
    Pending,
    /// The run was cancelled.
    Cancelled,
}

/// A clock that can block the thread.
///
/// ```
/// use backoff_core::clock::{Clock, Sleep, Threads};
/// use std::time::Duration;
///
/// /// Sleeps half as long as it should: runs survive it.
/// struct Hasty(Threads);
///
/// impl Clock for Hasty {
///     type Instant = std::time::Instant;
///     fn now(&self) -> Self::Instant {
///         self.0.now()
///     }
///     fn elapsed(&self, from: Self::Instant, to: Self::Instant) -> Duration {
///         self.0.elapsed(from, to)
///     }
/// }
/// impl Sleep for Hasty {
///     fn sleep(&self, duration: Duration) {
///         self.0.sleep(duration / 2);
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't block the thread",
    label = "there is no blocking sleep here",
    note = "enable the feature `std` of `backoff-core`, or pass a clock that can with `.time(..)`"
)]
pub trait Sleep: Clock {
    /// Blocks for that long.
    fn sleep(&self, duration: Duration);

    /// As [`sleep`](Self::sleep), but returns as soon as the token is cancelled. By default the sleep is slept out.
    #[cfg(feature = "std")]
    fn sleep_unless(&self, duration: Duration, token: &crate::CancelToken) {
        if !token.is_cancelled() {
            self.sleep(duration);
        }
    }

    /// Whether [`sleep_unless`](Self::sleep_unless) returns as soon as the token is cancelled. If not, calls that wait in the line
    /// of a guard look every ten milliseconds whether it is their turn.
    #[cfg(feature = "std")]
    fn wakes(&self) -> bool {
        false
    }

    /// Whether the run was cancelled. Asked before the first attempt and after each sleep.
    #[inline]
    fn cancellation(&self) -> Cancellation {
        Cancellation::Never
    }
}

/// A clock that can make a future wait.
///
/// ```
/// use backoff_core::clock::{AsyncSleep, Clock};
/// use std::time::{Duration, Instant};
///
/// struct Lazy;
///
/// impl Clock for Lazy {
///     type Instant = Instant;
///     fn now(&self) -> Instant {
///         Instant::now()
///     }
///     fn elapsed(&self, from: Instant, to: Instant) -> Duration {
///         to.saturating_duration_since(from)
///     }
/// }
/// impl AsyncSleep for Lazy {
///     async fn sleep_async(&self, _: Duration) {}
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't make a future wait",
    label = "there is no async timer here",
    note = "enable a timer feature of `backoff-core`: `tokio`, or `futures-timer` for any other executor; \
            or pass a clock that can with `.time(..)`"
)]
pub trait AsyncSleep: Clock {
    /// A future that is ready after that long. Dropping it stops the timer at once.
    fn sleep_async(&self, duration: Duration) -> impl Future<Output = ()>;
}

macro_rules! forward {
    ($($(#[$cfg:meta])* $pointer:ty),+) => {$(
        $(#[$cfg])*
        impl<C: Clock + ?Sized> Clock for $pointer {
            type Instant = C::Instant;

            #[inline]
            fn now(&self) -> C::Instant {
                (**self).now()
            }

            #[inline]
            fn elapsed(&self, from: C::Instant, to: C::Instant) -> Duration {
                (**self).elapsed(from, to)
            }
        }

        $(#[$cfg])*
        impl<C: Sleep + ?Sized> Sleep for $pointer {
            fn sleep(&self, duration: Duration) {
                (**self).sleep(duration);
            }

            #[cfg(feature = "std")]
            fn sleep_unless(&self, duration: Duration, token: &crate::CancelToken) {
                (**self).sleep_unless(duration, token);
            }

            #[cfg(feature = "std")]
            fn wakes(&self) -> bool {
                (**self).wakes()
            }

            fn cancellation(&self) -> Cancellation {
                (**self).cancellation()
            }
        }

        $(#[$cfg])*
        impl<C: AsyncSleep> AsyncSleep for $pointer {
            fn sleep_async(&self, duration: Duration) -> impl Future<Output = ()> {
                (**self).sleep_async(duration)
            }
        }
    )+};
}

forward!(&C, #[cfg(feature = "std")] std::sync::Arc<C>);

/// Where deadlines live: the instants of a clock, or of the one that [`System`] chooses.
pub trait Timeline {
    /// A point in time.
    type Instant: Copy + 'static;
}

impl<C: Clock> Timeline for C {
    type Instant = C::Instant;
}

/// A time whose clock can be exchanged under whatever was laid over it: a [`CancelToken`](crate::CancelToken), or a timeout
/// for attempts.
pub trait Layered: Timeline {
    /// The same over another clock.
    type Over<U: Timeline>: Timeline<Instant = U::Instant>;

    /// Exchanges the clock.
    fn over<U: Timeline>(self, time: U) -> Self::Over<U>;
}

impl<C: Clock> Layered for C {
    type Over<U: Timeline> = U;

    fn over<U: Timeline>(self, time: U) -> U {
        time
    }
}

impl Layered for System {
    type Over<U: Timeline> = U;

    fn over<U: Timeline>(self, time: U) -> U {
        time
    }
}

/// What can time a blocking run: any [`Sleep`], or [`System`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't time a blocking run",
    label = "there is no blocking sleep here",
    note = "enable the feature `std` of `backoff-core` to block the thread, or pass a clock that can with `.time(..)`; \
            async runs are started by the methods that end in `_async`",
    note = "`attempt_timeout` cuts async attempts only: a blocking call can't be cut from outside"
)]
pub trait BlockingTime: Timeline {
    /// The clock and sleep.
    type Time: Sleep<Instant = Self::Instant>;

    /// The clock and sleep.
    fn blocking(&self) -> &Self::Time;
}

impl<S: Sleep> BlockingTime for S {
    type Time = S;

    #[inline]
    fn blocking(&self) -> &S {
        self
    }
}

/// What can time an async run: any [`AsyncSleep`], or [`System`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't time an async run",
    label = "there is no async timer here",
    note = "enable a timer feature of `backoff-core`: `tokio`, or `futures-timer` for any other executor; \
            or pass a clock that can with `.time(..)`",
    note = "a `CancelToken` cuts blocking waits; an async run is cancelled by dropping its future"
)]
pub trait AsyncTime: Timeline {
    /// The clock and sleep.
    type Time: AsyncSleep<Instant = Self::Instant>;

    /// The clock and sleep.
    fn asynchronous(&self) -> &Self::Time;

    /// Polls an attempt to its end, or cuts it where its time is up. `limit` says how much of a timeout the run allows.
    #[doc(hidden)]
    fn timed<F: Future>(
        &self,
        limit: impl FnOnce(Duration) -> Duration,
        attempt: Pin<&mut F>,
    ) -> impl Future<Output = Option<F::Output>> {
        let _ = limit;
        async { Some(attempt.await) }
    }
}

impl<S: AsyncSleep> AsyncTime for S {
    type Time = S;

    #[inline]
    fn asynchronous(&self) -> &S {
        self
    }
}
