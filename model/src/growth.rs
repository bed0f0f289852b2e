//! Growth with fractions of any size: nothing overflows, and every rounding is written down.

use num_bigint::BigUint;

/// A multiplier as a fraction.
pub(crate) struct Growth {
    numerator: BigUint,
    denominator: BigUint,
    cap: BigUint,
    now: BigUint,
}

impl Growth {
    pub(crate) fn new(initial: u128, multiplier: f64, cap: u128) -> Self {
        let (numerator, denominator) = fraction(multiplier);
        Self { numerator, denominator, cap: cap.into(), now: initial.min(cap).into() }
    }

    /// The delay, and from then on the next one: the product, rounded to the nearest nanosecond, halves up, at most the cap.
    pub(crate) fn next(&mut self) -> u128 {
        let delay = u128::try_from(&self.now).expect("no delay is longer than the cap");
        let doubled: BigUint = &self.now * &self.numerator * 2_u32 + &self.denominator;
        let rounded = doubled / (&self.denominator * 2_u32);
        self.now = rounded.min(self.cap.clone());
        delay
    }
}

/// The fraction that a floating-point number stands for: doubled until it is whole.
fn fraction(mut value: f64) -> (BigUint, BigUint) {
    let mut denominator = BigUint::from(1_u32);
    while value.fract() != 0.0 {
        value *= 2.0;
        denominator *= 2_u32;
    }
    let mut factor = BigUint::from(1_u32);
    // Halved until it fits: what is too large for 64 bits is even.
    while value >= 9_007_199_254_740_992.0 {
        value /= 2.0;
        factor *= 2_u32;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, positive and below 2^53")]
    let whole = value as u64;
    (factor * whole, denominator)
}

#[cfg(test)]
mod tests {
    use super::{Growth, fraction};

    #[test]
    fn fractions_are_exact() {
        assert_eq!(fraction(1.5), (3_u32.into(), 2_u32.into()));
        assert_eq!(fraction(1e9), (1_000_000_000_u32.into(), 1_u32.into()));
        assert_eq!(fraction(1.1), (2_476_979_795_053_773_u64.into(), 2_251_799_813_685_248_u64.into()));
        assert_eq!(fraction(f64::MAX).0.bits(), 1_024);
    }

    #[test]
    fn halves_round_up() {
        let mut growth = Growth::new(1, 1.5, 10);
        let delays: Vec<u128> = (0..6).map(|_| growth.next()).collect();
        assert_eq!(delays, [1, 2, 3, 5, 8, 10]);
    }
}
