//! A quota of retries, with a price that is given back.

use core::fmt;

use super::{Now, RetryTokens, Taken};
use crate::guard::setting::setting;
use crate::guard::word::Word;

/// A quota that retries are paid from, and that a success gives back what its last retry cost: the rule of the AWS SDKs
/// in their standard mode.
///
/// The default is 500 tokens and 5 for a retry. A success at the first attempt gives one token back. A kind of failure
/// that should cost more, such as a timeout, is one quota seen at [another price](Self::at_cost).
///
/// ```
/// use backoff_core::guard::RetryQuota;
/// use backoff_core::{ExponentialBackoff, Reason, testing::VirtualTime};
///
/// static QUOTA: RetryQuota = RetryQuota::new().capacity(10);
/// let policy = ExponentialBackoff::new().max_attempts(5);
/// let error = policy.time(VirtualTime::new()).retry_budget(&QUOTA).retry(|| Err::<(), _>("down")).unwrap_err();
/// assert_eq!((error.reason(), error.attempts()), (Reason::RetryBudget, 3));
/// ```
pub struct RetryQuota {
    spent: Word,
    capacity: u32,
    cost: u32,
}

/// A [`RetryQuota`] at a price of its own. Made by [`RetryQuota::at_cost`].
#[derive(Debug)]
pub struct AtCost<'a> {
    quota: &'a RetryQuota,
    cost: u32,
}

impl RetryQuota {
    /// 500 tokens, 5 for a retry.
    #[must_use]
    pub const fn new() -> Self {
        Self { spent: Word::new(0), capacity: 500, cost: 5 }
    }

    setting! {
        /// Sets how many tokens there are: at least 1, by default 500.
        ///
        /// ```
        /// # use backoff_core::guard::RetryQuota;
        /// assert_eq!(RetryQuota::new().capacity(4).left(), 4);
        /// ```
        capacity / try_capacity(self, tokens: u32)
            if tokens >= 1, else "`capacity` of a retry quota must be at least 1";
            self.capacity = tokens
    }

    setting! {
        /// Sets what a retry costs: at least 1, by default 5.
        ///
        /// ```
        /// # use backoff_core::guard::RetryQuota;
        /// static QUOTA: RetryQuota = RetryQuota::new().cost(14);
        /// ```
        cost / try_cost(self, tokens: u32)
            if tokens >= 1, else "`cost` of a retry quota must be at least 1";
            self.cost = tokens
    }

    /// The tokens that are left.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.capacity - self.spent.get()
    }

    /// The same quota, where a retry costs that much.
    ///
    /// ```
    /// use backoff_core::guard::{Moment, RetryQuota, RetryTokens};
    /// let quota = RetryQuota::new();
    /// assert!(quota.at_cost(10).take(&Moment::now).is_some());
    /// assert_eq!(quota.left(), 490);
    /// ```
    #[must_use]
    pub const fn at_cost(&self, cost: u32) -> AtCost<'_> {
        AtCost { quota: self, cost }
    }

    fn spend(&self, cost: u32) -> Option<Taken> {
        let spend = |spent: u32| spent.checked_add(cost).filter(|spent| *spent <= self.capacity);
        self.spent.change(spend).then_some(Taken(cost))
    }

    fn refund(&self, tokens: u32) {
        let refund = |spent: u32| (spent > 0).then(|| spent.saturating_sub(tokens));
        self.spent.change(refund);
    }
}

impl RetryTokens for RetryQuota {
    fn take(&self, _: Now<'_>) -> Option<Taken> {
        self.spend(self.cost)
    }

    fn give_back(&self, taken: Taken) {
        self.refund(taken.0);
    }

    fn succeeded(&self, last: Option<Taken>, _: Now<'_>) {
        self.refund(last.map_or(1, |taken| taken.0));
    }
}

impl RetryTokens for AtCost<'_> {
    fn take(&self, _: Now<'_>) -> Option<Taken> {
        self.quota.spend(self.cost)
    }

    fn give_back(&self, taken: Taken) {
        self.quota.give_back(taken);
    }

    fn succeeded(&self, last: Option<Taken>, now: Now<'_>) {
        self.quota.succeeded(last, now);
    }
}

impl Default for RetryQuota {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for RetryQuota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryQuota")
            .field("left", &self.left())
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}
