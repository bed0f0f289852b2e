//! A clock that moves only when someone sleeps on it.

use std::collections::BTreeSet;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::Draws;
use crate::CancelToken;
use crate::clock::{AsyncSleep, Clock, Sleep};

/// A clock that moves only when someone sleeps on it, for threads and futures. Clones share one time.
///
/// Several futures may wait on it at once: time moves to the earliest end among them, when that one is polled. It does
/// not wait for anything else, so an operation that does real work meanwhile finds its virtual timers already run out. A
/// timer that was polled once has to be polled on or dropped: one that is left alone, as by `select!` on `&mut timer`, holds
/// all others up. Tasks on several threads move the time as they happen to be polled; for exact times use one thread.
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use backoff_core::testing::VirtualTime;
/// use std::time::Duration;
///
/// let time = VirtualTime::new();
/// // every attempt takes 100 ms
/// let error = ExponentialBackoff::new().time(&time).wait(|| { time.pass(Duration::from_millis(100)); None::<u8> });
/// assert_eq!(error.unwrap_err().attempts(), 5);
/// assert_eq!(time.elapsed(), Duration::from_millis(3_500));
/// ```
#[derive(Clone)]
pub struct VirtualTime {
    start: Instant,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    elapsed: Duration,
    sleeps: Vec<Duration>,
    /// The ends of the futures that wait, each with a number of its own.
    waiting: BTreeSet<(Duration, u64)>,
    timers: u64,
    plans: Vec<(Duration, Box<dyn FnOnce() + Send>)>,
    draws: Option<Draws>,
}

impl VirtualTime {
    /// A time that begins now and stands still.
    ///
    /// ```
    /// assert!(backoff_core::testing::VirtualTime::new().elapsed().is_zero());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self { start: Instant::now(), state: Arc::default() }
    }

    /// The same time with scripted draws, for runs on the default randomness under [`enter`](Self::enter) or
    /// [`scope`](Self::scope).
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Jitter, testing::{Draws, VirtualTime}};
    /// let time = VirtualTime::new().with_draws(Draws::always(0.5));
    /// let _guard = time.enter();
    /// let _ = ExponentialBackoff::new().jitter(Jitter::Full).max_attempts(2).wait(|| None::<u8>);
    /// assert_eq!(time.sleeps()[0].as_millis(), 100);
    /// ```
    #[must_use]
    pub fn with_draws(self, draws: Draws) -> Self {
        self.lock().draws = Some(draws);
        self
    }

    #[cfg(not(target_os = "unknown"))]
    pub(super) fn script(&self) -> Option<Draws> {
        self.lock().draws.clone()
    }

    /// How far the time has moved.
    ///
    /// ```
    /// # use backoff_core::testing::VirtualTime;
    /// # use std::time::Duration;
    /// let time = VirtualTime::new();
    /// time.pass(Duration::from_secs(1));
    /// assert_eq!(time.elapsed(), Duration::from_secs(1));
    /// ```
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.lock().elapsed
    }

    /// Every sleep of a run that has ended, in order. What was passed by [`pass`](Self::pass) is not among them.
    ///
    /// ```
    /// # use backoff_core::{clock::Sleep, testing::VirtualTime};
    /// # use std::time::Duration;
    /// let time = VirtualTime::new();
    /// time.sleep(Duration::from_secs(1));
    /// assert_eq!(time.sleeps(), [Duration::from_secs(1)]);
    /// ```
    #[must_use]
    pub fn sleeps(&self) -> Vec<Duration> {
        self.lock().sleeps.clone()
    }

    /// Moves the time: the work of an operation, in a test.
    ///
    /// ```
    /// # use backoff_core::testing::VirtualTime;
    /// # use std::time::Duration;
    /// let time = VirtualTime::new();
    /// time.pass(Duration::from_millis(30));
    /// assert!(time.sleeps().is_empty());
    /// ```
    pub fn pass(&self, duration: Duration) {
        let end = self.elapsed().saturating_add(duration);
        self.advance(end, || false);
    }

    /// Moves the time in a future: the work of an async operation. Dropped early, it moves nothing.
    ///
    /// ```
    /// # use backoff_core::testing::VirtualTime;
    /// # use std::time::Duration;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let time = VirtualTime::new();
    /// time.pass_async(Duration::from_millis(30)).await;
    /// assert_eq!(time.elapsed(), Duration::from_millis(30));
    /// # }
    /// ```
    pub fn pass_async(&self, duration: Duration) -> VirtualSleep {
        VirtualSleep::new(self.clone(), duration, false)
    }

    /// Calls `f` when the time gets there, during whatever sleep that is.
    ///
    /// ```
    /// # use backoff_core::{CancelToken, ExponentialBackoff, testing::VirtualTime};
    /// # use std::time::Duration;
    /// let (time, token) = (VirtualTime::new(), CancelToken::new());
    /// time.at(Duration::from_millis(300), { let token = token.clone(); move || token.cancel() });
    /// let error = ExponentialBackoff::new().time(&time).cancel(&token).wait(|| None::<u8>).unwrap_err();
    /// assert_eq!(error.elapsed(), Duration::from_millis(300));
    /// ```
    pub fn at(&self, elapsed: Duration, f: impl FnOnce() + Send + 'static) {
        self.lock().plans.push((elapsed, Box::new(f)));
    }

    /// Moves the time to `end` or to the first moment at which `enough` says so, and calls what was planned on the way.
    fn advance(&self, end: Duration, enough: impl Fn() -> bool) {
        while !enough() {
            let mut state = self.lock();
            let due = state.plans.iter().enumerate().filter(|(_, plan)| plan.0 <= end).min_by_key(|(_, plan)| plan.0);
            let Some(index) = due.map(|(index, _)| index) else {
                state.elapsed = state.elapsed.max(end);
                return;
            };
            let (at, planned) = state.plans.remove(index);
            state.elapsed = state.elapsed.max(at);
            drop(state);
            planned();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for VirtualTime {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for VirtualTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VirtualTime").field("elapsed", &self.elapsed()).finish_non_exhaustive()
    }
}

impl Clock for VirtualTime {
    type Instant = Instant;

    /// Saturates where the standard library's instants end.
    fn now(&self) -> Instant {
        self.start.checked_add(self.elapsed()).unwrap_or(self.start)
    }

    fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        to.saturating_duration_since(from)
    }
}

