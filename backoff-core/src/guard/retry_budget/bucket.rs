//! Tokens that failures cost and successes earn.

use core::fmt;

use super::{Now, RetryTokens, TOKEN, Taken, thousandths};
use crate::guard::setting::setting;
use crate::guard::word::Word;

/// Tokens that all runs of a service share: each failure costs one, each success earns a tenth, and a retry is allowed
/// while more than half of them are left.
///
/// In an outage the tokens are soon gone, and the service gets its first attempts only; once it answers, every ten
/// successes allow one retry. So retries stay within `ratio` of the successes, and half of `max_tokens` on top. The rule
/// is that of gRPC's retry throttling (gRFC A6).
///
/// **The price.** A run that is refused ends with its last failure. In an outage that is nearly every run, and without any
/// success nothing refills the tokens: a crowd of clients that failed together and has no other traffic is given up whole.
/// So no run is under a budget unless it asks, and what has to get through should not ask.
///
/// A constant, so it can be a `static`. Lock-free, on every target with 32-bit atomics. A success while the tokens are all
/// there reads one number and writes nothing.
///
/// ```
/// use backoff_core::guard::RetryBudget;
/// use backoff_core::{ExponentialBackoff, Reason, exponential_backoff, testing::VirtualTime};
///
/// static BUDGET: RetryBudget = RetryBudget::new();
///
/// #[exponential_backoff(retry_budget = BUDGET)]
/// fn load() -> Result<u8, &'static str> {
///     Err("down")
/// }
///
/// let time = VirtualTime::new();
/// let _virtual = time.enter();
/// assert_eq!(load(), Err("down"));
/// assert_eq!(BUDGET.snapshot().refused, 1);
/// // by hand, the same tokens
/// let error = ExponentialBackoff::new().retry_budget(&BUDGET).retry(|| Err::<(), _>("down")).unwrap_err();
/// assert_eq!((error.reason(), error.attempts()), (Reason::RetryBudget, 1));
/// ```
pub struct RetryBudget {
    /// What was spent, in thousandths: so a new budget is full whatever its maximum.
    spent: Word,
    allowed: Word,
    refused: Word,
    max: u32,
    ratio: u32,
    cost: u32,
}

/// What a [`RetryBudget`] looks like at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BudgetSnapshot {
    /// The tokens that are left, in thousandths.
    pub thousandths: u32,
    /// The most there can be, in thousandths.
    pub max_thousandths: u32,
    /// Retries that were allowed since the start; wraps around after four billion.
    pub allowed: u32,
    /// Retries that were refused since the start; wraps around after four billion.
    pub refused: u32,
}

impl RetryBudget {
    /// Ten tokens, a cost of one for each failure, a tenth for each success.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            spent: Word::new(0),
            allowed: Word::new(0),
            refused: Word::new(0),
            max: 10 * TOKEN,
            ratio: TOKEN / 10,
            cost: TOKEN,
        }
    }

    setting! {
        /// Sets the most tokens there can be, which is also how many there are at the start: from 1 to 1,000, by default 10.
        ///
        /// ```
        /// use backoff_core::guard::RetryBudget;
        /// static BUDGET: RetryBudget = RetryBudget::new().max_tokens(100);
        /// assert_eq!(BUDGET.snapshot().thousandths, 100_000);
        /// ```
        max_tokens / try_max_tokens(self, tokens: u32)
            if matches!(tokens, 1..=1_000), else "`max_tokens` of a retry budget must be from 1 to 1,000";
            self.max = tokens * TOKEN
    }

    setting! {
        /// Sets what a success earns, in tokens: from 0.001 to 1,000 in steps of 0.001, by default 0.1. Exact: ten successes
        /// of 0.1 are one token.
        ///
        /// ```
        /// use backoff_core::guard::RetryBudget;
        /// static BUDGET: RetryBudget = RetryBudget::new().ratio(0.2);
        /// assert!(RetryBudget::new().try_ratio(f64::NAN).is_err());
        /// ```
        ratio / try_ratio(self, tokens: f64)
            if matches!(thousandths(tokens), 1..=1_000_000),
            else "`ratio` of a retry budget must be from 0.001 to 1,000, in steps of 0.001";
            self.ratio = thousandths(tokens)
    }

    setting! {
        /// Sets what a failure costs, in tokens: from 0.001 to 1,000 in steps of 0.001, by default 1.
        ///
        /// ```
        /// use backoff_core::guard::RetryBudget;
        /// static BUDGET: RetryBudget = RetryBudget::new().cost(2.0);
        /// ```
        cost / try_cost(self, tokens: f64)
            if matches!(thousandths(tokens), 1..=1_000_000),
            else "`cost` of a retry budget must be from 0.001 to 1,000, in steps of 0.001";
            self.cost = thousandths(tokens)
    }

    /// The tokens that are left, and what was allowed and refused. Reads three numbers, each for itself.
    ///
    /// ```
    /// # use backoff_core::guard::RetryBudget;
    /// let snapshot = RetryBudget::new().snapshot();
    /// assert_eq!((snapshot.thousandths, snapshot.max_thousandths), (10_000, 10_000));
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> BudgetSnapshot {
        BudgetSnapshot {
            thousandths: self.max - self.spent.get(),
            max_thousandths: self.max,
            allowed: self.allowed.get(),
            refused: self.refused.get(),
        }
    }

    #[inline]
    fn is_allowed(&self) -> bool {
        // More than half is left: gRPC's rule, doubled so that nothing is rounded.
        self.spent.get() * 2 < self.max
    }
}

impl RetryTokens for RetryBudget {
    #[inline]
    fn failed(&self, _: Now<'_>) {
        let spend = |spent: u32| (spent < self.max).then(|| spent.saturating_add(self.cost).min(self.max));
        self.spent.change(spend);
    }

    #[inline]
    fn take(&self, _: Now<'_>) -> Option<Taken> {
        let is_allowed = self.is_allowed();
        let counter = if is_allowed { &self.allowed } else { &self.refused };
        counter.count();
        is_allowed.then_some(Taken(0))
    }

    #[inline]
    fn succeeded(&self, _: Option<Taken>, _: Now<'_>) {
        let earn = |spent: u32| (spent > 0).then(|| spent.saturating_sub(self.ratio));
        self.spent.change(earn);
    }
}

impl Default for RetryBudget {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for RetryBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RetryBudget").field(&self.snapshot()).finish()
    }
}
