//! What a run holds while it is under way.

use core::time::Duration;

#[cfg(feature = "std")]
use super::Asker;
use crate::clock::Clock;
use crate::guard::{Moment, Now, Origin, RetryTokens, Taken};
#[cfg(feature = "std")]
use crate::guard::{Permit, Place, Retry, RetryQueue, Settled, Slot};
#[cfg(feature = "std")]
use crate::random::Random;
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
    /// The attempt that is under way, as the queue sees it.
    #[cfg(feature = "std")]
    pub(super) attempt: Option<Attempt<'g>>,
    /// The place in the queue's line.
    #[cfg(feature = "std")]
    pub(super) place: Option<Place<Retry<'g>>>,
    /// Whether the server itself said when to come back.
    #[cfg(feature = "std")]
    pub(super) is_hinted: bool,
    /// Who gets back what was taken.
    lender: Option<&'g dyn RetryTokens>,
    /// Who refused a retry, and is to be asked again.
    refuser: Option<&'g dyn RetryTokens>,
    /// What the last retry took.
    pub(super) taken: Option<Taken>,
}

/// An attempt that is under way.
#[cfg(feature = "std")]
pub(super) struct Attempt<'g> {
    pub(super) queue: &'g RetryQueue,
    pub(super) began: Moment,
    pub(super) is_retry: bool,
    /// Whether the others in line wait for how it ends.
    pub(super) is_probe: bool,
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
    pub(super) fn ask_again<C: Clock>(
        &mut self,
        clock: &C,
        pause: &Pause,
        left: impl FnOnce() -> Option<Duration>,
    ) -> Asked
    where
        C::Instant: Origin,
    {
        let Some(tokens) = self.refuser else { return Asked::Allowed };
        self.ask(tokens, &|| Moment::of(clock));
        let fits = left().is_none_or(|left| left >= pause.sleep);
        if fits { Asked::Refused } else { Asked::Over }
    }

    /// The retry is made now: what it took is spent.
    pub(super) fn spend(&mut self) {
        self.lender = None;
    }

    /// Tells the queue how the attempt ended.
    #[cfg(feature = "std")]
    pub(super) fn settle<C: Clock, R: Random>(&mut self, succeeded: bool, run: &Asker<'_, C, R>)
    where
        C::Instant: Origin,
    {
        if let Some(Attempt { queue, began, is_retry, .. }) = &self.attempt {
            let settled = Settled { succeeded, is_retry: *is_retry, began: *began };
            queue.settled(settled, Moment::of(run.clock), run.policy, run.random);
            // Not before: if clock or generator panic, the queue still hears that its probe is gone.
            self.attempt = None;
        }
    }
}

/// A retry that is not made gives back what it took.
impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let (Some(lender), Some(taken)) = (self.lender, self.taken) {
            lender.give_back(taken);
        }
        #[cfg(feature = "std")]
        if let Some(Attempt { queue, began, is_probe: true, .. }) = self.attempt {
            queue.abandoned(began);
        }
    }
}
