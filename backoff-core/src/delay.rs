//! Growth: delay `k` in whole nanoseconds.
//!
//! No floating-point arithmetic: a multiplier is a whole mantissa and a shift, so products are exact, and this works in
//! constants and without an operating system. Everything is bounded by the cap, so no `k` can overflow.

mod power;

use core::time::Duration;

use crate::ExponentialBackoff;

/// How many steps are walked one by one. All of them, for multipliers above 1.02: no series is longer.
const WALKED: u32 = 4_096;

/// A finite number greater than one, as `mantissa x 2^exponent` with an odd mantissa.
#[derive(Clone, Copy)]
struct Multiplier {
    mantissa: u64,
    exponent: i32,
}

const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const FRACTION: u64 = (1 << FRACTION_BITS) - 1;
const BIAS: i32 = f64::MAX_EXP - 1;

impl Multiplier {
    const fn new(value: f64) -> Self {
        let bits = value.to_bits();
        let mantissa = (bits & FRACTION) | (1 << FRACTION_BITS);
        let zeros = mantissa.trailing_zeros();
        #[expect(clippy::cast_possible_wrap, reason = "eleven bits of exponent, 52 bits of fraction")]
        let exponent = (bits >> FRACTION_BITS) as i32 - BIAS - FRACTION_BITS as i32 + zeros as i32;
        Self { mantissa: mantissa >> zeros, exponent }
    }
}

/// Delay `k` in nanoseconds, at most the cap.
#[inline]
pub(crate) const fn nanos(policy: &ExponentialBackoff, k: u32) -> u128 {
    match doubled(policy, k) {
        Some(nanos) => nanos as u128,
        None => multiplied(policy, k),
    }
}

/// The usual delay: a power of two as multiplier, and nothing that needs more than 64 bits.
#[inline]
const fn doubled(policy: &ExponentialBackoff, k: u32) -> Option<u64> {
    let multiplier = policy.get_multiplier().to_bits();
    if multiplier & FRACTION != 0 {
        return None;
    }
    let exponent = (multiplier >> FRACTION_BITS) as u32 - BIAS.unsigned_abs();
    let Some(initial) = in_64_bits(policy.get_initial()) else { return None };
    let cap = match policy.get_max_delay() {
        Some(cap) => in_64_bits(cap),
        None => None,
    };
    let bits = k.saturating_mul(exponent);
    if bits > initial.leading_zeros() {
        return cap;
    }
    let delay = initial << bits;
    match cap {
        Some(cap) if cap < delay => Some(cap),
        _ => Some(delay),
    }
}

/// Whole nanoseconds, below 584 years.
#[inline]
const fn in_64_bits(duration: Duration) -> Option<u64> {
    let nanos = duration.as_nanos();
    #[expect(clippy::cast_possible_truncation, reason = "compared before")]
    if nanos <= u64::MAX as u128 { Some(nanos as u64) } else { None }
}

/// Any delay, for any multiplier.
#[cold]
const fn multiplied(policy: &ExponentialBackoff, k: u32) -> u128 {
    let cap = cap(policy);
    let initial = least(policy.get_initial().as_nanos(), cap);
    let Multiplier { mantissa, exponent } = Multiplier::new(policy.get_multiplier());
    if exponent < 0 {
        fractional(initial, mantissa, exponent.unsigned_abs(), k, cap)
    } else {
        whole(initial, shifted(mantissa as u128, exponent.unsigned_abs()), k, cap)
    }
}

/// The longest delay in nanoseconds.
#[inline]
pub(crate) const fn cap(policy: &ExponentialBackoff) -> u128 {
    match policy.get_max_delay() {
        Some(cap) => cap.as_nanos(),
        None => Duration::MAX.as_nanos(),
    }
}

/// `value x 2^bits`, saturating. A delay has at most 94 bits.
#[inline]
const fn shifted(value: u128, bits: u32) -> u128 {
    if bits >= value.leading_zeros() { u128::MAX } else { value << bits }
}

/// `initial x multiplier^k`, exact by squaring.
const fn whole(initial: u128, multiplier: u128, mut k: u32, cap: u128) -> u128 {
    let mut product = initial;
    let mut power = multiplier;
    while k > 0 && product < cap {
        if k & 1 == 1 {
            product = product.saturating_mul(power);
        }
        power = power.saturating_mul(power);
        k >>= 1;
    }
    least(product, cap)
}

/// `k` steps, each rounded to the nearest nanosecond, until the cap or until rounding stands still. What is left after
/// [`WALKED`] steps is done at once and rounded once.
const fn fractional(initial: u128, mantissa: u64, shift: u32, k: u32, cap: u128) -> u128 {
    let mut delay = initial;
    let mut step = 0;
    while step < k && delay < cap {
        if step == WALKED {
            return least(power::grown(delay, mantissa, shift, k - step), cap);
        }
        let next = least(scaled(delay, mantissa, shift), cap);
        if next == delay {
            break;
        }
        delay = next;
        step += 1;
    }
    delay
}

