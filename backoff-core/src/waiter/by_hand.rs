//! The loop that is written by hand, for attempts that no closure can express.

use super::{Attempt, FailureCondition, HintSource, Next, Observer, Plan, Progress, Uncut, Waiter, Watch};
use core::fmt;

use crate::clock::{AsyncSleep, AsyncTime, BlockingTime, Timeline};
use crate::error::RetryError;
use crate::random::Random;
use crate::run::Pause;

/// An async loop under a policy. Made by [`start`](Waiter::start); see there.
#[must_use = "a loop ends only if it is told of its failures"]
pub struct AsyncLoop<T: AsyncTime, R, C, H, O> {
    plan: Plan<T, R>,
    watch: Watch<C, H, O>,
    progress: Progress<T::Instant>,
}

/// A blocking loop under a policy. Made by [`start_blocking`](Waiter::start_blocking); see there.
#[must_use = "a loop ends only if it is told of its failures"]
pub struct BlockingLoop<T: BlockingTime, R, C, H, O> {
    plan: Plan<T, R>,
    watch: Watch<C, H, O>,
    progress: Progress<T::Instant>,
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

impl<T: AsyncTime, R: Random, C, H, O> AsyncLoop<T, R, C, H, O> {
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
        let pause = self.decide(failure)?;
        self.plan.time.asynchronous().sleep_async(pause.sleep).await;
        Ok(())
    }

    fn decide<F>(&mut self, failure: F) -> Result<Pause, RetryError<F>>
    where
        C: FailureCondition<F>,
        H: HintSource<F>,
        O: Observer<F>,
    {
        let transient = self.watch.condition.is_transient(&failure);
        let clock = self.plan.time.asynchronous();
        match self.watch.settle_failure(&self.plan, &mut self.progress, clock, Some(failure), transient) {
            Next::Sleep(pause, _) => Ok(pause),
            Next::Return(result) => result,
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

    /// Tells the observers of a success. A loop without observers need not call it.
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
        self.watch.observer.success(&self.progress.success(&self.plan));
    }
}

impl<T: BlockingTime, R: Random, C, H, O> BlockingLoop<T, R, C, H, O> {
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
            Next::Sleep(pause, failure) => match super::blocking::sleep(clock, &pause, failure) {
                None => Ok(()),
                Some(failure) => {
                    let stop = self.progress.cancelled(&self.plan, clock, Some(&pause));
                    Err(self.watch.give_up(&self.plan, stop, failure))
                }
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

    /// Tells the observers of a success. A loop without observers need not call it.
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
        self.watch.observer.success(&self.progress.success(&self.plan));
    }
}

impl<T: AsyncTime, R, C, H, O> fmt::Debug for AsyncLoop<T, R, C, H, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AsyncLoop").field(&self.plan).finish()
    }
}

impl<T: BlockingTime, R, C, H, O> fmt::Debug for BlockingLoop<T, R, C, H, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BlockingLoop").field(&self.plan).finish()
    }
}
