//! What a run holds while it is under way.

use core::time::Duration;

use super::Rested;
use crate::clock::Clock;
use crate::guard::{Moment, Now, Origin, RetryTokens, Taken};
#[cfg(feature = "std")]
use crate::guard::{Permit, Slot};
use crate::run::Pause;

/// What a run has got from its guards. Dropped, it gives everything back: the permit of the breaker, what was taken for a retry that
/// is not made, the place in the queue.
#[derive(Default)]
pub struct Held<'g> {
    #[cfg(feature = "std")]
    pub(super) permit: Option<Permit<'g>>,
    /// The attempt's turn, as the pacer gave it.
    #[cfg(feature = "std")]
    pub(super) slot: Option<Slot>,
    /// Who gets back what was taken.
    lender: Option<&'g dyn RetryTokens>,
    /// Who refused a retry, and is to be asked again.
    refuser: Option<&'g dyn RetryTokens>,
    /// What the last retry took.
    pub(super) taken: Option<Taken>,
}

/// What came of asking again.
pub(super) enum Asked {
    /// The retry was allowed, and the sleep before it is over.
    Allowed,
    /// There is to be another sleep: before the retry, or before asking once more.
    Refused,
    /// Another sleep does not fit into the run.
    Over,
}

impl<'g> Held<'g> {
    /// Asks for a retry.
    pub(super) fn ask(&mut self, tokens: &'g dyn RetryTokens, now: Now<'_>) -> bool {
        self.taken = tokens.take(now);
        let is_allowed = self.taken.is_some();
        (self.lender, self.refuser) = if is_allowed { (Some(tokens), None) } else { (None, Some(tokens)) };
        is_allowed
    }

    /// Asks once more after a sleep, if the retry was refused before it.
    pub(super) fn ask_again<C: Clock>(&mut self, clock: &C, pause: &Pause, left: impl Fn() -> Option<Duration>) -> Asked
    where
        C::Instant: Origin,
    {
        let Some(tokens) = self.refuser else { return Asked::Allowed };
        self.ask(tokens, &|| Moment::of(clock));
        if left().is_some_and(|left| left < pause.sleep) { Asked::Over } else { Asked::Refused }
    }

    /// The waiting is over. If the retry is made now, what it took is spent.
    pub(super) fn resume(&mut self, rested: Rested) -> Rested {
        if rested == Rested::Go {
            self.lender = None;
        }
        rested
    }
}

/// A retry that is not made gives back what it took.
impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let (Some(lender), Some(taken)) = (self.lender, self.taken) {
            lender.give_back(taken);
        }
    }
}
