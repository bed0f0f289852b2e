//! What a run holds while it is under way.

use super::Rested;
#[cfg(feature = "std")]
use crate::guard::{Permit, Slot};
use crate::guard::{RetryTokens, Taken};

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
    pub(super) lender: Option<&'g dyn RetryTokens>,
    /// What the last retry took.
    pub(super) taken: Option<Taken>,
}

impl Held<'_> {
    /// The waiting is over. If the retry is made now, what it took is spent.
    pub(super) fn resume(&mut self, rested: Rested) -> Rested {
        if rested == Rested::Go {
            self.lender = None;
        }
        rested
    }

    /// The retry is not made.
    pub(super) fn give_back(&mut self) {
        if let (Some(lender), Some(taken)) = (self.lender.take(), self.taken.take()) {
            lender.give_back(taken);
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}
