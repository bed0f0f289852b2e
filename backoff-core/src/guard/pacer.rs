//! The pacer: learns how often a server may be called.

mod anneal;
mod cubic;
mod pace;
mod settings;
mod slots;
mod turns;

use core::fmt;
use core::time::Duration;

pub use pace::PacerMode;
use pace::{Pace, millis};
use settings::{Settings, in_millis};
use slots::Slots;

use super::line::{Line, now_of};
use super::lock::Lock;
use super::{Moment, Origin};
use crate::clock::{AsyncSleep, Sleep};

/// Learns the interval between calls that a server tolerates, and makes callers keep it.
///
/// Every call waits for its slot, an interval after the last. A success makes the interval a little shorter (times 0.985), a
/// failure longer (times 2), within [`min`](Self::min) and [`max`](Self::max): so it finds the limit of a server that refuses
/// what is too much, and follows when that moves. Calls wait in line, first come, first served, and two that come at once never go
/// out together. Of the failures of calls that were under way together one counts: the others say nothing about the
/// new interval. A hint of the server, such as `Retry-After`, blocks everyone until then; under a policy, if it comes with a
/// transient failure and is no longer than `max_hint`.
///
/// It takes every failure for a sign of being too fast. With the default factors it comes to rest where about 2 % of the calls
/// fail; where more fail for other reasons, the interval grows to `max`. So let only refusals count, with `when`, or set a
/// gentler [`up`](Self::up).
///
/// By itself it retries nothing: use it under a policy, with [`exec`](Self::exec), or with `pacer = PACER` in the attribute.
/// Under a policy each attempt waits for its slot, the first included; a transient failure counts as one, a permanent one as a
/// success, since the server did answer. A turn that lies behind the end of the run is not waited for.
///
/// A constant, so it can be a `static`. With bursts of one, a slot that is free is taken without a lock; the end of each call
/// takes a short one. A call that waits allocates once or twice.
///
/// ```
/// use backoff_core::guard::Pacer;
/// use backoff_core::testing::VirtualTime;
/// use std::time::Duration;
///
/// static PACER: Pacer = Pacer::new().interval(Duration::from_millis(100));
///
/// let time = VirtualTime::new();
/// let _virtual = time.enter();
/// for _ in 0..3 {
///     assert_eq!(PACER.exec(|| Ok::<_, ()>(7)), Ok(7));
/// }
/// assert_eq!(time.sleeps().len(), 2);
/// assert!(PACER.snapshot().interval < Duration::from_millis(100));
/// ```
pub struct Pacer {
    slots: Slots,
    state: Lock<State>,
    settings: Settings,
}

struct State {
    pace: Pace,
    line: Line,
}

/// What a [`Pacer`] looks like at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PacerSnapshot {
    /// The interval between two calls, to the nanosecond.
    pub interval: Duration,
    /// The same in milliseconds, as it is computed.
    pub interval_millis: f64,
    /// Calls that wait for their slot.
    pub waiting: usize,
    /// Until when the server asked not to be called, if it ever did.
    pub blocked_until: Option<Moment>,
}

/// A call that has its slot, and when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "tell the pacer how the call ended"]
pub struct Slot {
    started: Moment,
}

impl Slot {
    /// A call that began at that moment: for callers that wait by themselves.
    pub const fn starting(started: Moment) -> Self {
        Self { started }
    }

    /// When the call began.
    #[must_use]
    pub const fn started(&self) -> Moment {
        self.started
    }
}

impl Pacer {
    /// Starts at an interval of 1 ms, within 1 us and 60 s, annealed.
    #[must_use]
    pub const fn new() -> Self {
        let state = State { pace: Pace::new(), line: Line::new() };
        Self { slots: Slots::new(), state: Lock::new(state), settings: Settings::new() }
    }

    /// Sets how it learns; by default [`PacerMode::Annealed`].
    #[must_use]
    pub const fn mode(mut self, mode: PacerMode) -> Self {
        self.settings.mode = mode;
        self
    }

