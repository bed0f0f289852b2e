//! The engine by hand: a policy with its clock, randomness, conditions and hooks.

mod asynchronous;
mod attempt;
mod blocking;
mod by_hand;
mod condition;
mod elapsed;
mod guards;
mod observe;
mod packed;
mod plan;
mod progress;
mod share;
mod shortcuts;
mod spans;
mod telemetry;
mod timeout;
mod watch;

use core::fmt;
use core::time::Duration;

pub(crate) use asynchronous::{scoped as scoped_async, timed};
pub use attempt::Attempt;
pub(crate) use blocking::scoped;
pub use by_hand::{AsyncLoop, BlockingLoop};
pub use condition::{Any, Condition, FailureCondition, Judged, Until, When};
#[doc(hidden)]
pub use guards::{Asker, Held, Rested};
pub use guards::{GuardSet, Guards, Unguarded};
pub use observe::{AndThen, HintFrom, HintSource, Nothing, Observer, OnGiveUp, OnRetry, OnSuccess};
#[doc(hidden)]
pub use packed::Packed;
#[doc(hidden)]
pub use plan::Plan;
#[doc(hidden)]
pub use progress::Progress;
#[doc(hidden)]
pub use spans::{Spans, TracingFeature};
pub use timeout::Timed;
#[doc(hidden)]
pub use timeout::Uncut;
use watch::{Next, Watch};

use crate::ExponentialBackoff;
#[cfg(feature = "std")]
use crate::cancel::{CancelToken, Cancellable};
#[cfg(feature = "std")]
use crate::clock::BlockingTime;
use crate::clock::{Layered, System, Timeline};
use crate::event::{GiveUp, Retry, Success};
use crate::hint::IntoHint;
use crate::random::SystemRandom;
use backoff_policy::limits;

/// A policy, and all that a run under it needs: a clock with its sleep, randomness, a condition, hints and hooks.
///
/// Made from a policy by [`ExponentialBackoff::waiter`] or by any of the methods that a policy shares with it. What is
/// not set is the default: [`System`] time, [`SystemRandom`], every failure worth another attempt, no hints, no hooks.
///
/// ```
/// use backoff_core::testing::VirtualTime;
/// use backoff_core::{ExponentialBackoff, Reason};
/// use std::time::Duration;
///
/// let time = VirtualTime::new();
/// let error = ExponentialBackoff::new()
///     .time(&time)
///     .when(|status: &u16| *status >= 500)
///     .retry(|| Err::<(), _>(503))
///     .unwrap_err();
/// assert_eq!(error.reason(), Reason::Budget);
/// assert_eq!(time.sleeps(), [200, 400, 800, 1600, 500].map(Duration::from_millis));
/// ```
#[derive(Clone, Copy)]
#[must_use = "a waiter does nothing until it runs something"]
pub struct Waiter<T: Timeline = System, R = SystemRandom, C = Any, H = Nothing, O = Nothing, G = Unguarded> {
    pub(crate) plan: Plan<T, R, G>,
    watch: Watch<C, H, O>,
}

impl Waiter {
    /// A waiter with the defaults for everything but the policy.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Waiter};
    /// assert_eq!(Waiter::new(ExponentialBackoff::new()).wait(|| Some(7)), Ok(7));
    /// ```
    pub const fn new(policy: ExponentialBackoff) -> Self {
        let watch = Watch { condition: Any, hints: Nothing, observer: Nothing };
        Self { plan: Plan::new(policy), watch }
    }
}

impl<T: Timeline, R, C, H, O, G> Waiter<T, R, C, H, O, G> {
    fn planned<U: Timeline, S, K>(
        self,
        change: impl FnOnce(Plan<T, R, G>) -> Plan<U, S, K>,
    ) -> Waiter<U, S, C, H, O, K> {
        Waiter { plan: change(self.plan), watch: self.watch }
    }

    pub(crate) fn into_plan(self) -> Plan<T, R, G> {
        self.plan
    }

    /// Sets the clock and the sleep that goes with it. What was laid over the clock before stays: a token, a timeout for
    /// attempts. A deadline is forgotten, because it belongs to the clock before; and what is set by
    /// [`propagate`](Self::propagate) has no effect on a clock that does not count in [`std::time::Instant`]s.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// let time = VirtualTime::new();
    /// let error = ExponentialBackoff::new().time(&time).wait(|| None::<u8>).unwrap_err();
    /// assert_eq!(error.elapsed().as_millis(), 3_500);
    /// ```
    pub fn time<U: Timeline>(self, time: U) -> Waiter<T::Over<U>, R, C, H, O, G>
    where
        T: Layered,
    {
        self.planned(|plan| plan.time(time))
    }

