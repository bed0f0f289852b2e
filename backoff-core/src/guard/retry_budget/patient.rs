//! Runs that have to get through.

use super::{Now, RetryTokens, Taken};

/// A rule that makes a run wait where it would refuse it: for calls that have to get through.
///
/// A run that is refused a retry sleeps as it would have done before it, and asks again, until it is allowed or its own
/// budget ends. What is refused is no attempt and does not count as one. So nobody is given up for lack of tokens, and retries
/// stay within the rule all the same.
///
/// ```
/// use backoff_core::guard::{Patient, RetryBudget};
/// use backoff_core::{ExponentialBackoff, Reason, testing::VirtualTime};
///
/// static BUDGET: Patient<RetryBudget> = Patient(RetryBudget::new().max_tokens(1));
/// let time = VirtualTime::new();
/// let error = ExponentialBackoff::new().time(&time).retry_budget(&BUDGET).retry(|| Err::<(), _>("down")).unwrap_err();
/// assert_eq!((error.reason(), error.attempts()), (Reason::Budget, 1));
/// assert_eq!(time.elapsed().as_millis(), 3_400);
/// ```
#[derive(Debug, Default)]
pub struct Patient<R>(
    /// The rule.
    pub R,
);

impl<R: RetryTokens> RetryTokens for Patient<R> {
    fn began(&self, now: Now<'_>) {
        self.0.began(now);
    }

    fn failed(&self, now: Now<'_>) {
        self.0.failed(now);
    }

    fn take(&self, now: Now<'_>) -> Option<Taken> {
        self.0.take(now)
    }

    fn give_back(&self, taken: Taken) {
        self.0.give_back(taken);
    }

    fn succeeded(&self, last: Option<Taken>, now: Now<'_>) {
        self.0.succeeded(last, now);
    }

    fn is_patient(&self) -> bool {
        true
    }
}