    /// Waits for a slot and runs the call; an `Err` counts as a failure.
    ///
    /// # Errors
    /// The call's own.
    ///
    /// ```
    /// # use backoff_core::guard::Pacer;
    /// assert_eq!(Pacer::new().exec(|| Err::<(), _>("down")), Err("down"));
    /// ```
    pub fn exec<T, E>(&self, call: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        use crate::clock::{BlockingTime, System};
        let clock = System.blocking();
        let slot = self.reserve(clock, 1, None);
        let result = call();
        if let Some(slot) = slot {
            self.settle(slot, result.is_ok(), now_of(clock));
        }
        result
    }

    /// As [`exec`](Self::exec), for an async call. Dropping the future while it waits leaves the line.
    ///
    /// # Errors
    /// The call's own.
    ///
    /// ```
    /// # use backoff_core::guard::Pacer;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// assert_eq!(Pacer::new().exec_async(async || Ok::<_, ()>(7)).await, Ok(7));
    /// # }
    /// ```
    #[cfg(any(feature = "tokio", feature = "futures-timer"))]
    pub async fn exec_async<T, E, F>(&self, call: impl FnOnce() -> F) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>>,
    {
        use crate::clock::{AsyncTime, System};
        let clock = System.asynchronous();
        let slot = self.reserve_async(clock, 1, None).await;
        let result = call().await;
        if let Some(slot) = slot {
            self.settle(slot, result.is_ok(), now_of(clock));
        }
        result
    }

    /// Waits on a clock until a call that takes that many slots may begin. None if that would be after `end`, or if the wait was
    /// cancelled.
    ///
    /// ```
    /// use backoff_core::guard::{Moment, Pacer};
    /// use backoff_core::testing::VirtualTime;
    /// use std::time::Duration;
    ///
    /// let (time, pacer) = (VirtualTime::new(), Pacer::new().interval(Duration::from_secs(1)).burst(10));
    /// for _ in 0..2 {
    ///     let slot = pacer.reserve(&time, 10, None).unwrap();
    ///     pacer.settle(slot, true, || Moment::of(&time));
    /// }
    /// assert_eq!(time.elapsed(), Duration::from_millis(9_850));
    /// ```
    pub fn reserve<S: Sleep>(&self, clock: &S, slots: u32, end: Option<Moment>) -> Option<Slot>
    where
        S::Instant: Origin,
    {
        self.turn(clock, slots, end).0
    }

    /// As [`reserve`](Self::reserve), for futures.
    ///
    /// ```
    /// # use backoff_core::{guard::Pacer, testing::VirtualTime};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// assert!(Pacer::new().reserve_async(&VirtualTime::new(), 1, None).await.is_some());
    /// # }
    /// ```
    pub async fn reserve_async<S: AsyncSleep>(&self, clock: &S, slots: u32, end: Option<Moment>) -> Option<Slot>
    where
        S::Instant: Origin,
    {
        self.turn_async(clock, slots, end).await.0
    }

    /// A slot for a call that begins now, or when to ask again: for callers that wait by themselves. It does not pass those who
    /// wait in line.
    ///
    /// # Errors
    /// When the next slot is due, if nobody else takes it.
    ///
    /// ```
    /// use backoff_core::guard::{Moment, Pacer};
    /// use std::time::Duration;
    /// let (pacer, now) = (Pacer::new(), Moment::now());
    /// assert!(pacer.try_reserve(now, 1).is_ok());
    /// assert_eq!(pacer.try_reserve(now, 1), Err(now.after(Duration::from_millis(1))));
    /// ```
    #[inline]
    pub fn try_reserve(&self, now: Moment, slots: u32) -> Result<Slot, Moment> {
        let taken = if slots == 1 { self.slots.take_next(now) } else { None };
        match taken {
            Some(taken) => taken.map(|()| Slot { started: now }),
            None => self.try_reserve_locked(now, slots),
        }
    }

