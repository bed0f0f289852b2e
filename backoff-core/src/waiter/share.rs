//! The methods that put a waiter under guards.

use super::{Guards, Waiter};
use crate::ExponentialBackoff;
use crate::clock::{System, Timeline};
use crate::guard::RetryTokens;
#[cfg(feature = "std")]
use crate::guard::{CircuitBreaker, Pacer, RetryQueue};
use crate::random::SystemRandom;

impl<T: Timeline, R, C, H, O, G> Waiter<T, R, C, H, O, G> {
    /// Shares a retry budget: [`RetryBudget`](crate::guard::RetryBudget) or any other rule of
    /// [`RetryTokens`]. Asked last before each retry; a refusal ends the run at once with
    /// [`Reason::RetryBudget`](crate::Reason::RetryBudget).
    ///
    /// ```
    /// use backoff_core::guard::RetryBudget;
    /// use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    ///
    /// static BUDGET: RetryBudget = RetryBudget::new();
    /// let error = ExponentialBackoff::new()
    ///     .time(VirtualTime::new())
    ///     .retry_budget(&BUDGET)
    ///     .retry(|| Err::<(), _>("down"))
    ///     .unwrap_err();
    /// assert_eq!(error.attempts(), 5);
    /// ```
    pub fn retry_budget<'g>(self, tokens: &'g dyn RetryTokens) -> Waiter<T, R, C, H, O, Guards<'g>>
    where
        G: Into<Guards<'g>>,
    {
        self.planned(|plan| plan.guards(|guards| guards.into().retry_budget(tokens)))
    }

    /// Shares a circuit breaker. Asked once, before the first attempt; a rejection ends the run at once with
    /// [`Reason::CircuitOpen`](crate::Reason::CircuitOpen), and [`hint`](crate::RetryError::hint) says when to come back.
    ///
    /// ```
    /// use backoff_core::guard::CircuitBreaker;
    /// use backoff_core::{ExponentialBackoff, Reason};
    ///
    /// static BREAKER: CircuitBreaker = CircuitBreaker::new().failures(1);
    /// let policy = ExponentialBackoff::new().max_attempts(1);
    /// let _ = policy.breaker(&BREAKER).retry(|| Err::<(), _>("down"));
    /// let error = policy.breaker(&BREAKER).retry(|| Ok::<_, &str>(7)).unwrap_err();
    /// assert_eq!((error.reason(), error.attempts()), (Reason::CircuitOpen, 0));
    /// assert!(error.hint().unwrap().as_secs() <= 10);
    /// ```
    #[cfg(feature = "std")]
    pub fn breaker<'g>(self, breaker: &'g CircuitBreaker) -> Waiter<T, R, C, H, O, Guards<'g>>
    where
        G: Into<Guards<'g>>,
    {
        self.planned(|plan| plan.guards(|guards| guards.into().breaker(breaker)))
    }

    /// Shares a pacer: each attempt waits for its slot, the first included. A slot that lies behind the end of the run ends
    /// it.
    ///
    /// ```
    /// use backoff_core::guard::Pacer;
    /// use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// use std::time::Duration;
    ///
    /// static PACER: Pacer = Pacer::new().interval(Duration::from_secs(1));
    /// let time = VirtualTime::new();
    /// for _ in 0..2 {
    ///     assert_eq!(ExponentialBackoff::new().time(&time).pacer(&PACER).wait(|| Some(7)), Ok(7));
    /// }
    /// assert_eq!(time.elapsed(), Duration::from_millis(985));
    /// ```
    #[cfg(feature = "std")]
    pub fn pacer<'g>(self, pacer: &'g Pacer) -> Waiter<T, R, C, H, O, Guards<'g>>
    where
        G: Into<Guards<'g>>,
    {
        self.planned(|plan| plan.guards(|guards| guards.into().pacer(pacer)))
    }

    /// Shares a retry queue: a call that failed waits in line instead of sleeping, and goes when the service answers others, or
    /// as a probe. If the line is full the run ends with [`Reason::RetryQueue`](crate::Reason::RetryQueue). Experimental.
    ///
    /// ```
    /// use backoff_core::guard::RetryQueue;
    /// use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// use std::time::Duration;
    ///
    /// static QUEUE: RetryQueue = RetryQueue::new();
    /// let (time, mut left) = (VirtualTime::new(), 2);
    /// let result = ExponentialBackoff::new().time(&time).retry_queue(&QUEUE).retry(|| {
    ///     left -= 1;
    ///     if left > 0 { Err("down") } else { Ok(7) }
    /// });
    /// assert_eq!((result, time.elapsed()), (Ok(7), Duration::from_millis(200)));
    /// ```
    #[cfg(feature = "std")]
    pub fn retry_queue<'g>(self, queue: &'g RetryQueue) -> Waiter<T, R, C, H, O, Guards<'g>>
    where
        G: Into<Guards<'g>>,
    {
        self.planned(|plan| plan.guards(|guards| guards.into().retry_queue(queue)))
    }
}

/// A policy under guards.
type Guarded<'g> = Waiter<System, SystemRandom, super::Any, super::Nothing, super::Nothing, Guards<'g>>;

/// # Under guards
///
/// These put the [`Waiter`] that the policy makes under guards, which many runs share.
impl ExponentialBackoff {
    /// [`Waiter::retry_budget`].
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, guard::RetryBudget};
    /// assert_eq!(ExponentialBackoff::new().retry_budget(&RetryBudget::new()).wait(|| Some(7)), Ok(7));
    /// ```
    pub fn retry_budget(self, tokens: &dyn RetryTokens) -> Guarded<'_> {
        self.waiter().retry_budget(tokens)
    }

    /// [`Waiter::breaker`].
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, guard::CircuitBreaker};
    /// assert_eq!(ExponentialBackoff::new().breaker(&CircuitBreaker::new()).wait(|| Some(7)), Ok(7));
    /// ```
    #[cfg(feature = "std")]
    pub fn breaker(self, breaker: &CircuitBreaker) -> Guarded<'_> {
        self.waiter().breaker(breaker)
    }

    /// [`Waiter::pacer`].
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, guard::Pacer};
    /// assert_eq!(ExponentialBackoff::new().pacer(&Pacer::new()).wait(|| Some(7)), Ok(7));
    /// ```
    #[cfg(feature = "std")]
    pub fn pacer(self, pacer: &Pacer) -> Guarded<'_> {
        self.waiter().pacer(pacer)
    }

    /// [`Waiter::retry_queue`].
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, guard::RetryQueue};
    /// assert_eq!(ExponentialBackoff::new().retry_queue(&RetryQueue::new()).wait(|| Some(7)), Ok(7));
    /// ```
    #[cfg(feature = "std")]
    pub fn retry_queue(self, queue: &RetryQueue) -> Guarded<'_> {
        self.waiter().retry_queue(queue)
    }
}