/// `value x mantissa / 2^shift`, rounded half up, for a shift of 1 to 52 and a value of at most 94 bits.
///
/// The product can have 147 bits, so it is kept as `high x 2^64 + low`.
const fn scaled(value: u128, mantissa: u64, shift: u32) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let half = 1u128 << (shift - 1);
    if value <= LOW {
        return (value * mantissa as u128 + half) >> shift;
    }
    let low = (value & LOW) * mantissa as u128;
    let high = (value >> 64) * mantissa as u128 + (low >> 64);
    let high = shifted(high, 64 - shift);
    high.saturating_add(((low & LOW) + half) >> shift)
}

#[inline]
const fn least(a: u128, b: u128) -> u128 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Multiplier, doubled, multiplied, scaled};
    use crate::ExponentialBackoff;

    #[test]
    fn a_multiplier_is_taken_apart_exactly() {
        for (value, mantissa, exponent) in [(2.0, 1, 1), (3.0, 3, 0), (1.5, 3, -1), (1e9, 1_953_125, 9)] {
            let multiplier = Multiplier::new(value);
            assert_eq!((multiplier.mantissa, multiplier.exponent), (mantissa, exponent), "{value}");
        }
    }

    #[test]
    fn a_wide_product_agrees_with_the_narrow_one() {
        let Multiplier { mantissa, exponent } = Multiplier::new(1.1);
        let shift = exponent.unsigned_abs();
        assert_eq!(scaled(1 << 70, mantissa, shift) >> 7, scaled(1 << 63, mantissa, shift));
        // (2^94 - 1) x (2^53 - 1) / 2, which has 146 bits and does not fit
        assert_eq!(scaled((1 << 94) - 1, (1 << 53) - 1, 1), u128::MAX);
        // (2^80 + 1) x 3 / 2 = 3 x 2^79 + 1.5, rounded half up
        assert_eq!(scaled((1 << 80) + 1, 3, 1), 3 * (1 << 79) + 2);
    }

    #[test]
    fn doubling_and_multiplying_agree() {
        for multiplier in [2.0, 4.0, 1_024.0, f64::MAX / (2.0 - f64::EPSILON)] {
            for initial in [1, 200_000_000, u64::MAX] {
                for cap in [None, Some(1), Some(10_000_000_000), Some(u64::MAX)] {
                    let policy =
                        ExponentialBackoff::new().multiplier(multiplier).initial(Duration::from_nanos(initial));
                    let policy = cap.map_or(policy, |cap| policy.max_delay(Duration::from_nanos(cap)));
                    for k in (0..100).chain([u32::MAX]) {
                        let doubled = doubled(&policy, k).map(u128::from);
                        let multiplied = multiplied(&policy, k);
                        assert!(doubled.is_none_or(|doubled| doubled == multiplied), "{policy}, {k}");
                        assert!(doubled.is_some() || (cap.is_none() && multiplied > u64::MAX.into()), "{policy}, {k}");
                    }
                }
            }
        }
    }

    #[test]
    fn halves_round_up_and_standing_still_ends() {
        let policy = ExponentialBackoff::new().initial(Duration::from_nanos(1)).multiplier(1.5);
        let delays: Vec<_> = (0..6).map(|k| policy.delay(k).as_nanos()).collect();
        assert_eq!(delays, [1, 2, 3, 5, 8, 12]);
        let still = policy.multiplier(1.1);
        assert_eq!(still.delay(u32::MAX), Duration::from_nanos(1));
    }

    #[test]
    fn growth_never_decreases_up_to_the_end_of_time() {
        for multiplier in [1.000_000_1, 1.1, 1.5, 2.0, 2.5, 3.0, 10.0, 1e9, f64::MAX] {
            let policy = ExponentialBackoff::new().multiplier(multiplier);
            let delays = (0..300).map(|k| policy.delay(k));
            assert!(delays.clone().zip(delays.skip(1)).all(|(a, b)| a <= b), "{multiplier}");
        }
        assert_eq!(ExponentialBackoff::new().multiplier(f64::MAX).delay(1), Duration::MAX);
        assert_eq!(ExponentialBackoff::new().multiplier(1.5).delay(u32::MAX), Duration::MAX);
    }

    #[test]
    fn a_multiplier_close_to_one_is_answered_at_once_for_any_k() {
        let policy = ExponentialBackoff::new().multiplier(1.000_000_01);
        assert_eq!(policy.delay(1), Duration::from_nanos(200_000_002));
        assert_eq!(policy.delay(u32::MAX), Duration::new(899_157_457_070_190_956, 44_663_668));
        let capped = policy.max_delay(Duration::from_secs(10));
        assert_eq!(capped.delay(u32::MAX), Duration::from_secs(10));
    }

    #[test]
    fn walking_and_leaping_meet() {
        let policy = ExponentialBackoff::new().multiplier(1.001);
        let delays: Vec<_> = (4_000..4_200).map(|k| policy.delay(k).as_nanos()).collect();
        for (k, pair) in (4_000..).zip(delays.windows(2)) {
            // each step is the one before x 1.001, up to one rounding
            let step = (pair[0] * 1_001 + 500) / 1_000;
            assert!(pair[1].abs_diff(step) <= 1, "{k}: {pair:?}");
        }
    }
}
