//! When a closed circuit has seen enough.

use core::ops::{Add, AddAssign};
use core::time::Duration;

use crate::guard::Moment;
use crate::guard::window::Window;

/// What opens a closed circuit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Trip {
    /// So many failures in a row.
    InARow(u32),
    /// A share of failures among the last calls.
    OfLast { share: f64, calls: u32 },
    /// A share of failures in the last stretch of time, if there were at least so many calls.
    Within { share: f64, time: Duration, minimum: u32 },
}

/// The most calls that a window can count.
pub(super) const MOST_CALLS: u32 = 256;

#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    in_a_row: u32,
    /// A bit for each of the last calls, set for a failure.
    last: [u64; (MOST_CALLS / 64) as usize],
    /// How many were recorded, and so where the next goes.
    recorded: u32,
    within: Window<Counts>,
}

#[derive(Clone, Copy, Debug)]
struct Counts {
    calls: u32,
    failures: u32,
}

const NONE: Counts = Counts { calls: 0, failures: 0 };

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { calls: self.calls.saturating_add(other.calls), failures: self.failures.saturating_add(other.failures) }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Tally {
    pub(super) const fn new() -> Self {
        Self { in_a_row: 0, last: [0; (MOST_CALLS / 64) as usize], recorded: 0, within: Window::new(NONE) }
    }

    pub(super) fn succeeded(&mut self, trip: Trip, now: Moment) {
        self.record(trip, false, now);
    }

    /// Records a failure, and says whether that was one too many.
    pub(super) fn failed(&mut self, trip: Trip, now: Moment) -> bool {
        self.record(trip, true, now);
        let (failures, calls) = self.counts(trip, now);
        match trip {
            Trip::InARow(most) => failures >= most,
            Trip::OfLast { share, calls: window } => calls >= window && reaches(failures, calls, share),
            Trip::Within { share, minimum, .. } => calls >= minimum && reaches(failures, calls, share),
        }
    }

    /// Failures and calls that count at that moment.
    pub(super) fn counts(&self, trip: Trip, now: Moment) -> (u32, u32) {
        match trip {
            Trip::InARow(_) => (self.in_a_row, self.in_a_row),
            Trip::OfLast { calls, .. } => {
                (self.last.iter().map(|bits| bits.count_ones()).sum(), self.recorded.min(calls))
            }
            Trip::Within { time, .. } => {
                let counts = self.within.sum(now, time, NONE);
                (counts.failures, counts.calls)
            }
        }
    }

    /// Whether no row of failures is there to be ended.
    pub(super) const fn is_clean(&self) -> bool {
        self.in_a_row == 0
    }

    fn record(&mut self, trip: Trip, failed: bool, now: Moment) {
        match trip {
            Trip::InARow(_) => self.in_a_row = if failed { self.in_a_row.saturating_add(1) } else { 0 },
            Trip::OfLast { calls, .. } => {
                let at = self.recorded % calls;
                let (word, bit) = ((at / 64) as usize, 1 << (at % 64));
                self.last[word] = if failed { self.last[word] | bit } else { self.last[word] & !bit };
                // The position goes on around the ring; the count of calls only needs to know that the ring is full.
                self.recorded = if self.recorded + 1 == 2 * calls { calls } else { self.recorded + 1 };
            }
            Trip::Within { time, .. } => {
                self.within.add(now, time, NONE, Counts { calls: 1, failures: u32::from(failed) });
            }
        }
    }
}

fn reaches(failures: u32, calls: u32, share: f64) -> bool {
    f64::from(failures) >= share * f64::from(calls)
}
