//! The driver for futures.

use core::future::poll_fn;
use core::pin::{Pin, pin};

use super::{Attempt, Condition, GuardSet, HintSource, Next, Observer, Plan, Progress, Waiter};
use crate::clock::{AsyncTime, Timeline};
#[cfg(feature = "std")]
use crate::deadline::Scope;
use crate::error::RetryError;
use crate::random::Random;

// The bounds stand at the methods, not here: so what is missing is explained in the words of the trait. Methods that pass
// everything on return the other's future, and the one that runs takes itself apart outside of its block: an async method
// would hold all of that a second time.
impl<T: Timeline, R, C, H, O, G> Waiter<T, R, C, H, O, G> {
    /// Runs an async operation until it is a success, waiting between attempts.
    ///
    /// Dropping the future stops everything at once: the attempt, or the timer. Nothing is spawned.
    ///
    /// # Errors
    /// The last failure, and why there was no further attempt.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let value = ExponentialBackoff::new().retry_async(async || "7".parse::<u8>()).await;
    /// assert_eq!(value, Ok(7));
    /// # }
    /// ```
    #[inline]
    pub fn retry_async<Fut: Future>(
        self,
        mut operation: impl FnMut() -> Fut,
    ) -> impl Future<Output = Result<C::Value, RetryError<C::Failure>>>
    where
        T: AsyncTime,
        R: Random,
        C: Condition<Fut::Output>,
        H: HintSource<C::Failure>,
        O: Observer<C::Failure>,
        G: GuardSet<T::Instant>,
    {
        self.retry_async_with(move |_| operation())
    }

    /// As [`retry_async`](Self::retry_async), for operations that return an `Option`: polls until there is a value.
    ///
    /// # Errors
    /// Why there was no further attempt.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// assert_eq!(ExponentialBackoff::new().wait_async(async || Some(7)).await, Ok(7));
    /// # }
    /// ```
    #[inline]
    pub fn wait_async<V, Fut: Future<Output = Option<V>>>(
        self,
        operation: impl FnMut() -> Fut,
    ) -> impl Future<Output = Result<C::Value, RetryError<C::Failure>>>
    where
        T: AsyncTime,
        R: Random,
        C: Condition<Option<V>>,
        H: HintSource<C::Failure>,
        O: Observer<C::Failure>,
        G: GuardSet<T::Instant>,
    {
        self.retry_async(operation)
    }

    /// As [`retry_async`](Self::retry_async), for operations that want to know the attempt's number or the time that is
    /// left.
    ///
    /// # Errors
    /// The last failure, and why there was no further attempt.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let waiter = ExponentialBackoff::new().time(VirtualTime::new());
    /// let value = waiter.retry_async_with(|attempt| {
    ///     let number = attempt.number();
    ///     async move { if number < 3 { Err("down") } else { Ok(number) } }
    /// });
    /// assert_eq!(value.await, Ok(3));
    /// # }
    /// ```
    #[inline]
    pub fn retry_async_with<Fut: Future>(
        self,
        mut operation: impl FnMut(Attempt<'_, T::Time>) -> Fut,
    ) -> impl Future<Output = Result<C::Value, RetryError<C::Failure>>>
    where
        T: AsyncTime,
        R: Random,
        C: Condition<Fut::Output>,
        H: HintSource<C::Failure>,
        O: Observer<C::Failure>,
        G: GuardSet<T::Instant>,
    {
        let Self { plan, mut watch } = self;
        async move {
            let clock = plan.time.asynchronous();
            let mut progress = Progress::start(&plan, clock);
            if let Some(stop) = progress.begin_async(&plan, clock).await {
                return Err(watch.give_up(&plan, stop, None));
            }
            loop {
                // The blocks end before the sleep: neither the attempt nor its failure lives across it, unless a guard may
                // end the run meanwhile.
                let (pause, kept) = {
                    let outcome = {
                        let attempt = pin!(async { operation(progress.attempt(&plan, clock)).await });
                        let attempt = pin!(timed(&plan, &progress, attempt));
                        scoped(&plan, &progress, attempt).await
                    };
                    let next = match outcome {
                        Some(outcome) => watch.settle(&plan, &mut progress, clock, outcome),
                        None => watch.settle_failure(&plan, &mut progress, clock, None, true),
                    };
                    match next {
                        Next::Return(result) => return result,
                        Next::Sleep(pause, failure) => (pause, G::keep(failure)),
                    }
                };
                if let Some(stop) = progress.rest_async(&plan, clock, pause).await {
                    return Err(watch.give_up(&plan, stop, G::kept(kept).flatten()));
                }
            }
        }
    }
}

// Attempts are handed over pinned: a future that takes another by value holds it twice, and runs nest.

/// Polls an attempt in its span and with the end of the run in force, if the plan says so.
pub(crate) fn scoped<T: Timeline, R, G, Held, F: Future>(
    plan: &Plan<T, R, G>,
    progress: &Progress<T::Instant, Held>,
    mut attempt: Pin<&mut F>,
) -> impl Future<Output = F::Output> {
    #[cfg(feature = "tracing")]
    let span = progress.span(plan);
    #[cfg(feature = "std")]
    let end = progress.published(plan);
    #[cfg(not(feature = "std"))]
    let _ = (plan, progress);
    poll_fn(move |context| {
        #[cfg(feature = "tracing")]
        let _span = span.enter();
        #[cfg(feature = "std")]
        let _scope = end.map(Scope::enter);
        attempt.as_mut().poll(context)
    })
}

/// Cuts an attempt, if the plan says so: nothing is left of it then.
pub(crate) fn timed<T: AsyncTime, R, G, Held, F: Future>(
    plan: &Plan<T, R, G>,
    progress: &Progress<T::Instant, Held>,
    attempt: Pin<&mut F>,
) -> impl Future<Output = Option<F::Output>> {
    let limit = |timeout| {
        let attempt = progress.attempt(plan, plan.time.asynchronous());
        attempt.timeout(Some(timeout), timeout).unwrap_or(timeout)
    };
    plan.time.timed(limit, attempt)
}
