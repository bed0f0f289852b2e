//! The driver for threads.

use super::{Attempt, Condition, GuardSet, HintSource, Next, Observer, Plan, Progress, Waiter};
use crate::clock::{BlockingTime, Timeline};
use crate::error::RetryError;
use crate::random::Random;

// The bounds stand at the methods, not here: so what is missing is explained in the words of the trait.
impl<T: Timeline, R, C, H, O, G> Waiter<T, R, C, H, O, G> {
    /// Runs an operation until it is a success, blocking the thread between attempts.
    ///
    /// `Result` and `Option` say by themselves what is a success; for other types see [`until`](Waiter::until).
    ///
    /// # Errors
    /// The last failure, and why there was no further attempt.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// let value = ExponentialBackoff::new().retry(|| "7".parse::<u8>());
    /// assert_eq!(value, Ok(7));
    /// ```
    #[inline]
    pub fn retry<Out>(self, mut operation: impl FnMut() -> Out) -> Result<C::Value, RetryError<C::Failure>>
    where
        T: BlockingTime,
        R: Random,
        C: Condition<Out>,
        H: HintSource<C::Failure>,
        O: Observer<C::Failure>,
        G: GuardSet<T::Instant>,
    {
        self.retry_with(|_| operation())
    }

    /// As [`retry`](Self::retry), for operations that return an `Option`: polls until there is a value.
    ///
    /// # Errors
    /// Why there was no further attempt.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().waiter().wait(|| Some(7)), Ok(7));
    /// ```
    #[inline]
    pub fn wait<V>(self, operation: impl FnMut() -> Option<V>) -> Result<C::Value, RetryError<C::Failure>>
    where
        T: BlockingTime,
        R: Random,
        C: Condition<Option<V>>,
        H: HintSource<C::Failure>,
        O: Observer<C::Failure>,
        G: GuardSet<T::Instant>,
    {
        self.retry(operation)
    }

    /// As [`retry`](Self::retry), for operations that want to know the attempt's number or the time that is left.
    ///
    /// # Errors
    /// The last failure, and why there was no further attempt.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// let waiter = ExponentialBackoff::new().time(VirtualTime::new());
    /// let value = waiter.retry_with(|attempt| if attempt.number() < 3 { Err("down") } else { Ok(attempt.number()) });
    /// assert_eq!(value, Ok(3));
    /// ```
    #[inline]
    pub fn retry_with<Out>(
        self,
        mut operation: impl FnMut(Attempt<'_, T::Time>) -> Out,
    ) -> Result<C::Value, RetryError<C::Failure>>
    where
        T: BlockingTime,
        R: Random,
        C: Condition<Out>,
        H: HintSource<C::Failure>,
        O: Observer<C::Failure>,
        G: GuardSet<T::Instant>,
    {
        let Self { plan, mut watch } = self;
        let clock = plan.time.blocking();
        let mut progress = Progress::start(&plan, clock);
        if let Some(stop) = progress.begin(&plan, clock) {
            return Err(watch.give_up(&plan, stop, None));
        }
        loop {
            let outcome = scoped(&plan, &progress, || operation(progress.attempt(&plan, clock)));
            match watch.settle(&plan, &mut progress, clock, outcome) {
                Next::Return(result) => return result,
                Next::Sleep(pause, failure) => {
                    if let Some((failure, stop)) = progress.rest(&plan, clock, &pause, failure) {
                        return Err(watch.give_up(&plan, stop, failure));
                    }
                }
            }
        }
    }
}

/// Calls an attempt in its span and with the end of the run in force, if the plan says so.
#[inline]
pub(crate) fn scoped<T: Timeline, R, G, Held, Out>(
    plan: &Plan<T, R, G>,
    progress: &Progress<T::Instant, Held>,
    attempt: impl FnOnce() -> Out,
) -> Out {
    #[cfg(feature = "tracing")]
    let _span = progress.span(plan).entered();
    #[cfg(feature = "std")]
    if let Some(end) = progress.published(plan) {
        return crate::deadline::within(end, attempt);
    }
    #[cfg(not(feature = "std"))]
    let _ = (plan, progress);
    attempt()
}
