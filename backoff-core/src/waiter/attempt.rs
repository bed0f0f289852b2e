//! What the body of an attempt can ask.

use core::fmt;
use core::time::Duration;

use super::elapsed::inherited;
use crate::clock::Clock;

/// The attempt that is under way: its number, and how much time is left for it.
///
/// ```
/// use backoff_core::{ExponentialBackoff, Attempt};
/// use std::time::Duration;
///
/// let value = ExponentialBackoff::new().waiter().retry_with(|attempt| {
///     // hand what is left to the client that does the work
///     let timeout = attempt.remaining().unwrap_or(Duration::from_secs(30));
///     if timeout <= Duration::from_millis(3_500) { Ok(attempt.number()) } else { Err("no budget") }
/// });
/// assert_eq!(value, Ok(1));
/// ```
#[derive(Clone, Copy)]
pub struct Attempt<'a, C: Clock> {
    number: u32,
    is_last: bool,
    clock: &'a C,
    start: Option<C::Instant>,
    budget: Option<Duration>,
    deadline: Option<C::Instant>,
}

impl<'a, C: Clock> Attempt<'a, C> {
    pub(super) const fn new(
        number: u32,
        is_last: bool,
        clock: &'a C,
        start: Option<C::Instant>,
        budget: Option<Duration>,
        deadline: Option<C::Instant>,
    ) -> Self {
        Self { number, is_last, clock, start, budget, deadline }
    }

    /// The number of the attempt, from 1.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// let number = ExponentialBackoff::new().waiter().retry_with(|attempt| Ok::<_, ()>(attempt.number()));
    /// assert_eq!(number, Ok(1));
    /// ```
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// How much time is left now: the nearer of budget and deadline, less what has passed; none if there is neither.
    ///
    /// Reads the clock. Little or nothing for an attempt that follows a trimmed sleep: such a run has used its budget up. For
    /// a client that takes zero for "at once", [`timeout`](Self::timeout) is the better question.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// let policy = ExponentialBackoff::new().unlimited();
    /// let left = policy.waiter().retry_with(|attempt| Ok::<_, ()>(attempt.remaining()));
    /// assert_eq!(left, Ok(None));
    /// ```
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        let budget = self.start.zip(self.budget);
        let deadlines = [self.deadline, inherited()];
        if budget.is_none() && deadlines.iter().all(Option::is_none) {
            return None;
        }
        let now = self.clock.now();
        let of_budget = budget.map(|(start, budget)| budget.saturating_sub(self.clock.elapsed(start, now)));
        let of_deadlines = deadlines.into_iter().flatten().map(|deadline| self.clock.elapsed(now, deadline));
        of_budget.into_iter().chain(of_deadlines).min()
    }
}

impl<C: Clock> Attempt<'_, C> {
    /// The timeout for a client that does the work of this attempt, given the timeout that it has of its `own`: the shorter
    /// of that and what remains. None if the run has no end: then the client's own stands. Reads the clock.
    ///
    /// The attempt after a trimmed sleep is the last, whatever the clock says, and what remains for it would be no attempt
    /// at all. So it gets the client's own timeout, or else `last`, if that is more than what remains.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// # use std::time::Duration;
    /// let mut timeouts = Vec::new();
    /// let policy = ExponentialBackoff::new().initial(Duration::from_secs(3)).time(VirtualTime::new());
    /// let _ = policy.retry_with(|attempt| {
    ///     timeouts.push(attempt.timeout(None, Duration::from_secs(1)).unwrap());
    ///     None::<u8>
    /// });
    /// assert_eq!(timeouts, [3_500, 500, 1_000].map(Duration::from_millis));
    /// ```
    #[must_use]
    pub fn timeout(&self, own: Option<Duration>, last: Duration) -> Option<Duration> {
        let remaining = self.remaining()?;
        Some(match own {
            _ if !self.is_last && !remaining.is_zero() => own.map_or(remaining, |own| own.min(remaining)),
            Some(own) => own,
            None => last.max(remaining),
        })
    }
}

impl<C: Clock> fmt::Debug for Attempt<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt").field("number", &self.number).finish_non_exhaustive()
    }
}
