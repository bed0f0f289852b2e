//! The loop that is written by hand, for attempts that no closure can express.

use core::convert::Infallible;
use core::fmt;

use super::{
    Attempt, FailureCondition, GuardSet, Guards, HintSource, Next, Observer, Plan, Progress, Uncut, Unguarded, Waiter,
    Watch,
};

use crate::clock::{AsyncTime, BlockingTime, Timeline};
use crate::error::RetryError;
use crate::guard::Rejected;
use crate::random::Random;
use crate::run::Pause;

/// A pause, and the failure if the run may yet end with it.
type Resting<K> = (Pause, K);

/// An async loop under a policy. Made by [`start`](Waiter::start); see there.
#[must_use = "a loop ends only if it is told of its failures"]
pub struct AsyncLoop<T: AsyncTime, R, C, H, O, G: GuardSet<T::Instant> = Unguarded> {
    plan: Plan<T, R, G>,
    watch: Watch<C, H, O>,
    progress: Progress<T::Instant, G::Held>,
}

/// A blocking loop under a policy. Made by [`start_blocking`](Waiter::start_blocking); see there.
#[must_use = "a loop ends only if it is told of its failures"]
pub struct BlockingLoop<T: BlockingTime, R, C, H, O, G: GuardSet<T::Instant> = Unguarded> {
    plan: Plan<T, R, G>,
    watch: Watch<C, H, O>,
    progress: Progress<T::Instant, G::Held>,
}

impl<T: Timeline, R, C, H, O> Waiter<T, R, C, H, O> {
    /// Starts an async run for a loop that is written by hand. The budget counts from here.
    ///
    /// The attempts are called by the loop, so `propagate` and `spans` can't reach around them: use
    /// [`deadline::within_async`](crate::deadline::within_async) and a span of your own.
    ///
    /// ```
    /// use backoff_core::{ExponentialBackoff, RetryError, testing::VirtualTime};
    ///
    /// struct Cursor(u32);
    /// impl Cursor {
    ///     async fn advance(&mut self) -> Result<&u32, &'static str> {
    ///         self.0 += 1;
    ///         if self.0 < 3 { Err("not ready") } else { Ok(&self.0) }
    ///     }
    /// }
    ///
    /// async fn next(cursor: &mut Cursor) -> Result<u32, RetryError<&'static str>> {
    ///     let mut run = ExponentialBackoff::new().time(VirtualTime::new()).start();
    ///     Ok(loop {
    ///         match cursor.advance().await {
    ///             Ok(row) => break *row,
    ///             Err(error) => run.backoff(error).await?,
    ///         }
    ///     })
    /// }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// assert_eq!(next(&mut Cursor(0)).await, Ok(3));
    /// # }
    /// ```
    #[inline]
    pub fn start(self) -> AsyncLoop<T, R, C, H, O>
    where
        T: Uncut,
        R: Random,
    {
        let Self { plan, watch } = self;
        let progress = Progress::start(&plan, plan.time.asynchronous());
        AsyncLoop { plan, watch, progress }
    }
}

impl<T: Timeline, R, C, H, O> Waiter<T, R, C, H, O> {
    /// Starts a blocking run for a loop that is written by hand. The budget counts from here.
    ///
    /// The attempts are called by the loop, so `propagate` and `spans` can't reach around them: use
    /// [`deadline::within`](crate::deadline::within) and a span of your own.
    ///
    /// ```
    /// use backoff_core::{ExponentialBackoff, RetryError, testing::VirtualTime};
    ///
    /// fn first(lines: &mut Vec<Result<u8, &'static str>>) -> Result<u8, RetryError<&'static str>> {
    ///     let mut run = ExponentialBackoff::new().time(VirtualTime::new()).start_blocking();
    ///     loop {
    ///         match lines.remove(0) {
    ///             Ok(line) => return Ok(line),
    ///             Err(error) => run.backoff(error)?,
    ///         }
    ///     }
    /// }
    /// assert_eq!(first(&mut vec![Err("down"), Ok(7)]), Ok(7));
    /// ```
    #[inline]
    pub fn start_blocking(self) -> BlockingLoop<T, R, C, H, O>
    where
        T: BlockingTime,
        R: Random,
    {
        let Self { plan, watch } = self;
        let progress = Progress::start(&plan, plan.time.blocking());
        BlockingLoop { plan, watch, progress }
    }
}

