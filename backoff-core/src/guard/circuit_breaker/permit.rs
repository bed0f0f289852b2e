//! The way back of an admitted call.

use super::CircuitBreaker;
use super::machine::Ticket;
use crate::guard::Moment;

/// A call that a [`CircuitBreaker`] let through, and that has to say how it ended.
///
/// Dropped without a word, it counts as nothing, and the place of a probe is free again: so a call that is cancelled or
/// panics can't wedge the circuit.
///
/// ```
/// use backoff_core::guard::{CircuitBreaker, Moment};
/// let breaker = CircuitBreaker::new().failures(1);
/// breaker.admit(Moment::now)?.failed(Moment::now);
/// assert!(breaker.admit(Moment::now).is_err());
/// # Ok::<(), backoff_core::guard::Rejected>(())
/// ```
#[derive(Debug)]
#[must_use = "a permit that is dropped counts as nothing"]
pub struct Permit<'a> {
    breaker: &'a CircuitBreaker,
    /// None once it is settled.
    ticket: Option<Ticket>,
}

impl<'a> Permit<'a> {
    pub(super) const fn new(breaker: &'a CircuitBreaker, ticket: Ticket) -> Self {
        Self { breaker, ticket: Some(ticket) }
    }

    /// Whether the circuit looks at this call to decide whether to close.
    #[must_use]
    pub const fn is_probe(&self) -> bool {
        matches!(self.ticket, Some(Ticket { is_probe: true, .. }))
    }

    /// The call succeeded. Reads the clock only if that changes anything.
    #[inline]
    pub fn succeeded(self, now: impl FnOnce() -> Moment) {
        self.settle(true, now);
    }

    /// The call failed.
    pub fn failed(self, now: impl FnOnce() -> Moment) {
        self.settle(false, now);
    }

    #[inline]
    pub(crate) fn settle(mut self, success: bool, now: impl FnOnce() -> Moment) {
        if let Some(ticket) = self.ticket {
            let breaker = self.breaker;
            breaker.settle(ticket, success, || {
                // Not before: if the clock panics, the place is given back.
                let now = now();
                self.ticket = None;
                now
            });
            self.ticket = None;
        }
    }
}

impl Drop for Permit<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.breaker.gave_back(ticket);
        }
    }
}
