//! The fewest digits that read back as the same number, by the exact method of Steele and White: a constant can't call the
//! standard library for them.

use super::ascii;

/// A number is `0.DIGITS` times ten to the power of `point`.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    bytes: [u8; Self::MOST],
    len: usize,
    point: i32,
}

impl Digits {
    /// More are never needed.
    const MOST: usize = 17;

    /// The digits of a number that is finite and greater than zero.
    pub(super) const fn of(value: f64) -> Self {
        let bits = value.to_bits();
        let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as u32);
        // The number is `mantissa` times two to the power of `power - 1075`.
        let (mantissa, power) = if exponent == 0 { (fraction, 1) } else { (fraction | (1 << 52), exponent) };
        // Next to a power of two the numbers below are twice as close as those above.
        let uneven = fraction == 0 && exponent > 1;
        let double = 1 + uneven as u32;
        let (up, down) = if power >= 1075 { (power - 1075, 0) } else { (0, 1075 - power) };
        let mut search = Search {
            rest: Large::new(mantissa, up + double),
            one: Large::new(1, down + double),
            above: Large::new(1, up + uneven as u32),
            below: Large::new(1, up),
            // A number half-way between two is read as the even one.
            closed: mantissa % 2 == 0,
        };
        let point = search.scale();
        let mut digits = Self { bytes: [0; Self::MOST], len: 0, point };
        let mut is_last = false;
        while !is_last && digits.len < Self::MOST {
            let digit;
            (digit, is_last) = search.digit();
            digits.bytes[digits.len] = b'0' + digit;
            digits.len += 1;
        }
        digits
    }

    /// Where the point stands: after so many digits, or so many zeros before them.
    pub(super) const fn point(&self) -> i32 {
        self.point
    }

    /// The first digits, and those that follow.
    pub(super) const fn split(&self, at: usize) -> (&str, &str) {
        let (digits, _) = self.bytes.split_at(self.len);
        let (before, after) = digits.split_at(if at < self.len { at } else { self.len });
        (ascii(before), ascii(after))
    }
}

/// What is left of a number, and how far away its neighbours' halves are, all in parts of `one`.
struct Search {
    rest: Large,
    one: Large,
    above: Large,
    below: Large,
    closed: bool,
}

impl Search {
    /// Brings the number below one, and its first digit behind the point. Returns how many places that took.
    const fn scale(&mut self) -> i32 {
        let mut point = 0;
        while self.reaches() {
            self.one.multiply(10);
            point += 1;
        }
        loop {
            self.shift();
            if self.reaches() {
                return point;
            }
            point -= 1;
        }
    }

    /// Ten times everything but `one`.
    const fn shift(&mut self) {
        self.rest.multiply(10);
        self.above.multiply(10);
        self.below.multiply(10);
    }

    /// Whether one reads back as the number, or is less.
    const fn reaches(&self) -> bool {
        let sum = self.rest.plus(&self.above);
        if self.closed { !sum.is_less(&self.one) } else { self.one.is_less(&sum) }
    }

    /// The next digit, which stands before the point already, and whether it is the last that is needed.
    const fn digit(&mut self) -> (u8, bool) {
        let mut digit = 0;
        while !self.rest.is_less(&self.one) {
            self.rest.subtract(&self.one);
            digit += 1;
        }
        let low = if self.closed { !self.below.is_less(&self.rest) } else { self.rest.is_less(&self.below) };
        let high = self.reaches();
        let up = if low && high { !self.rest.plus(&self.rest).is_less(&self.one) } else { high };
        self.shift();
        (digit + up as u8, low || high)
    }
}

/// A whole number of as many bits as the smallest number has places.
struct Large([u32; Self::LIMBS]);

impl Large {
    /// 1,120 bits: the powers of two go up to 1,076, and a digit takes four more.
    const LIMBS: usize = 35;

    /// `value` times two to the power of `power`.
    #[expect(clippy::cast_possible_truncation, reason = "32 bits at a time")]
    const fn new(value: u64, power: u32) -> Self {
        let mut limbs = [0; Self::LIMBS];
        let mut wide = (value as u128) << (power % 32);
        let mut at = (power / 32) as usize;
        while wide > 0 {
            limbs[at] = wide as u32;
            wide >>= 32;
            at += 1;
        }
        Self(limbs)
    }

    #[expect(clippy::cast_possible_truncation, reason = "32 bits at a time")]
    const fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        let mut at = 0;
        while at < Self::LIMBS {
            carry += self.0[at] as u64 * factor as u64;
            self.0[at] = carry as u32;
            carry >>= 32;
            at += 1;
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "32 bits at a time")]
    const fn plus(&self, other: &Self) -> Self {
        let mut sum = [0; Self::LIMBS];
        let mut carry = 0;
        let mut at = 0;
        while at < Self::LIMBS {
            carry += self.0[at] as u64 + other.0[at] as u64;
            sum[at] = carry as u32;
            carry >>= 32;
            at += 1;
        }
        Self(sum)
    }

    /// Subtracts what is not more.
    const fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        let mut at = 0;
        while at < Self::LIMBS {
            let (less, first) = self.0[at].overflowing_sub(other.0[at]);
            let (less, second) = less.overflowing_sub(borrow as u32);
            self.0[at] = less;
            borrow = first || second;
            at += 1;
        }
    }

    const fn is_less(&self, other: &Self) -> bool {
        let mut at = Self::LIMBS;
        while at > 0 {
            at -= 1;
            if self.0[at] != other.0[at] {
                return self.0[at] < other.0[at];
            }
        }
        false
    }
}