// A run under guards may not be allowed to begin, so its start can fail.
impl<'g, T: Timeline, R, C, H, O> Waiter<T, R, C, H, O, Guards<'g>>
where
    Guards<'g>: GuardSet<T::Instant>,
{
    /// As [`start`](Waiter::start), for a waiter with guards: asks them first. Tell the loop of a success with
    /// [`succeed`](AsyncLoop::succeed), or the guards take the run for one that was dropped.
    ///
    /// # Errors
    /// When a guard does not let the run begin.
    ///
    /// ```
    /// use backoff_core::guard::CircuitBreaker;
    /// use backoff_core::{ExponentialBackoff, NotYet};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), backoff_core::guard::Rejected> {
    /// static BREAKER: CircuitBreaker = CircuitBreaker::new();
    /// let run = ExponentialBackoff::new().breaker(&BREAKER).try_start().await?;
    /// // .. an attempt that succeeds ..
    /// run.succeed::<NotYet>();
    /// # Ok(())
    /// # }
    /// ```
    pub async fn try_start(self) -> Result<AsyncLoop<T, R, C, H, O, Guards<'g>>, Rejected>
    where
        T: Uncut,
        R: Random,
    {
        let Self { plan, watch } = self;
        let mut progress = Progress::start(&plan, plan.time.asynchronous());
        match progress.begin_async(&plan, plan.time.asynchronous()).await {
            None => Ok(AsyncLoop { plan, watch, progress }),
            Some(stop) => Err(Rejected::of(&stop)),
        }
    }

    /// As [`start_blocking`](Waiter::start_blocking), for a waiter with guards: asks them first. Tell the loop of a success with
    /// [`succeed`](BlockingLoop::succeed), or the guards take the run for one that was dropped.
    ///
    /// # Errors
    /// When a guard does not let the run begin.
    ///
    /// ```
    /// use backoff_core::guard::CircuitBreaker;
    /// use backoff_core::{ExponentialBackoff, NotYet};
    /// static BREAKER: CircuitBreaker = CircuitBreaker::new();
    /// let run = ExponentialBackoff::new().breaker(&BREAKER).try_start_blocking()?;
    /// // .. an attempt that succeeds ..
    /// run.succeed::<NotYet>();
    /// # Ok::<(), backoff_core::guard::Rejected>(())
    /// ```
    pub fn try_start_blocking(self) -> Result<BlockingLoop<T, R, C, H, O, Guards<'g>>, Rejected>
    where
        T: BlockingTime,
        R: Random,
    {
        let Self { plan, watch } = self;
        let mut progress = Progress::start(&plan, plan.time.blocking());
        match progress.begin(&plan, plan.time.blocking()) {
            None => Ok(BlockingLoop { plan, watch, progress }),
            Some(stop) => Err(Rejected::of(&stop)),
        }
    }
}

impl<T: AsyncTime, R: Random, C, H, O, G: GuardSet<T::Instant>> AsyncLoop<T, R, C, H, O, G> {
    /// Takes a failure: sleeps if there is to be another attempt, or gives the failure back with the reason.
    ///
    /// The failure is dropped before the sleep.
    ///
    /// # Errors
    /// The failure, and why there is no further attempt.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Reason};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let mut run = ExponentialBackoff::new().max_attempts(1).start();
    /// assert_eq!(run.backoff("down").await.unwrap_err().reason(), Reason::Attempts);
    /// # }
    /// ```
    pub async fn backoff<F>(&mut self, failure: F) -> Result<(), RetryError<F>>
    where
        C: FailureCondition<F>,
        H: HintSource<F>,
        O: Observer<F>,
    {
        let (pause, kept) = self.decide(failure)?;
        match self.progress.rest_async(&self.plan, self.plan.time.asynchronous(), pause).await {
            None => Ok(()),
            Some(stop) => Err(self.watch.give_up(&self.plan, stop, G::kept(kept).flatten())),
        }
    }

