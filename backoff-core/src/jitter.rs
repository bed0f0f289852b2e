//! Jitter: floor, width and the draw, in whole nanoseconds.

use backoff_policy::Jitter;

use crate::random::Random;

/// The shortest jittered sleep: 1 µs, so that a run of small draws can't spin.
pub(crate) const SHORTEST: u128 = 1_000;

/// The part of a delay that is slept for sure, and the part that is drawn from.
#[inline]
pub(crate) const fn floor_and_width(jitter: Jitter, delay: u128) -> (u128, u128) {
    match jitter {
        Jitter::None => (delay, 0),
        Jitter::Full => (0, delay),
        Jitter::Equal => (delay / 2, delay - delay / 2),
    }
}

/// A sleep for that delay: spread by jitter, or, after a server hint, the hint and the spread on top of it.
#[inline]
pub(crate) fn sleep<R: Random>(jitter: Jitter, delay: u128, cap: u128, hint: Option<u128>, random: &R) -> u128 {
    let (floor, width) = floor_and_width(jitter, delay);
    let drawn = if width == 0 { 0 } else { draw(random, width) };
    match (hint, jitter) {
        (Some(hint), _) => hint.saturating_add(drawn),
        (None, Jitter::None) => delay,
        (None, _) => (floor + drawn).max(SHORTEST).min(cap),
    }
}

/// A draw from `0..=width`, whatever the generator returns.
#[inline]
pub(crate) fn draw<R: Random>(random: &R, width: u128) -> u128 {
    random.draw(width).min(width)
}

#[cfg(test)]
mod tests {
    use super::floor_and_width;
    use backoff_policy::Jitter;

    #[test]
    fn the_table_of_the_contract() {
        assert_eq!(floor_and_width(Jitter::None, 5), (5, 0));
        assert_eq!(floor_and_width(Jitter::Full, 5), (0, 5));
        assert_eq!(floor_and_width(Jitter::Equal, 5), (2, 3));
        assert_eq!(floor_and_width(Jitter::Equal, u128::MAX), (u128::MAX / 2, u128::MAX / 2 + 1));
    }
}