    /// Sets where jitter is drawn from.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Jitter, testing::{Draws, VirtualTime}};
    /// let time = VirtualTime::new();
    /// let policy = ExponentialBackoff::new().jitter(Jitter::Full).max_attempts(2);
    /// let _ = policy.time(&time).random(Draws::fractions([0.25])).wait(|| None::<u8>);
    /// assert_eq!(time.sleeps()[0].as_millis(), 50);
    /// ```
    pub fn random<S>(self, random: S) -> Waiter<T, S, C, H, O, G> {
        self.planned(|plan| plan.random(random))
    }

    /// Lets a token from another thread cut the waits short. With several, any of them does. Such a waiter can only block: an
    /// async run is cancelled by dropping its future.
    ///
    /// ```
    /// # use backoff_core::{CancelToken, ExponentialBackoff};
    /// let token = CancelToken::new();
    /// token.cancel();
    /// let error = ExponentialBackoff::new().cancel(&token).wait(|| Some(7)).unwrap_err();
    /// assert_eq!(error.attempts(), 0);
    /// ```
    #[cfg(feature = "std")]
    pub fn cancel(self, token: &CancelToken) -> Waiter<Cancellable<T>, R, C, H, O, G>
    where
        T: BlockingTime,
    {
        self.planned(|plan| plan.wrap(|time| Cancellable::new(time, token)))
    }

    /// Sets an absolute end from outside. The run ends by it or by its budget, whichever is nearer.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Reason};
    /// # use std::time::Instant;
    /// let error = ExponentialBackoff::new().deadline(Instant::now()).wait(|| None::<u8>).unwrap_err();
    /// assert_eq!(error.reason(), Reason::Deadline);
    /// ```
    pub fn deadline(mut self, deadline: impl Into<T::Instant>) -> Self {
        self.plan.deadline = Some(deadline.into());
        self
    }

    /// Publishes the end of the run to everything that its attempts call in the same thread or task: an inner run
    /// honours it without being told. See [`deadline`](crate::deadline).
    ///
    /// ```
    /// # use backoff_core::{deadline, ExponentialBackoff};
    /// let seen = ExponentialBackoff::new().waiter().propagate().wait(deadline::current);
    /// assert!(seen.is_ok());
    /// ```
    #[cfg(feature = "std")]
    pub const fn propagate(mut self) -> Self
    where
        T: Timeline<Instant = std::time::Instant>,
    {
        self.plan.propagate = true;
        self
    }

    /// Cuts each attempt at that long or at what remains of the run, whichever is shorter. The cut counts as a failure
    /// that is worth another attempt. The attempt that follows a trimmed sleep is the last, and gets the whole timeout. The
    /// clock is read once more for each attempt. Only async attempts can be cut, so with it the blocking methods do not compile.
    ///
    /// It is set here and not on the policy: `POLICY.waiter().attempt_timeout(..)`. Where [`AsyncTime`](crate::clock::AsyncTime)
    /// is imported, the compiler takes the call on a policy for that trait's method of this name, and misses a timer.
    ///
    /// # Panics
    /// When it is zero.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// # use std::time::Duration;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let time = VirtualTime::new();
    /// let policy = ExponentialBackoff::new().max_attempts(1).time(&time);
    /// let hang = || std::future::pending::<Result<(), &str>>();
    /// let error = policy.attempt_timeout(Duration::from_secs(1)).retry_async(hang).await.unwrap_err();
    /// assert_eq!((error.elapsed().as_secs(), error.last()), (1, None));
    /// # }
    /// ```
    pub fn attempt_timeout(self, timeout: Duration) -> Waiter<Timed<T>, R, C, H, O, G> {
        match limits::attempt_timeout(timeout) {
            Ok(timeout) => self.planned(|plan| plan.wrap(|time| Timed::new(time, timeout))),
            Err(error) => error.sentence().refuse(),
        }
    }

    /// Opens a span of the `tracing` crate around each attempt: `attempt`, at debug level, target `backoff`, with the fields
    /// `name` and `attempt`. Needs the feature `tracing`.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().waiter().name("load user").spans().wait(|| Some(7)), Ok(7));
    /// ```
    pub const fn spans(mut self) -> Self
    where
        for<'late> Spans: TracingFeature,
    {
        self.plan.spans = true;
        self
    }

    /// Names the operation in events.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, event::Success};
    /// let waiter = ExponentialBackoff::new().waiter().name("load user");
    /// let _ = waiter.on_success(|success: &Success| assert_eq!(success.name, "load user")).wait(|| Some(7));
    /// ```
    pub const fn name(mut self, name: &'static str) -> Self {
        self.plan.name = name;
        self
    }

