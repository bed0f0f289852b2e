//! Cutting a blocking wait short from another thread.

use std::fmt;
use std::sync::{Arc, PoisonError, Weak};
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard};

use crate::clock::{BlockingTime, Cancellation, Clock, Layered, Sleep, Timeline};

/// Cancels blocking runs from another thread, without polling: a sleeping run wakes at once.
///
/// Clones share one state, and cancelling is for good. A run that is cancelled before its first attempt makes none; one
/// that is cancelled during an attempt finishes it, and a success is still a success. Async runs need no token: drop the
/// future.
///
/// ```
/// use backoff_core::{CancelToken, ExponentialBackoff, Reason};
/// use std::time::Duration;
///
/// let token = CancelToken::new();
/// let worker = std::thread::spawn({
///     let token = token.clone();
///     move || {
///         let policy = ExponentialBackoff::new().initial(Duration::from_secs(60)).unlimited();
///         policy.cancel(&token).retry(|| Err::<(), _>("down"))
///     }
/// });
/// token.cancel();
/// assert_eq!(worker.join().unwrap().unwrap_err().reason(), Reason::Cancelled);
/// ```
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// The tokens that this one was made of, and those that they were made of. It follows all of them, because one in the middle may
    /// be gone.
    origins: Vec<Weak<Shared>>,
}

#[derive(Default)]
struct State {
    cancelled: bool,
    /// The tokens that are cancelled with this one.
    followers: Vec<Weak<Shared>>,
}

impl CancelToken {
    /// A token that is not cancelled.
    ///
    /// ```
    /// assert!(!backoff_core::CancelToken::new().is_cancelled());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels every run that holds this token, now and in future.
    ///
    /// ```
    /// let token = backoff_core::CancelToken::new();
    /// token.cancel();
    /// assert!(token.is_cancelled());
    /// ```
    pub fn cancel(&self) {
        let followers = {
            let mut state = self.lock();
            state.cancelled = true;
            core::mem::take(&mut state.followers)
        };
        self.0.changed.notify_all();
        // Outside of the lock: a follower takes its own.
        for follower in followers.iter().filter_map(Weak::upgrade) {
            Self(follower).cancel();
        }
    }

    /// A token that is cancelled as soon as this one or the other is.
    ///
    /// ```
    /// use backoff_core::CancelToken;
    /// let (process, request) = (CancelToken::new(), CancelToken::new());
    /// let either = process.or(&request);
    /// request.cancel();
    /// assert!(either.is_cancelled() && !process.is_cancelled());
    /// ```
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        let mut origins = vec![Arc::downgrade(&self.0), Arc::downgrade(&other.0)];
        origins.extend_from_slice(&self.0.origins);
        origins.extend_from_slice(&other.0.origins);
        let either = Self(Arc::new(Shared { origins, ..Shared::default() }));
        for origin in either.0.origins.iter().filter_map(Weak::upgrade) {
            either.follow(&Self(origin));
        }
        either
    }

    fn follow(&self, origin: &Self) {
        let mut state = origin.lock();
        if state.cancelled {
            drop(state);
            self.cancel();
        } else {
            state.followers.retain(|follower| follower.strong_count() > 0);
            state.followers.push(Arc::downgrade(&self.0));
        }
    }

    /// Whether the token was cancelled.
    ///
    /// ```
    /// assert!(!backoff_core::CancelToken::new().is_cancelled());
    /// ```
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }

    /// Blocks until the token is cancelled, for at most that long. Says whether it was.
    ///
    /// ```
    /// use std::time::Duration;
    /// assert!(!backoff_core::CancelToken::new().wait(Duration::from_micros(1)));
    /// ```
    #[expect(clippy::must_use_candidate, reason = "waiting is the point")]
    pub fn wait(&self, longest: Duration) -> bool {
        // A wait without end is one that reaches past what the clock can show.
        let end = Instant::now().checked_add(longest);
        let mut state = self.lock();
        while !state.cancelled {
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                break;
            }
            state = match self.0.changed.wait_timeout(state, left) {
                Ok((guard, _)) => guard,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        state.cancelled
    }

    /// A panic can't leave a flag half set, so a poisoned lock is as good as any.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelToken").field(&self.is_cancelled()).finish()
    }
}

/// A blocking time whose sleeps end when a token is cancelled. Made by [`Waiter::cancel`](crate::Waiter::cancel).
#[derive(Clone, Debug)]
pub struct Cancellable<T>(CancellableSleep<T>);

/// The clock and sleep of a [`Cancellable`] time.
#[derive(Clone, Debug)]
pub struct CancellableSleep<T> {
    time: T,
    token: CancelToken,
}

impl<T: BlockingTime> Cancellable<T> {
    pub(crate) fn new(time: T, token: &CancelToken) -> Self {
        Self(CancellableSleep { time, token: token.clone() })
    }
}

impl<T: Timeline> Timeline for Cancellable<T> {
    type Instant = T::Instant;
}

impl<T: Layered> Layered for Cancellable<T> {
    type Over<U: Timeline> = Cancellable<T::Over<U>>;

    fn over<U: Timeline>(self, time: U) -> Self::Over<U> {
        Cancellable(CancellableSleep { time: self.0.time.over(time), token: self.0.token })
    }
}

impl<T: BlockingTime> BlockingTime for Cancellable<T> {
    type Time = CancellableSleep<T>;

    fn blocking(&self) -> &CancellableSleep<T> {
        &self.0
    }
}

impl<T: BlockingTime> Clock for CancellableSleep<T> {
    type Instant = <T as Timeline>::Instant;

    fn now(&self) -> Self::Instant {
        self.time.blocking().now()
    }

    fn elapsed(&self, from: Self::Instant, to: Self::Instant) -> Duration {
        self.time.blocking().elapsed(from, to)
    }
}

impl<T: BlockingTime> Sleep for CancellableSleep<T> {
    fn sleep(&self, duration: Duration) {
        self.time.blocking().sleep_unless(duration, &self.token);
    }

    /// What is below may hold a token of its own.
    fn sleep_unless(&self, duration: Duration, token: &CancelToken) {
        self.time.blocking().sleep_unless(duration, &self.token.or(token));
    }

    fn wakes(&self) -> bool {
        self.time.blocking().wakes()
    }

    fn cancellation(&self) -> Cancellation {
        if self.token.is_cancelled() {
            return Cancellation::Cancelled;
        }
        match self.time.blocking().cancellation() {
            Cancellation::Never => Cancellation::Pending,
            below => below,
        }
    }
}
