//! The operations that the candidates call: never inlined, so that each candidate pays for the same call.

use std::fmt;
use std::time::Duration;

pub(crate) const INITIAL: Duration = Duration::from_millis(200);
pub(crate) const CAP: Duration = Duration::from_secs(10);
pub(crate) const BUDGET: Duration = Duration::from_millis(3_500);
pub(crate) const ATTEMPTS: u32 = 4;

/// What the hand-written loops count in: a duration is made only for the sleep.
pub(crate) const INITIAL_NANOS: u64 = 200_000_000;
const CAP_NANOS: u64 = 10_000_000_000;

/// A sleep with full jitter, by hand.
#[inline]
pub(crate) fn jittered(delay: u64) -> Duration {
    Duration::from_nanos(fastrand::u64(0..=delay))
}

/// The same range without its start, which the compiler takes for less: not what comes to mind, but the best that was found.
#[inline]
pub(crate) fn jittered_best(delay: u64) -> Duration {
    Duration::from_nanos(fastrand::u64(..=delay))
}

/// The delay after that one, by hand.
#[inline]
pub(crate) const fn grown(delay: u64) -> u64 {
    let doubled = delay.saturating_mul(2);
    if doubled < CAP_NANOS { doubled } else { CAP_NANOS }
}

/// Why an operation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(pub u64);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failure {}", self.0)
    }
}

impl std::error::Error for Failure {}

/// Succeeds at once, with 8 bytes that come back in registers.
#[inline(never)]
pub(crate) fn small(state: &mut u64) -> Result<u64, Failure> {
    *state = state.wrapping_add(1);
    if *state == 0 { Err(Failure(1)) } else { Ok(*state) }
}

pub(crate) type Large = [u64; 32];

/// Succeeds at once, with 256 bytes that come back in memory.
#[inline(never)]
pub(crate) fn large(state: &mut u64) -> Result<Large, Failure> {
    *state = state.wrapping_add(1);
    if *state == 0 { Err(Failure(1)) } else { Ok([*state; 32]) }
}

/// Fails ten times, then succeeds once, and so on.
#[inline(never)]
pub(crate) fn eleventh(state: &mut u64) -> Result<u64, Failure> {
    *state += 1;
    if *state % 11 == 0 { Ok(*state) } else { Err(Failure(*state)) }
}
