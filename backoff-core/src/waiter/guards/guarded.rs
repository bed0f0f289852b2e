//! A run under guards.

use core::time::Duration;

use super::held::Asked;
use super::{GuardSet, Guards, Held, Rested, sleep};
use crate::clock::{AsyncSleep, Clock, Sleep};
use crate::error::Reason;
use crate::guard::{Moment, Origin, Rejected};
use crate::run::{Failure, Pause};

impl<'g, I: Origin + 'static> GuardSet<I> for Guards<'g> {
    type Held = Held<'g>;
    type Kept<F> = F;
    const MAY_END_WAITING: bool = true;

    fn admit<C: Clock<Instant = I>>(&self, held: &mut Held<'g>, clock: &C) -> Result<(), Rejected> {
        #[cfg(not(feature = "std"))]
        let _ = held;
        let now = || Moment::of(clock);
        #[cfg(feature = "std")]
        if let Some(breaker) = self.breaker {
            held.permit = Some(breaker.admit(now)?);
        }
        if let Some(tokens) = self.tokens {
            tokens.began(&now);
        }
        Ok(())
    }

    fn failed<C: Clock<Instant = I>>(&self, held: &mut Held<'g>, clock: &C, failure: Failure) {
        #[cfg(not(feature = "std"))]
        let _ = held;
        let now = || Moment::of(clock);
        // A permanent failure is an answer: the service is there.
        let answered = !failure.transient;
        #[cfg(feature = "std")]
        if let (Some(pacer), Some(slot)) = (self.pacer, held.slot.take()) {
            pacer.settle(slot, answered, now);
            if let Some(hint) = failure.hint {
                pacer.block_until(now().after(hint));
            }
        }
        if let (Some(tokens), false) = (self.tokens, answered) {
            tokens.failed(&now);
        }
    }

    fn allow<C: Clock<Instant = I>>(&self, held: &mut Held<'g>, clock: &C, _: &Pause) -> Result<(), Reason> {
        let now = || Moment::of(clock);
        match self.tokens {
            Some(tokens) if !held.ask(tokens, &now) && !tokens.is_patient() => Err(Reason::RetryBudget),
            _ => Ok(()),
        }
    }

    fn succeeded<C: Clock<Instant = I>>(&self, held: &mut Held<'g>, clock: &C) {
        let now = || Moment::of(clock);
        #[cfg(feature = "std")]
        if let (Some(pacer), Some(slot)) = (self.pacer, held.slot.take()) {
            pacer.settle(slot, true, now);
        }
        #[cfg(feature = "std")]
        if let Some(permit) = held.permit.take() {
            permit.succeeded(now);
        }
        if let Some(tokens) = self.tokens {
            tokens.succeeded(held.taken, &now);
        }
    }

    fn ended<C: Clock<Instant = I>>(&self, held: &mut Held<'g>, clock: &C, reason: Reason) {
        #[cfg(not(feature = "std"))]
        let _ = (clock, reason);
        #[cfg(feature = "std")]
        if let Some(permit) = held.permit.take() {
            match reason {
                Reason::Cancelled => drop(permit),
                Reason::NotRetryable => permit.succeeded(|| Moment::of(clock)),
                _ => permit.failed(|| Moment::of(clock)),
            }
        }
        *held = Held::default();
    }

    fn pace<S: Sleep<Instant = I>>(
        &self,
        held: &mut Held<'g>,
        clock: &S,
        left: impl FnOnce() -> Option<Duration>,
    ) -> Rested {
        #[cfg(feature = "std")]
        if let Some(pacer) = self.pacer {
            let end = left().map(|left| Moment::of(clock).after(left));
            let (slot, waited) = pacer.turn(clock, 1, end);
            held.slot = slot;
            return waited.into();
        }
        let _ = (held, clock, left);
        Rested::Go
    }

    async fn pace_async<S: AsyncSleep<Instant = I>>(
        &self,
        held: &mut Held<'g>,
        clock: &S,
        left: impl FnOnce() -> Option<Duration>,
    ) -> Rested {
        #[cfg(feature = "std")]
        if let Some(pacer) = self.pacer {
            let end = left().map(|left| Moment::of(clock).after(left));
            let (slot, waited) = pacer.turn_async(clock, 1, end).await;
            held.slot = slot;
            return waited.into();
        }
        let _ = (held, clock, left);
        Rested::Go
    }

    fn rest<S: Sleep<Instant = I>>(
        &self,
        held: &mut Held<'g>,
        clock: &S,
        pause: &Pause,
        left: impl Fn() -> Option<Duration>,
    ) -> Rested {
        loop {
            if sleep(clock, pause.sleep) == Rested::Cancelled {
                return Rested::Cancelled;
            }
            match held.ask_again(clock, pause, &left) {
                Asked::Allowed => break,
                Asked::Refused => {}
                Asked::Over => return Rested::Over,
            }
        }
        let rested = self.pace(held, clock, left);
        held.resume(rested)
    }

    async fn rest_async<S: AsyncSleep<Instant = I>>(
        &self,
        held: &mut Held<'g>,
        clock: &S,
        pause: &Pause,
        left: impl Fn() -> Option<Duration>,
    ) -> Rested {
        loop {
            clock.sleep_async(pause.sleep).await;
            match held.ask_again(clock, pause, &left) {
                Asked::Allowed => break,
                Asked::Refused => {}
                Asked::Over => return Rested::Over,
            }
        }
        let rested = self.pace_async(held, clock, left).await;
        held.resume(rested)
    }

    fn keep<F>(failure: F) -> F {
        failure
    }

    fn kept<F>(failure: F) -> Option<F> {
        Some(failure)
    }
}

#[cfg(feature = "std")]
impl From<crate::guard::Waited> for Rested {
    fn from(waited: crate::guard::Waited) -> Self {
        use crate::guard::Waited;
        match waited {
            Waited::Turn => Self::Go,
            Waited::Over => Self::Over,
            Waited::Cancelled => Self::Cancelled,
        }
    }
}
