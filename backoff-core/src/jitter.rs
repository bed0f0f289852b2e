//! Jitter: floor, width and the draw, in whole nanoseconds.

use core::ops::{Add, Div, Sub};
use core::time::Duration;

use backoff_policy::Jitter;
use backoff_policy::duration::from_nanos;

use crate::random::Random;
use crate::{ExponentialBackoff, delay};

/// Whole nanoseconds: 64 bits for all that happens, and 128 for times of more than 584 years.
pub(crate) trait Nanos:
    Copy + Ord + From<u64> + Into<u128> + TryFrom<u128> + Add<Output = Self> + Sub<Output = Self> + Div<Output = Self>
{
}

impl Nanos for u64 {}
impl Nanos for u128 {}

/// The shortest jittered sleep: 1 µs, so that a run of small draws can't spin.
pub(crate) const SHORTEST: u64 = 1_000;

/// The part of a delay that is slept for sure, and the part that is drawn from.
#[inline]
fn floor_and_width<N: Nanos>(jitter: Jitter, delay: N) -> (N, N) {
    match jitter {
        Jitter::None => (delay, 0.into()),
        Jitter::Full => (0.into(), delay),
        Jitter::Equal => (delay / 2.into(), delay - delay / 2.into()),
    }
}

/// The sleep of retry `k`, without a hint.
#[inline]
pub(crate) fn duration<R: Random>(policy: &ExponentialBackoff, k: u32, random: &R) -> Duration {
    let delay = delay::nanos(policy, k);
    match u64::try_from(delay) {
        Ok(delay) => Duration::from_nanos(sleep(policy, k, delay, None, random)),
        Err(_) => long(policy, k, delay, random),
    }
}

#[cold]
fn long<R: Random>(policy: &ExponentialBackoff, k: u32, delay: u128, random: &R) -> Duration {
    from_nanos(sleep(policy, k, delay, None, random))
}

/// The sleep of retry `k` for its delay: spread by jitter, or, after a server hint, the hint and the spread on top of it.
///
/// The sum of hint and delay has to be a number still.
#[inline]
pub(crate) fn sleep<N: Nanos, R: Random>(
    policy: &ExponentialBackoff,
    k: u32,
    delay: N,
    hint: Option<N>,
    random: &R,
) -> N {
    let jitter = policy.get_jitter();
    let (floor, width) = floor_and_width(jitter, delay);
    let mut drawn = width;
    if width > 0.into() {
        if k == 0 {
            random.refresh();
        }
        drawn = draw(random, width);
    }
    match (hint, jitter) {
        (Some(hint), Jitter::None) => hint,
        (Some(hint), _) => (hint + drawn).max(SHORTEST.into()),
        (None, Jitter::None) => delay,
        (None, _) => at_least_the_shortest(policy, floor + drawn),
    }
}

/// A delay is never above the cap, so neither is what was drawn from it.
#[inline]
fn at_least_the_shortest<N: Nanos>(policy: &ExponentialBackoff, sleep: N) -> N {
    let shortest = N::from(SHORTEST);
    if sleep >= shortest {
        return sleep;
    }
    N::try_from(delay::cap(policy)).map_or(shortest, |cap| shortest.min(cap))
}

/// A draw from `0..=width`, whatever the generator returns.
#[inline]
pub(crate) fn draw<N: Nanos, R: Random>(random: &R, width: N) -> N {
    N::try_from(random.draw(width.into())).map_or(width, |drawn| drawn.min(width))
}

#[cfg(test)]
mod tests {
    use super::floor_and_width;
    use backoff_policy::Jitter;

    #[test]
    fn the_table_of_the_contract() {
        assert_eq!(floor_and_width(Jitter::None, 5_u64), (5, 0));
        assert_eq!(floor_and_width(Jitter::Full, 5_u64), (0, 5));
        assert_eq!(floor_and_width(Jitter::Equal, 5_u64), (2, 3));
        assert_eq!(floor_and_width(Jitter::Equal, u128::MAX), (u128::MAX / 2, u128::MAX / 2 + 1));
    }
}
