//! Timers that count ticks, as embedded ones do.

use core::time::Duration;

use super::{AsyncSleep, Clock, Sleep};

/// A counter that runs at a fixed rate.
///
/// See [`Ticks`] for an example.
pub trait TickClock {
    /// Ticks in a second.
    const HZ: u64;

    /// Ticks since some fixed moment.
    fn now(&self) -> u64;
}

/// A tick counter that can block.
pub trait TickTimer: TickClock {
    /// Blocks until the counter has reached `tick`.
    fn sleep_until(&self, tick: u64);
}

/// A tick counter that can make a future wait.
pub trait AsyncTickTimer: TickClock {
    /// A future that is ready when the counter has reached `tick`.
    fn sleep_until_async(&self, tick: u64) -> impl Future<Output = ()>;
}

/// A clock made of a tick counter. Sleeps are rounded up to whole ticks, never down, and end at the last tick that the
/// counter can show.
///
/// ```
/// use backoff_core::clock::{Sleep, TickClock, TickTimer, Ticks};
/// use std::cell::Cell;
/// use std::time::Duration;
///
/// struct Timer(Cell<u64>);
///
/// impl TickClock for Timer {
///     const HZ: u64 = 32_768;
///     fn now(&self) -> u64 {
///         self.0.get()
///     }
/// }
/// impl TickTimer for Timer {
///     fn sleep_until(&self, tick: u64) {
///         self.0.set(tick);
///     }
/// }
///
/// let ticks = Ticks(Timer(Cell::new(5)));
/// ticks.sleep(Duration::from_millis(500));
/// assert_eq!(ticks.0.now(), 5 + 16_384);
/// ticks.sleep(Duration::MAX);
/// assert_eq!(ticks.0.now(), u64::MAX);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ticks<T>(
    /// The counter.
    pub T,
);

const NANOS: u128 = 1_000_000_000;

impl<T: TickClock> Ticks<T> {
    fn after(&self, duration: Duration) -> u64 {
        let ticks = duration.as_nanos().saturating_mul(u128::from(T::HZ)).div_ceil(NANOS);
        self.0.now().saturating_add(u64::try_from(ticks).unwrap_or(u64::MAX))
    }
}

impl<T: TickClock> Clock for Ticks<T> {
    type Instant = u64;

    fn now(&self) -> u64 {
        self.0.now()
    }

    fn elapsed(&self, from: u64, to: u64) -> Duration {
        let nanos = u128::from(to.saturating_sub(from)) * NANOS / u128::from(T::HZ).max(1);
        backoff_policy::duration::from_nanos(nanos)
    }
}

impl<T: TickTimer> Sleep for Ticks<T> {
    fn sleep(&self, duration: Duration) {
        self.0.sleep_until(self.after(duration));
    }
}

impl<T: AsyncTickTimer> AsyncSleep for Ticks<T> {
    async fn sleep_async(&self, duration: Duration) {
        self.0.sleep_until_async(self.after(duration)).await;
    }
}
