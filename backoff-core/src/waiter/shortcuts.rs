//! The methods that a policy shares with its waiter, so that the common cases need one word less.

use super::{
    AndThen, Any, AsyncLoop, BlockingLoop, HintFrom, Nothing, OnGiveUp, OnRetry, OnSuccess, Until, Waiter, When,
};
use crate::ExponentialBackoff;
#[cfg(feature = "std")]
use crate::cancel::{CancelToken, Cancellable};
use crate::clock::{AsyncTime, BlockingTime, System, Timeline};
use crate::error::{NotYet, RetryError};
use crate::event::{GiveUp, Retry, Success};
use crate::hint::IntoHint;
use crate::outcome::Outcome;
use crate::random::{Random, SystemRandom};

/// A waiter with one hook.
type Hooked<H> = Waiter<System, SystemRandom, Any, Nothing, AndThen<Nothing, H>>;

// A bound like `for<'late> System: AsyncTime` is asked when the method is called, not when it is defined: so a missing
// feature is an error at the call, in the words of the trait.

/// # Running something
///
/// These are the methods of the [`Waiter`] that the policy makes; see there for examples and for more of them.
impl ExponentialBackoff {
    /// A waiter with the defaults for everything but the policy.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().waiter().name("load").wait(|| Some(7)), Ok(7));
    /// ```
    pub const fn waiter(self) -> Waiter {
        Waiter::new(self)
    }

    /// [`Waiter::time`].
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// assert!(ExponentialBackoff::new().time(VirtualTime::new()).wait(|| None::<u8>).is_err());
    /// ```
    pub fn time<T: Timeline>(self, time: T) -> Waiter<T> {
        self.waiter().time(time)
    }

