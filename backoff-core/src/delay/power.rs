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

    #[test]
    fn the_upper_half_has_the_carries_of_all_four_parts() {
        for (a, b, right) in [
            (
                0x2163_6369_8b52_9b4a_97b7_5092_3ceb_3ffd,
                0x795b_929e_9a9a_80fd_ea7b_5bf5_5eb5_61a4,
                0x0fd3_eb70_9792_0ec6_a996_6b80_cc28_8add,
            ),
            (
                0x9b08_923d_10c6_7fd9_94b2_b8fd_a02f_34a6,
                0x781f_9c58_d664_5fa9_e8a8_529f_035e_fa25,
                0x48bf_2945_5b27_82b5_72e4_b5e7_3a3a_343e,
            ),
            (
                0x3116_2427_3bfd_1d33_8d00_38ec_4265_0644,
                0x8a7d_43b5_7863_3074_b797_0386_fee2_9476,
                0x1a8d_f448_64b1_f692_9c16_7952_8450_9afc,
            ),
        ] {
            assert_eq!(high_half(a, b), right);
            assert_eq!(high_half(b, a), right);
        }
    }

    #[test]
    fn a_great_many_steps_are_exact_to_the_unit() {
        // By decimal arithmetic of 200 digits, for the binary fractions that stand for 1.0000001, 1.001 and 1.000000001.
        assert_eq!(grown(200_000_000, 4_503_600_077_730_459, 52, 10_000_000), 543_656_339);
        assert_eq!(grown(7, 2_254_051_613_498_933, 51, 50_000), 35_397_452_361_174_706_743_462);
        assert_eq!(grown(123_456_789, 281_474_976_992_131, 48, 1_000_003), 123_580_308);
        assert_eq!(grown(1, 3, 1, 120), 1_351_920_291_788_082_235_274);
        assert_eq!(grown(1 << 60, 1_025, 10, 1_000), 3_059_908_864_750_057_827);
    }
}
