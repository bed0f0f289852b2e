//! The guards that a run asks, and in which order: the breaker, then the pacer, then the attempt, then budget and queue
//! before a retry.

mod guarded;
mod held;

use core::fmt;
use core::time::Duration;

pub use held::Held;

use super::{Plan, Progress};
use crate::ExponentialBackoff;
use crate::clock::{AsyncSleep, Clock, Sleep, Timeline};
use crate::error::{Reason, Stop};
#[cfg(feature = "std")]
use crate::guard::{CircuitBreaker, Pacer, RetryQueue};
use crate::guard::{Rejected, RetryTokens};
use crate::random::Random;
use crate::run::{Failure, Pause};

/// No guards. What they would do costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unguarded;

/// The guards of a waiter: what its runs share with others. Made by [`Waiter::breaker`](super::Waiter::breaker) and the methods
/// beside it.
#[derive(Clone, Copy, Default)]
pub struct Guards<'g> {
    #[cfg(feature = "std")]
    pub(super) breaker: Option<&'g CircuitBreaker>,
    #[cfg(feature = "std")]
    pub(super) pacer: Option<&'g Pacer>,
    pub(super) tokens: Option<&'g dyn RetryTokens>,
    #[cfg(feature = "std")]
    pub(super) queue: Option<&'g RetryQueue>,
}

impl<'g> Guards<'g> {
    pub(crate) fn retry_budget(mut self, tokens: &'g dyn RetryTokens) -> Self {
        self.tokens = Some(tokens);
        self
    }

    #[cfg(feature = "std")]
    pub(crate) fn breaker(mut self, breaker: &'g CircuitBreaker) -> Self {
        self.breaker = Some(breaker);
        self
    }

    #[cfg(feature = "std")]
    pub(crate) fn retry_queue(mut self, queue: &'g RetryQueue) -> Self {
        self.queue = Some(queue);
        self
    }

    #[cfg(feature = "std")]
    pub(crate) fn pacer(mut self, pacer: &'g Pacer) -> Self {
        self.pacer = Some(pacer);
        self
    }
}

/// How a wait before an attempt ended, and what was slept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rested {
    /// The attempt may begin.
    Go(Duration),
    /// The run is over before its turn comes.
    Over(Duration),
    /// The run was cancelled.
    Cancelled,
}

impl Rested {
    /// The same, if that much was slept already.
    fn after(self, slept: Duration) -> Self {
        match self {
            Self::Go(more) => Self::Go(slept.saturating_add(more)),
            Self::Over(more) => Self::Over(slept.saturating_add(more)),
            Self::Cancelled => Self::Cancelled,
        }
    }
}

/// What guards have to know of the run that asks.
#[derive(Debug)]
pub struct Asker<'a, C, R> {
    /// The time.
    pub clock: &'a C,
    /// The policy.
    pub policy: &'a ExponentialBackoff,
    /// Where its jitter is drawn from.
    pub random: &'a R,
}

