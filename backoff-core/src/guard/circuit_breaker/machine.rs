//! The rules of the circuit, as a state machine without a clock, a lock or a caller.

use core::time::Duration;

use super::settings::Settings;
use super::trip::{Tally, Trip};
use crate::guard::Moment;

/// What lets calls through, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Circuit {
    /// Every call is let through.
    Closed,
    /// No call is let through.
    Open,
    /// The time of rest is over: a few calls are let through, to see how they end.
    HalfOpen,
}

/// What a call carries from its admission to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticket {
    /// The period in which it was admitted: its end counts in no other.
    pub(super) generation: u32,
    pub(super) is_probe: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    pub(super) circuit: Circuit,
    /// Counts the changes of the circuit, so that what began before one is known by its number.
    pub(super) generation: u32,
    tally: Tally,
    /// The end of the rest, while open.
    reopens: Moment,
    pub(super) in_flight: u32,
    successes: u32,
    last_probe: Moment,
}

impl Machine {
    pub(super) const fn new() -> Self {
        let start = Moment::at(Duration::ZERO);
        Self {
            circuit: Circuit::Closed,
            generation: 0,
            tally: Tally::new(),
            reopens: start,
            in_flight: 0,
            successes: 0,
            last_probe: start,
        }
    }

    /// Lets a call through, or says how long to stay away.
    pub(super) fn admit(&mut self, settings: &Settings, now: Moment) -> Result<Ticket, Duration> {
        if self.reopens.since(now) > settings.open_for {
            // The clock has stepped back: nobody has to wait for it to come here again.
            self.reopens = now.after(settings.open_for);
        }
        match self.circuit {
            Circuit::Closed => return Ok(Ticket { generation: self.generation, is_probe: false }),
            Circuit::Open if now < self.reopens => return Err(self.reopens.since(now)),
            Circuit::Open => self.turn(Circuit::HalfOpen),
            Circuit::HalfOpen => {}
        }
        if self.in_flight >= settings.probes {
            // A probe that was neither settled nor dropped would wedge the circuit: after a while its place is given away,
            // and the new period makes its result stale.
            // If the clock has stepped back, that while begins now, and once.
            self.last_probe = self.last_probe.min(now);
            let lost = self.last_probe.after(settings.probe_timeout);
            if now < lost {
                return Err(lost.since(now));
            }
            self.generation = next(self.generation);
            self.in_flight = 0;
        }
        self.in_flight += 1;
        self.last_probe = now;
        Ok(Ticket { generation: self.generation, is_probe: true })
    }

    /// How long a call would have to stay away, without admitting it.
    pub(super) fn rest(&self, settings: &Settings, now: Moment) -> Option<Duration> {
        let mut copy = *self;
        copy.admit(settings, now).err()
    }

    pub(super) fn succeeded(&mut self, settings: &Settings, ticket: Ticket, now: Moment) {
        if ticket.generation != self.generation {
            return;
        }
        if ticket.is_probe {
            self.in_flight = self.in_flight.saturating_sub(1);
            self.successes += 1;
            if self.successes >= settings.probes_to_close {
                self.turn(Circuit::Closed);
            }
        } else {
            self.tally.succeeded(settings.trip, now);
        }
    }

    pub(super) fn failed(&mut self, settings: &Settings, ticket: Ticket, now: Moment) {
        if ticket.generation != self.generation {
            return;
        }
        let trips = ticket.is_probe || self.tally.failed(settings.trip, now);
        if trips {
            self.turn(Circuit::Open);
            self.reopens = now.after(settings.open_for);
        }
    }

    /// A call that ended without a result: its place is free for another.
    pub(super) fn gave_back(&mut self, ticket: Ticket) {
        if ticket.is_probe && ticket.generation == self.generation {
            self.in_flight = self.in_flight.saturating_sub(1);
        }
    }

    /// Whether a success has nothing to change, if failures in a row are what counts.
    pub(super) const fn is_clean(&self) -> bool {
        matches!(self.circuit, Circuit::Closed) && self.tally.is_clean()
    }

    pub(super) fn counts(&self, trip: Trip, now: Moment) -> (u32, u32) {
        self.tally.counts(trip, now)
    }

    /// Changes the circuit and forgets what was counted, in one step: nobody sees the one without the other.
    fn turn(&mut self, circuit: Circuit) {
        *self = Self { circuit, generation: next(self.generation), ..Self::new() };
    }
}

/// Thirty bits, so that two fit beside it in one word.
const fn next(generation: u32) -> u32 {
    (generation + 1) % (1 << 30)
}
