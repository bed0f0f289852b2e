//! What is to happen, in the order of time.
//!
//! A million clients keep some millions of events waiting, most of them within seconds. One heap of all of them spends
//! its time on cache misses; here, a slot of a ring holds the events of a millisecond unsorted, and only the present
//! millisecond is a heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Microseconds since the start of a simulation.
pub(super) type Micros = u64;

/// Something that happens to a request or to a process, whose number is `whom`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    pub(super) at: Micros,
    pub(super) what: What,
    pub(super) whom: u32,
}

/// Events of the same microsecond happen in this order, so that a run can be repeated exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// An attempt begins at the client.
    Begin,
    /// A call reaches the server.
    Reach,
    /// A call reaches the server after its client gave up waiting, which may be at another attempt by now.
    Late { is_retry: bool },
    /// A client learns that its call was served.
    Served,
    /// A client learns that its call failed, or gives up waiting for the answer.
    Failed,
    /// A new request is made.
    Request,
    /// The line of a process wants to be looked at.
    Look,
}

/// The ring covers a little more than sixteen seconds; what is further away waits in a heap of its own.
const SLOTS: u64 = 1 << 14;
const SLOT: Micros = 1_000;

pub(super) struct Calendar {
    /// The millisecond that `present` holds.
    slot: u64,
    present: BinaryHeap<Reverse<Event>>,
    ring: Vec<Vec<Event>>,
    in_ring: usize,
    far: BinaryHeap<Reverse<Event>>,
}

impl Calendar {
    pub(super) fn new() -> Self {
        let ring = std::iter::repeat_with(Vec::new).take(index(SLOTS)).collect();
        Self { slot: 0, present: BinaryHeap::new(), ring, in_ring: 0, far: BinaryHeap::new() }
    }

    /// Adds an event. What should have happened before the present happens in it.
    pub(super) fn add(&mut self, at: Micros, what: What, whom: u32) {
        let event = Event { at, what, whom };
        let slot = at / SLOT;
        if slot <= self.slot {
            self.present.push(Reverse(event));
        } else if slot - self.slot < SLOTS {
            self.ring[index(slot % SLOTS)].push(event);
            self.in_ring += 1;
        } else {
            self.far.push(Reverse(event));
        }
    }

    /// Takes the next event.
    pub(super) fn next(&mut self) -> Option<Event> {
        while self.present.is_empty() {
            if self.in_ring == 0 {
                self.slot = self.far.peek()?.0.at / SLOT;
            } else {
                self.slot += 1;
            }
            self.turn();
        }
        self.present.pop().map(|Reverse(event)| event)
    }

    /// Makes the events of the slot the present ones.
    fn turn(&mut self) {
        let events = &mut self.ring[index(self.slot % SLOTS)];
        self.in_ring -= events.len();
        self.present.extend(events.drain(..).map(Reverse));
        while self.far.peek().is_some_and(|Reverse(event)| event.at / SLOT <= self.slot) {
            self.present.extend(self.far.pop());
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "below the number of slots")]
const fn index(slot: u64) -> usize {
    slot as usize
}

#[cfg(test)]
mod tests {
    use super::{Calendar, What};

    #[test]
    fn near_far_and_now_come_out_in_order() {
        let mut calendar = Calendar::new();
        let mut times = vec![40_000_000, 7, 3, 1_000, 999, 16_384_000, 16_383_999, 90_000_001, 90_000_000];
        for at in &times {
            calendar.add(*at, What::Reach, 0);
        }
        assert_eq!(calendar.next().map(|event| event.at), Some(3));
        calendar.add(5, What::Begin, 0);
        times.push(5);
        times.sort_unstable();
        let rest: Vec<_> = std::iter::from_fn(|| calendar.next()).map(|event| event.at).collect();
        assert_eq!(rest, times[1..]);
        calendar.add(90_000_002, What::Begin, 1);
        assert_eq!(calendar.next().map(|event| event.whom), Some(1));
        assert_eq!(calendar.next(), None);
    }
}
