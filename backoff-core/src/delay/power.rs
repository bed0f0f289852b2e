//! Many steps of growth at once, for multipliers so close to one that walking would take for ever.

/// A number of at least one, as `fraction x 2^(exponent - 127)` with the highest bit of the fraction set.
#[derive(Clone, Copy)]
struct Wide {
    fraction: u128,
    exponent: u32,
}

impl Wide {
    /// `value / 2^shift`, which must be at least one.
    const fn new(value: u128, shift: u32) -> Self {
        let zeros = value.leading_zeros();
        Self { fraction: value << zeros, exponent: 127 - zeros - shift }
    }

    /// The product, cut to 128 bits.
    const fn times(self, other: Self) -> Self {
        let exponent = self.exponent.saturating_add(other.exponent);
        let high = high_half(self.fraction, other.fraction);
        if high.leading_zeros() == 0 {
            Self { fraction: high, exponent: exponent.saturating_add(1) }
        } else {
            Self { fraction: high << 1, exponent }
        }
    }

    /// Rounded to the nearest, saturating.
    const fn rounded(self) -> u128 {
        if self.exponent >= 127 {
            return u128::MAX;
        }
        let shift = 127 - self.exponent;
        (self.fraction >> shift) + ((self.fraction >> (shift - 1)) & 1)
    }
}

/// The upper 128 bits of a product of 256.
const fn high_half(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low, b_high, b_low) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let (middle, other) = (a_high * b_low, a_low * b_high);
    let carry = ((a_low * b_low) >> 64) + (middle & LOW) + (other & LOW);
    a_high * b_high + (middle >> 64) + (other >> 64) + (carry >> 64)
}

/// `value x (mantissa / 2^shift)^steps`, rounded once, saturating. The relative error before rounding is below 2^-90.
pub(super) const fn grown(value: u128, mantissa: u64, shift: u32, mut steps: u32) -> u128 {
    let mut product = Wide::new(value, 0);
    let mut power = Wide::new(mantissa as u128, shift);
    while steps > 0 && product.exponent < 128 {
        if steps & 1 == 1 {
            product = product.times(power);
        }
        power = power.times(power);
        steps >>= 1;
    }
    product.rounded()
}

#[cfg(test)]
mod tests {
    use super::{grown, high_half};

    #[test]
    fn the_upper_half_of_a_product() {
        assert_eq!(high_half(u128::MAX, u128::MAX), u128::MAX - 1);
        assert_eq!(high_half(1 << 127, 1 << 127), 1 << 126);
        assert_eq!(high_half(u128::from(u64::MAX), u128::from(u64::MAX)), 0);
    }

    #[test]
    fn powers_are_rounded_once() {
        // 3/2: 100 x 1.5^4 = 506.25, and 100 x 1.5^5 = 759.375
        assert_eq!(grown(100, 3, 1, 0), 100);
        assert_eq!(grown(100, 3, 1, 4), 506);
        assert_eq!(grown(100, 3, 1, 5), 759);
        // 3 x 1.5^1 = 4.5, half up
        assert_eq!(grown(3, 3, 1, 1), 5);
        assert_eq!(grown(1, 3, 1, u32::MAX), u128::MAX);
    }
}