/// What a run asks of its guards. The instants are those of its clock.
#[diagnostic::on_unimplemented(
    message = "the guards of this waiter can't tell the time by instants of type `{I}`",
    label = "the clock of this run counts in `{I}`",
    note = "implement `backoff_core::guard::Origin` for it"
)]
pub trait GuardSet<I: Copy + 'static> {
    /// What a run has got from its guards, and gives back when it ends or is dropped.
    type Held: Default;
    /// A failure that is kept while an async run waits, because the run may yet end with it.
    type Kept<F>;
    /// Whether a run may end while it waits.
    const MAY_END_WAITING: bool;

    /// Asks for a run, before its first attempt.
    ///
    /// # Errors
    /// When it is not to begin.
    fn admit<C: Clock<Instant = I>>(&self, held: &mut Self::Held, clock: &C) -> Result<(), Rejected>;

    /// Tells of a failed attempt.
    fn failed<C: Clock<Instant = I>, R: Random>(&self, held: &mut Self::Held, run: &Asker<'_, C, R>, failure: Failure);

    /// Asks for a retry; `is_last` says that the run ends with it.
    ///
    /// # Errors
    /// Why there is to be none.
    fn allow<C: Clock<Instant = I>>(
        &self,
        held: &mut Self::Held,
        clock: &C,
        pause: &Pause,
        is_last: bool,
    ) -> Result<(), Reason>;

    /// Tells of the success that ends the run.
    fn succeeded<C: Clock<Instant = I>, R: Random>(&self, held: &mut Self::Held, run: &Asker<'_, C, R>);

    /// Tells of an end without success.
    fn ended<C: Clock<Instant = I>>(&self, held: &mut Self::Held, clock: &C, reason: Reason);

    /// Gives everything back, without a word about how the run ended.
    fn give_back(held: &mut Self::Held) {
        *held = Self::Held::default();
    }

    /// Blocks until the first attempt may begin.
    fn pace<S: Sleep<Instant = I>>(
        &self,
        held: &mut Self::Held,
        clock: &S,
        left: impl FnOnce() -> Option<Duration>,
    ) -> Rested;

    /// Waits until the first attempt may begin: the end of the run, if it is not to.
    fn begin_async<T, R, S>(
        progress: &mut Progress<I, Self::Held>,
        plan: &Plan<T, R, Self>,
        clock: &S,
    ) -> impl Future<Output = Option<Stop>>
    where
        Self: Sized,
        T: Timeline<Instant = I>,
        S: AsyncSleep<Instant = I>;

    /// Blocks until the next attempt may begin. `left` says what the run has left, once so much of this wait was slept.
    fn rest<S: Sleep<Instant = I>>(
        &self,
        held: &mut Self::Held,
        clock: &S,
        pause: &Pause,
        left: impl Fn(Duration) -> Option<Duration>,
    ) -> Rested;

    /// Waits until the next attempt may begin: the end of the run, if it ended meanwhile.
    fn rest_async<T, R, S>(
        progress: &mut Progress<I, Self::Held>,
        plan: &Plan<T, R, Self>,
        clock: &S,
        pause: Pause,
    ) -> impl Future<Output = Option<Stop>>
    where
        Self: Sized,
        T: Timeline<Instant = I>,
        S: AsyncSleep<Instant = I>;

    /// Keeps a failure, or drops it.
    fn keep<F>(failure: F) -> Self::Kept<F>;

    /// The failure, if it was kept.
    fn kept<F>(kept: Self::Kept<F>) -> Option<F>;
}

impl<I: Copy + 'static> GuardSet<I> for Unguarded {
    type Held = ();
    type Kept<F> = ();
    const MAY_END_WAITING: bool = false;

    #[inline]
    fn admit<C: Clock<Instant = I>>(&self, (): &mut (), _: &C) -> Result<(), Rejected> {
        Ok(())
    }

    #[inline]
    fn failed<C: Clock<Instant = I>, R: Random>(&self, (): &mut (), _: &Asker<'_, C, R>, _: Failure) {}

    #[inline]
    fn allow<C: Clock<Instant = I>>(&self, (): &mut (), _: &C, _: &Pause, _: bool) -> Result<(), Reason> {
        Ok(())
    }

    #[inline]
    fn succeeded<C: Clock<Instant = I>, R: Random>(&self, (): &mut (), _: &Asker<'_, C, R>) {}

    #[inline]
    fn ended<C: Clock<Instant = I>>(&self, (): &mut (), _: &C, _: Reason) {}

    #[inline]
    fn pace<S: Sleep<Instant = I>>(&self, (): &mut (), _: &S, _: impl FnOnce() -> Option<Duration>) -> Rested {
        Rested::Go(Duration::ZERO)
    }

    #[inline]
    async fn begin_async<T, R, S>(_: &mut Progress<I>, _: &Plan<T, R>, _: &S) -> Option<Stop>
    where
        T: Timeline<Instant = I>,
        S: AsyncSleep<Instant = I>,
    {
        None
    }

    #[inline]
    fn rest<S: Sleep<Instant = I>>(
        &self,
        (): &mut (),
        clock: &S,
        pause: &Pause,
        _: impl Fn(Duration) -> Option<Duration>,
    ) -> Rested {
        sleep(clock, pause.sleep)
    }

    /// Holds nothing but the sleep.
    #[inline]
    fn rest_async<T, R, S>(
        _: &mut Progress<I>,
        _: &Plan<T, R>,
        clock: &S,
        pause: Pause,
    ) -> impl Future<Output = Option<Stop>>
    where
        T: Timeline<Instant = I>,
        S: AsyncSleep<Instant = I>,
    {
        let sleep = pause.sleep;
        async move {
            clock.sleep_async(sleep).await;
            None
        }
    }

    #[inline]
    fn keep<F>(_: F) {}

    #[inline]
    fn kept<F>((): ()) -> Option<F> {
        None
    }
}

/// A sleep that a token may cut.
fn sleep<S: Sleep>(clock: &S, duration: Duration) -> Rested {
    use crate::clock::Cancellation;
    clock.sleep(duration);
    if clock.cancellation() == Cancellation::Cancelled { Rested::Cancelled } else { Rested::Go(duration) }
}

impl From<Unguarded> for Guards<'_> {
    fn from(_: Unguarded) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Guards<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut guards = f.debug_struct("Guards");
        #[cfg(feature = "std")]
        guards.field("breaker", &self.breaker).field("pacer", &self.pacer).field("queue", &self.queue);
        guards.field("tokens", &self.tokens.is_some()).finish_non_exhaustive()
    }
}