    #[inline(never)]
    fn try_reserve_locked(&self, now: Moment, slots: u32) -> Result<Slot, Moment> {
        let taken = self.locked(|state| {
            let is_free = state.line.is_empty();
            self.take(&mut state.pace, now, slots, is_free)
        });
        match taken {
            Ok(()) => Ok(Slot { started: now }),
            Err(due) => Err(due.unwrap_or(now).max(now)),
        }
    }

    /// Takes slots if they are due and `may`, or says when they are due.
    fn take(&self, pace: &mut Pace, now: Moment, slots: u32, may: bool) -> Result<(), Option<Moment>> {
        pace.look(now);
        let taken = self.slots.change(|last| {
            let last = pace.counted(last, now);
            let due = pace.due(&self.settings, last, slots);
            if !may || due > Some(now) {
                return (last, Err(due));
            }
            let taken = pace.taken(&self.settings, last, now, slots);
            (Some(taken), Ok(taken.since(now)))
        });
        taken.map(|ahead| pace.ahead = ahead)
    }

    /// Tells how a call ended.
    pub fn settle(&self, slot: Slot, success: bool, now: impl FnOnce() -> Moment) {
        let now = now();
        self.change(|pace, settings| {
            if success {
                pace.succeeded(settings, now);
            } else {
                pace.failed(settings, slot.started, now);
            }
        });
    }

    /// Blocks every call until then, as the server asked. A later wish never shortens an earlier one.
    ///
    /// ```
    /// # use backoff_core::guard::{Moment, Pacer};
    /// # use std::time::Duration;
    /// let (pacer, until) = (Pacer::new(), Moment::now().after(Duration::from_secs(30)));
    /// pacer.block_until(until);
    /// pacer.block_until(Moment::now());
    /// assert_eq!(pacer.snapshot().blocked_until, Some(until));
    /// ```
    pub fn block_until(&self, until: Moment) {
        self.change(|pace, _| pace.block(until, None));
    }

    /// As [`block_until`](Self::block_until), for so long from now.
    pub(crate) fn block_for(&self, wish: Duration, now: Moment) {
        self.change(|pace, _| {
            pace.look(now);
            pace.block(now.after(wish), Some(now));
        });
    }

    /// Sets the interval, when it is known from elsewhere that the limit has moved. Those who wait are served by the new one.
    ///
    /// ```
    /// # use backoff_core::guard::Pacer;
    /// # use std::time::Duration;
    /// let pacer = Pacer::new();
    /// pacer.set_interval(Duration::from_millis(20));
    /// assert_eq!(pacer.snapshot().interval, Duration::from_millis(20));
    /// ```
    pub fn set_interval(&self, interval: Duration) {
        self.change(|pace, settings| pace.set(settings, in_millis(interval)));
    }

    /// The interval, and who waits for it.
    #[must_use]
    pub fn snapshot(&self) -> PacerSnapshot {
        let state = self.state.lock();
        let interval_millis = state.pace.interval(&self.settings);
        PacerSnapshot {
            interval: millis(interval_millis),
            interval_millis,
            waiting: state.line.len(),
            blocked_until: state.pace.blocked_until,
        }
    }

    fn change(&self, change: impl FnOnce(&mut Pace, &Settings)) {
        self.locked(|state| {
            change(&mut state.pace, &self.settings);
            state.line.ring_head();
        });
    }

    /// Everything that is not plain happens here. Meanwhile nobody passes, and afterwards only if nobody waits.
    fn locked<X>(&self, change: impl FnOnce(&mut State) -> X) -> X {
        let mut state = self.state.lock();
        self.slots.shut();
        let changed = change(&mut state);
        if state.line.is_empty() {
            if let Some(interval) = state.pace.plain(&self.settings, self.slots.last()) {
                self.slots.open(interval);
            }
        }
        changed
    }
}

impl Default for Pacer {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Pacer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pacer").field(&self.snapshot()).finish()
    }
}