    /// [`Waiter::random`].
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, random::NoRandom};
    /// assert_eq!(ExponentialBackoff::new().random(NoRandom).wait(|| Some(7)), Ok(7));
    /// ```
    pub fn random<R>(self, random: R) -> Waiter<System, R> {
        self.waiter().random(random)
    }

    /// [`Waiter::cancel`].
    ///
    /// ```
    /// # use backoff_core::{CancelToken, ExponentialBackoff};
    /// assert_eq!(ExponentialBackoff::new().cancel(&CancelToken::new()).wait(|| Some(7)), Ok(7));
    /// ```
    #[cfg(feature = "std")]
    pub fn cancel(self, token: &CancelToken) -> Waiter<Cancellable<System>> {
        self.waiter().cancel(token)
    }

    /// [`Waiter::deadline`].
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # use std::time::Instant;
    /// assert_eq!(ExponentialBackoff::new().deadline(Instant::now()).wait(|| Some(7)), Ok(7));
    /// ```
    pub fn deadline(self, deadline: impl Into<<System as Timeline>::Instant>) -> Waiter {
        self.waiter().deadline(deadline)
    }

    /// [`Waiter::when`].
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// let policy = ExponentialBackoff::new().when(|status: &u16| *status >= 500);
    /// assert_eq!(policy.retry(|| Err::<(), _>(404)).unwrap_err().attempts(), 1);
    /// ```
    pub fn when<F, P: FnMut(&F) -> bool>(self, transient: P) -> Waiter<System, SystemRandom, When<P>> {
        self.waiter().when(transient)
    }

    /// [`Waiter::until`].
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().until(|n: &u8| *n == 7).retry(|| 7), Ok(7));
    /// ```
    pub fn until<V, P: FnMut(&V) -> bool>(self, done: P) -> Waiter<System, SystemRandom, Until<P>> {
        self.waiter().until(done)
    }

    /// [`Waiter::hint`].
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # use std::time::Duration;
    /// let policy = ExponentialBackoff::new().hint(|error: &u64| Some(Duration::from_secs(*error)));
    /// assert_eq!(policy.retry(|| Err::<(), _>(60)).unwrap_err().hint(), Some(Duration::from_secs(60)));
    /// ```
    pub fn hint<F, W: IntoHint, P: FnMut(&F) -> W>(self, find: P) -> Waiter<System, SystemRandom, Any, HintFrom<P>> {
        self.waiter().hint(find)
    }

    /// [`Waiter::on_retry`].
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, NotYet, event::Retry};
    /// let policy = ExponentialBackoff::new().on_retry(|event: &Retry<'_, NotYet>| println!("{event:?}"));
    /// assert_eq!(policy.wait(|| Some(7)), Ok(7));
    /// ```
    pub fn on_retry<F, P: FnMut(&Retry<'_, F>)>(self, hook: P) -> Hooked<OnRetry<P>> {
        self.waiter().on_retry(hook)
    }

    /// [`Waiter::on_give_up`].
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, NotYet, event::GiveUp};
    /// let policy = ExponentialBackoff::new().on_give_up(|event: &GiveUp<'_, NotYet>| println!("{event:?}"));
    /// assert_eq!(policy.wait(|| Some(7)), Ok(7));
    /// ```
    pub fn on_give_up<F, P: FnMut(&GiveUp<'_, F>)>(self, hook: P) -> Hooked<OnGiveUp<P>> {
        self.waiter().on_give_up(hook)
    }

    /// [`Waiter::on_success`].
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, event::Success};
    /// let policy = ExponentialBackoff::new().on_success(|event: &Success| println!("{event:?}"));
    /// assert_eq!(policy.wait(|| Some(7)), Ok(7));
    /// ```
    pub fn on_success<P: FnMut(&Success)>(self, hook: P) -> Hooked<OnSuccess<P>> {
        self.waiter().on_success(hook)
    }

    /// [`Waiter::retry`].
    ///
    /// # Errors
    /// The last failure, and why there was no further attempt.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().retry(|| "7".parse::<u8>()), Ok(7));
    /// ```
    #[inline]
    pub fn retry<Out: Outcome>(self, operation: impl FnMut() -> Out) -> Result<Out::Value, RetryError<Out::Failure>>
    where
        for<'late> System: BlockingTime,
        for<'late> SystemRandom: Random,
    {
        self.waiter().retry(operation)
    }

    /// [`Waiter::wait`].
    ///
    /// # Errors
    /// Why there was no further attempt.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().wait(|| Some(7)), Ok(7));
    /// ```
    #[inline]
    pub fn wait<V>(self, operation: impl FnMut() -> Option<V>) -> Result<V, RetryError<NotYet>>
    where
        for<'late> System: BlockingTime,
        for<'late> SystemRandom: Random,
    {
        self.waiter().wait(operation)
    }

    /// [`Waiter::retry_async`].
    ///
    /// # Errors
    /// The last failure, and why there was no further attempt.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// assert_eq!(ExponentialBackoff::new().retry_async(async || "7".parse::<u8>()).await, Ok(7));
    /// # }
    /// ```
    #[inline]
    pub fn retry_async<Fut: Future<Output: Outcome>>(
        self,
        operation: impl FnMut() -> Fut,
    ) -> impl Future<Output = Result<<Fut::Output as Outcome>::Value, RetryError<<Fut::Output as Outcome>::Failure>>>
    where
        for<'late> System: AsyncTime,
        for<'late> SystemRandom: Random,
    {
        self.waiter().retry_async(operation)
    }

    /// [`Waiter::wait_async`].
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
    ) -> impl Future<Output = Result<V, RetryError<NotYet>>>
    where
        for<'late> System: AsyncTime,
        for<'late> SystemRandom: Random,
    {
        self.waiter().wait_async(operation)
    }

    /// [`Waiter::start`].
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let run = ExponentialBackoff::new().start();
    /// assert_eq!(run.attempt().number(), 1);
    /// # }
    /// ```
    #[inline]
    pub fn start(self) -> AsyncLoop<System, SystemRandom, Any, Nothing, Nothing>
    where
        for<'late> System: AsyncTime,
        for<'late> SystemRandom: Random,
    {
        self.waiter().start()
    }

    /// [`Waiter::start_blocking`].
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// let run = ExponentialBackoff::new().start_blocking();
    /// assert_eq!(run.attempt().number(), 1);
    /// ```
    #[inline]
    pub fn start_blocking(self) -> BlockingLoop<System, SystemRandom, Any, Nothing, Nothing>
    where
        for<'late> System: BlockingTime,
        for<'late> SystemRandom: Random,
    {
        self.waiter().start_blocking()
    }
}
