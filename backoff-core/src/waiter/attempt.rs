//! What the body of an attempt can ask.

use core::fmt;
use core::time::Duration;

use super::progress::inherited;
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
    clock: &'a C,
    start: Option<C::Instant>,
    budget: Option<Duration>,
    deadline: Option<C::Instant>,
}

impl<'a, C: Clock> Attempt<'a, C> {
    pub(super) const fn new(
        number: u32,
        clock: &'a C,
        start: Option<C::Instant>,
        budget: Option<Duration>,
        deadline: Option<C::Instant>,
    ) -> Self {
        Self { number, clock, start, budget, deadline }
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
    /// Reads the clock. Zero for an attempt that follows a trimmed sleep: such a run has used its budget up, and a client
    /// that takes zero for "at once" should be given a floor.
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

impl<C: Clock> fmt::Debug for Attempt<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt").field("number", &self.number).finish_non_exhaustive()
    }
}
