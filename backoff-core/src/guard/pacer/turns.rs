//! Calls that wait in the line of a pacer until their slot is due.

use core::time::Duration;

use super::{Pacer, Slot};
use crate::clock::{AsyncSleep, Clock, Sleep};
use crate::guard::line::{Place, Queued, Turn, Waited, until};
use crate::guard::{Moment, Origin};

impl Pacer {
    /// A slot, or why there is none.
    pub(crate) fn turn<S: Sleep>(&self, clock: &S, slots: u32, end: Option<Moment>) -> (Option<Slot>, Waited)
    where
        S::Instant: Origin,
    {
        match self.join(Moment::of(clock), slots) {
            Ok(slot) => (Some(slot), Waited::Turn(Duration::ZERO)),
            Err(number) => began(Place::new(Request { pacer: self, slots }, number).wait(clock, end), clock),
        }
    }

    /// A slot, or why there is none.
    pub(crate) async fn turn_async<S: AsyncSleep>(
        &self,
        clock: &S,
        slots: u32,
        end: Option<Moment>,
    ) -> (Option<Slot>, Waited)
    where
        S::Instant: Origin,
    {
        match self.join(Moment::of(clock), slots) {
            Ok(slot) => (Some(slot), Waited::Turn(Duration::ZERO)),
            Err(number) => {
                began(Place::new(Request { pacer: self, slots }, number).wait_async(clock, end).await, clock)
            }
        }
    }

    /// Takes a slot at once if there is one and nobody waits, else a number in the line.
    fn join(&self, now: Moment, slots: u32) -> Result<Slot, u64> {
        self.try_reserve(now, slots).map_err(|_| self.locked(|state| state.line.join()))
    }
}

/// The slot of a call that waited for it.
fn began<C: Clock>(waited: Waited, clock: &C) -> (Option<Slot>, Waited)
where
    C::Instant: Origin,
{
    (matches!(waited, Waited::Turn(_)).then(|| Slot { started: Moment::of(clock) }), waited)
}

/// A waiting call, which may want more than one slot.
struct Request<'a> {
    pacer: &'a Pacer,
    slots: u32,
}

impl Queued for Request<'_> {
    fn turn(&self, number: u64, now: Moment, left: Option<Duration>) -> Turn {
        self.pacer.locked(|state| {
            let mut wait = None;
            if state.line.is_head(number) {
                match self.pacer.take(&mut state.pace, now, self.slots, true) {
                    Ok(()) => {
                        state.line.leave(number);
                        return Turn::Go;
                    }
                    Err(due) => wait = due.map(|due| due.since(now)),
                }
            }
            // Whoever is at the head and can't be served in time leaves at once. Those behind wait: the interval may become
            // shorter.
            let is_late = left.is_some_and(|left| left < wait.unwrap_or(Duration::from_nanos(1)));
            if is_late {
                state.line.leave(number);
                return Turn::Over;
            }
            Turn::Wait(until(wait, left), state.line.bell(number))
        })
    }

    fn leave(&self, number: u64) {
        self.pacer.locked(|state| state.line.leave(number));
    }
}