    fn decide<F>(&mut self, failure: F) -> Result<Resting<G::Kept<Option<F>>>, RetryError<F>>
    where
        C: FailureCondition<F>,
        H: HintSource<F>,
        O: Observer<F>,
    {
        let transient = self.watch.condition.is_transient(&failure);
        let clock = self.plan.time.asynchronous();
        match self.watch.settle_failure::<Infallible, _, _, _, _, _>(
            &self.plan,
            &mut self.progress,
            clock,
            Some(failure),
            transient,
        ) {
            Next::Sleep(pause, failure) => Ok((pause, G::keep(failure))),
            Next::Return(Ok(never)) => match never {},
            Next::Return(Err(end)) => Err(end),
        }
    }

    /// The attempt that is under way: its number and the time that is left.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// assert_eq!(backoff_core::ExponentialBackoff::new().start().attempt().number(), 1);
    /// # }
    /// ```
    #[must_use]
    pub fn attempt(&self) -> Attempt<'_, T::Time> {
        self.progress.attempt(&self.plan, self.plan.time.asynchronous())
    }

    /// Tells the observers and the guards of a success. A loop without either need not call it.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, NotYet, event::Success};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let mut attempts = 0;
    /// ExponentialBackoff::new().on_success(|end: &Success| attempts = end.attempts).start().succeed::<NotYet>();
    /// assert_eq!(attempts, 1);
    /// # }
    /// ```
    pub fn succeed<F>(mut self)
    where
        O: Observer<F>,
    {
        self.progress.succeeded(&self.plan, self.plan.time.asynchronous());
        self.progress.tell_success(self.plan.name);
        self.watch.observer.success(&self.progress.success(self.plan.name));
    }
}

impl<T: BlockingTime, R: Random, C, H, O, G: GuardSet<T::Instant>> BlockingLoop<T, R, C, H, O, G> {
    /// Takes a failure: sleeps if there is to be another attempt, or gives the failure back with the reason.
    ///
    /// The failure is dropped before the sleep, unless a [`CancelToken`](crate::CancelToken) can cut it short.
    ///
    /// # Errors
    /// The failure, and why there is no further attempt.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Reason};
    /// let mut run = ExponentialBackoff::new().max_attempts(1).start_blocking();
    /// assert_eq!(run.backoff("down").unwrap_err().reason(), Reason::Attempts);
    /// ```
    pub fn backoff<F>(&mut self, failure: F) -> Result<(), RetryError<F>>
    where
        C: FailureCondition<F>,
        H: HintSource<F>,
        O: Observer<F>,
    {
        let transient = self.watch.condition.is_transient(&failure);
        let clock = self.plan.time.blocking();
        match self.watch.settle_failure(&self.plan, &mut self.progress, clock, Some(failure), transient) {
            Next::Return(result) => result,
            Next::Sleep(pause, failure) => match self.progress.rest(&self.plan, clock, &pause, failure) {
                None => Ok(()),
                Some((failure, stop)) => Err(self.watch.give_up(&self.plan, stop, failure)),
            },
        }
    }

    /// The attempt that is under way: its number and the time that is left.
    ///
    /// ```
    /// assert_eq!(backoff_core::ExponentialBackoff::new().start_blocking().attempt().number(), 1);
    /// ```
    #[must_use]
    pub fn attempt(&self) -> Attempt<'_, T::Time> {
        self.progress.attempt(&self.plan, self.plan.time.blocking())
    }

    /// Tells the observers and the guards of a success. A loop without either need not call it.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, NotYet, event::Success};
    /// let mut attempts = 0;
    /// let policy = ExponentialBackoff::new().on_success(|end: &Success| attempts = end.attempts);
    /// policy.start_blocking().succeed::<NotYet>();
    /// assert_eq!(attempts, 1);
    /// ```
    pub fn succeed<F>(mut self)
    where
        O: Observer<F>,
    {
        self.progress.succeeded(&self.plan, self.plan.time.blocking());
        self.progress.tell_success(self.plan.name);
        self.watch.observer.success(&self.progress.success(self.plan.name));
    }
}

impl<T: AsyncTime, R, C, H, O, G: GuardSet<T::Instant>> fmt::Debug for AsyncLoop<T, R, C, H, O, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AsyncLoop").field(&self.plan).finish()
    }
}

impl<T: BlockingTime, R, C, H, O, G: GuardSet<T::Instant>> fmt::Debug for BlockingLoop<T, R, C, H, O, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BlockingLoop").field(&self.plan).finish()
    }
}