    /// Sets where the server's hint is found in a failure: the error, or under `until` the value. See
    /// [`RetryAfter`](crate::RetryAfter).
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Reason};
    /// # use std::time::Duration;
    /// struct Throttled(Duration);
    /// let error = ExponentialBackoff::new()
    ///     .hint(|error: &Throttled| Some(error.0))
    ///     .retry(|| Err::<(), _>(Throttled(Duration::from_secs(60))))
    ///     .unwrap_err();
    /// assert_eq!((error.reason(), error.hint()), (Reason::Hint, Some(Duration::from_secs(60))));
    /// ```
    pub fn hint<F, W: IntoHint, P: FnMut(&F) -> W>(self, find: P) -> Waiter<T, R, C, HintFrom<P>, O, G> {
        let Watch { condition, observer, .. } = self.watch;
        Waiter { plan: self.plan, watch: Watch { condition, hints: HintFrom(find), observer } }
    }

    /// Adds an observer: anything that implements [`Observer`], such as a
    /// [`Recorder`](crate::testing::Recorder).
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, testing::{Recorded, Recorder}};
    /// let recorder = Recorder::new();
    /// let _ = ExponentialBackoff::new().waiter().observe(recorder.clone()).wait(|| Some(7));
    /// assert_eq!(recorder.events(), [Recorded::Success { attempts: 1 }]);
    /// ```
    pub fn observe<X>(self, observer: X) -> Waiter<T, R, C, H, AndThen<O, X>, G> {
        self.observed(observer)
    }

    fn observed<X>(self, then: X) -> Waiter<T, R, C, H, AndThen<O, X>, G> {
        let Watch { condition, hints, observer } = self.watch;
        Waiter { plan: self.plan, watch: Watch { condition, hints, observer: AndThen { first: observer, then } } }
    }

    /// Adds a hook that is called before each sleep.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, NotYet, event::Retry, testing::VirtualTime};
    /// let mut retries = 0;
    /// let policy = ExponentialBackoff::new().time(VirtualTime::new());
    /// let _ = policy.on_retry(|_: &Retry<'_, NotYet>| retries += 1).wait(|| None::<u8>);
    /// assert_eq!(retries, 5);
    /// ```
    pub fn on_retry<F, P: FnMut(&Retry<'_, F>)>(self, hook: P) -> Waiter<T, R, C, H, AndThen<O, OnRetry<P>>, G> {
        self.observed(OnRetry(hook))
    }

    /// Adds a hook that is called once if the run ends without success.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, NotYet, event::GiveUp, testing::VirtualTime};
    /// let mut attempts = 0;
    /// let policy = ExponentialBackoff::new().time(VirtualTime::new());
    /// let _ = policy.on_give_up(|end: &GiveUp<'_, NotYet>| attempts = end.stop.attempts).wait(|| None::<u8>);
    /// assert_eq!(attempts, 6);
    /// ```
    pub fn on_give_up<F, P: FnMut(&GiveUp<'_, F>)>(self, hook: P) -> Waiter<T, R, C, H, AndThen<O, OnGiveUp<P>>, G> {
        self.observed(OnGiveUp(hook))
    }

    /// Adds a hook that is called once if the run ends with a success.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, event::Success};
    /// let mut attempts = 0;
    /// let _ = ExponentialBackoff::new().on_success(|end: &Success| attempts = end.attempts).wait(|| Some(7));
    /// assert_eq!(attempts, 1);
    /// ```
    pub fn on_success<P: FnMut(&Success)>(self, hook: P) -> Waiter<T, R, C, H, AndThen<O, OnSuccess<P>>, G> {
        self.observed(OnSuccess(hook))
    }
}

impl<T: Timeline, R, H, O, G> Waiter<T, R, Any, H, O, G> {
    fn judged<C>(self, condition: C) -> Waiter<T, R, C, H, O, G> {
        let Watch { hints, observer, .. } = self.watch;
        Waiter { plan: self.plan, watch: Watch { condition, hints, observer } }
    }

    /// Says which failures are worth another attempt; any other ends the run at once. The predicate is asked once for each
    /// failure, and may have state.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Reason};
    /// let policy = ExponentialBackoff::new().when(|status: &u16| *status >= 500);
    /// assert_eq!(policy.retry(|| Err::<(), _>(404)).unwrap_err().reason(), Reason::NotRetryable);
    /// ```
    pub fn when<F, P: FnMut(&F) -> bool>(self, transient: P) -> Waiter<T, R, When<P>, H, O, G> {
        self.judged(When(transient))
    }

    /// Says which values end the run, for operations of any type. The failure is then the value itself.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// let mut load = 3;
    /// let policy = ExponentialBackoff::new().initial(std::time::Duration::from_micros(1));
    /// let settled = policy.until(|load: &u8| *load == 0).retry(|| { load -= 1; load });
    /// assert_eq!(settled, Ok(0));
    /// ```
    pub fn until<V, P: FnMut(&V) -> bool>(self, done: P) -> Waiter<T, R, Until<P>, H, O, G> {
        self.judged(Until(done))
    }
}

impl<T: Timeline, R, C, H, O, G> fmt::Debug for Waiter<T, R, C, H, O, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Waiter").field(&self.plan).finish()
    }
}