impl Sleep for VirtualTime {
    fn sleep(&self, duration: Duration) {
        self.pass(duration);
        self.lock().sleeps.push(duration);
    }

    fn sleep_unless(&self, duration: Duration, token: &CancelToken) {
        let start = self.elapsed();
        self.advance(start.saturating_add(duration), || token.is_cancelled());
        let mut state = self.lock();
        let slept = state.elapsed.saturating_sub(start);
        state.sleeps.push(slept);
    }

    fn wakes(&self) -> bool {
        true
    }
}

impl AsyncSleep for VirtualTime {
    fn sleep_async(&self, duration: Duration) -> impl Future<Output = ()> {
        VirtualSleep::new(self.clone(), duration, true)
    }
}

/// A future that waits in virtual time. Dropping it takes it out of the queue.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct VirtualSleep {
    time: VirtualTime,
    duration: Duration,
    recorded: bool,
    waiting: Option<(Duration, u64)>,
}

impl VirtualSleep {
    fn new(time: VirtualTime, duration: Duration, recorded: bool) -> Self {
        Self { time, duration, recorded, waiting: None }
    }
}

impl Future for VirtualSleep {
    type Output = ();

    /// The first poll queues up, so that all who wait at this moment are known; a later one of the earliest moves the time.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.time.lock();
        let Some(entry) = self.waiting else {
            state.timers += 1;
            let entry = (state.elapsed.saturating_add(self.duration), state.timers);
            state.waiting.insert(entry);
            drop(state);
            self.waiting = Some(entry);
            context.waker().wake_by_ref();
            return Poll::Pending;
        };
        let earliest = state.waiting.first() == Some(&entry);
        if !earliest && state.elapsed < entry.0 {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        state.waiting.remove(&entry);
        if self.recorded {
            state.sleeps.push(self.duration);
        }
        drop(state);
        self.time.advance(entry.0, || false);
        self.waiting = None;
        Poll::Ready(())
    }
}

impl Drop for VirtualSleep {
    fn drop(&mut self) {
        if let Some(entry) = self.waiting.take() {
            self.time.lock().waiting.remove(&entry);
        }
    }
}
