//! Sums over the last stretch of time, in ten slices.

use core::ops::{Add, AddAssign};
use core::time::Duration;

use super::Moment;

const SLICES: usize = 10;

/// What was added within the last `length`, to a tenth of it: a slice is dropped whole when it is older than that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<T> {
    slices: [Slice<T>; SLICES],
}

#[derive(Clone, Copy, Debug)]
struct Slice<T> {
    /// Which slice of time this is, counted from the origin. Sums of another time are stale, however long the gap was.
    number: u64,
    sum: T,
}

impl<T: Copy + Add<Output = T> + AddAssign> Window<T> {
    pub(super) const fn new(zero: T) -> Self {
        Self { slices: [Slice { number: 0, sum: zero }; SLICES] }
    }

    /// Adds to the present slice.
    pub(super) fn add(&mut self, now: Moment, length: Duration, zero: T, value: T) {
        let number = number(now, length);
        let slice = &mut self.slices[index(number)];
        if slice.number != number {
            *slice = Slice { number, sum: zero };
        }
        slice.sum += value;
    }

    /// The sum of all slices that are not stale.
    pub(super) fn sum(&self, now: Moment, length: Duration, zero: T) -> T {
        let present = number(now, length);
        let is_fresh = |slice: &&Slice<T>| slice.number <= present && slice.number + SLICES as u64 > present;
        self.slices.iter().filter(is_fresh).fold(zero, |sum, slice| sum + slice.sum)
    }
}

fn number(now: Moment, length: Duration) -> u64 {
    let slice = u64::try_from(length.as_nanos()).unwrap_or(u64::MAX) / SLICES as u64;
    now.nanos() / slice.max(1)
}

#[expect(clippy::cast_possible_truncation, reason = "less than ten")]
const fn index(number: u64) -> usize {
    (number % SLICES as u64) as usize
}
