//! When the last slot was taken, and the fast way to take the next.
//!
//! Nearly every call wants one slot, and nothing else is in question than whether the interval is over. That takes no lock: two
//! numbers are read, and one is exchanged. Everything else is decided under the lock of the pacer, and meanwhile the fast way is
//! shut. Who has read the numbers before it was shut may still take a slot; but only if no other was taken since, and then that
//! is as if it had come just before. So whoever holds the lock has to exchange the last slot in the same manner.

use core::time::Duration;

use crate::guard::Moment;
use crate::guard::stamp::Stamp;

pub(super) struct Slots {
    /// The last slot, or zero before the first call.
    last: Stamp,
    /// How long after the last slot the next is due, or [`SHUT`].
    wait: Stamp,
}

/// Longer than anything that a clock can show.
const SHUT: u64 = u64::MAX;

impl Slots {
    pub(super) const fn new() -> Self {
        Self { last: Stamp::new(0), wait: Stamp::new(SHUT) }
    }

    /// Takes the next slot for a call that begins now, or says when it is due. None if that has to be decided under the lock.
    #[inline]
    pub(super) fn take_next(&self, now: Moment) -> Option<Result<(), Moment>> {
        // In this order: if the last slot was taken by a longer interval, that is the one that is read.
        let last = self.last.get();
        let wait = self.wait.get();
        let passed = now.nanos().checked_sub(last)?;
        if passed >= wait {
            self.last.replace(last, now.nanos()).then_some(Ok(()))
        } else if wait == SHUT {
            None
        } else {
            Some(Err(Moment::from_nanos(last.saturating_add(wait))))
        }
    }

    /// Shuts the fast way, until it is opened with an interval.
    pub(super) fn shut(&self) {
        self.wait.set(SHUT);
    }

    pub(super) fn open(&self, interval: Duration) {
        self.wait.set(u64::try_from(interval.as_nanos()).unwrap_or(SHUT));
    }

    /// The last slot, if any was taken.
    pub(super) fn last(&self) -> Option<Moment> {
        moment(self.last.get())
    }

    /// Changes the last slot, and decides by it. Decides again if another call was faster.
    pub(super) fn change<X>(&self, mut decide: impl FnMut(Option<Moment>) -> (Option<Moment>, X)) -> X {
        loop {
            let seen = self.last.get();
            let (last, decided) = decide(moment(seen));
            if self.last.replace(seen, last.map_or(0, Moment::nanos)) {
                return decided;
            }
        }
    }
}

fn moment(nanos: u64) -> Option<Moment> {
    (nanos > 0).then_some(Moment::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_way_is_open_from_one_change_to_the_next() {
        let at = Moment::from_nanos;
        let slots = Slots::new();
        slots.change(|last| (Some(at(100)), assert_eq!(last, None)));
        assert_eq!(slots.take_next(at(1_000)), None, "shut at first");
        slots.open(Duration::from_nanos(10));
        assert_eq!(slots.take_next(at(99)), None, "the last slot is yet to come");
        assert_eq!(slots.take_next(at(109)), Some(Err(at(110))));
        assert_eq!(slots.last(), Some(at(100)));
        assert_eq!(slots.take_next(at(110)), Some(Ok(())));
        assert_eq!(slots.last(), Some(at(110)));
        slots.shut();
        assert_eq!(slots.take_next(at(1_000)), None);
        assert_eq!(slots.last(), Some(at(110)));
    }
}
