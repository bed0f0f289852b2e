//! The seam to randomness.
//!
//! A run asks for a number only when it draws a sleep: never without jitter, never on success.

#[cfg(feature = "rand")]
mod from_rng;
#[cfg(all(feature = "rand", feature = "std"))]
mod system;

#[cfg(feature = "rand")]
pub use from_rng::FromRng;

/// Where a run gets its draws from.
///
/// Implemented for `&R`, and with `std` for `Arc<R>`, so that a test keeps its generator.
///
/// ```
/// use backoff_core::random::Random;
/// use std::cell::Cell;
///
/// /// A linear congruential generator: fine for jitter.
/// struct Lcg(Cell<u64>);
///
/// impl Random for Lcg {
///     fn next_u64(&self) -> u64 {
///         let next = self.0.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
///         self.0.set(next);
///         next
///     }
/// }
/// assert!(Lcg(Cell::new(1)).draw(10) <= 10);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't draw jitter",
    label = "a source of randomness is needed here",
    note = "enable the features `std` and `rand` of `backoff-core` for the default generator, or pass one with \
            `.random(..)`; a policy without jitter is happy with `backoff_core::random::NoRandom`"
)]
pub trait Random {
    /// Sixty-four random bits.
    fn next_u64(&self) -> u64;

    /// A number drawn evenly from `0..=width`. Values above `width` count as `width`.
    fn draw(&self, width: u128) -> u128 {
        uniform(self, width)
    }
}

fn uniform<R: Random + ?Sized>(random: &R, width: u128) -> u128 {
    match u64::try_from(width) {
        Ok(0) => 0,
        Ok(u64::MAX) => u128::from(random.next_u64()),
        Ok(width) => u128::from(below(random, width + 1)),
        Err(_) => wide(random, width),
    }
}

/// Evenly below `bound`, by multiplication and, rarely, rejection (Lemire, "Fast random integer generation in an
/// interval", 2019).
fn below<R: Random + ?Sized>(random: &R, bound: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a 128-bit product")]
    loop {
        let product = u128::from(random.next_u64()) * u128::from(bound);
        let low = product as u64;
        if low >= bound || low >= bound.wrapping_neg() % bound {
            return (product >> 64) as u64;
        }
    }
}

/// Evenly in `0..=width` for widths of more than 584 years, by rejection: at most two rounds on average.
fn wide<R: Random + ?Sized>(random: &R, width: u128) -> u128 {
    let mask = u128::MAX >> width.leading_zeros();
    loop {
        let bits = (u128::from(random.next_u64()) << 64) | u128::from(random.next_u64());
        if bits & mask <= width {
            return bits & mask;
        }
    }
}

impl<R: Random + ?Sized> Random for &R {
    #[inline]
    fn next_u64(&self) -> u64 {
        (**self).next_u64()
    }

    #[inline]
    fn draw(&self, width: u128) -> u128 {
        (**self).draw(width)
    }
}

#[cfg(feature = "std")]
impl<R: Random + ?Sized> Random for std::sync::Arc<R> {
    fn next_u64(&self) -> u64 {
        (**self).next_u64()
    }

    fn draw(&self, width: u128) -> u128 {
        (**self).draw(width)
    }
}

/// The default generator: one for each thread, seeded from the operating system, and again after a `fork`.
///
/// It is touched only when a sleep is drawn. Needs the features `std` and `rand`; without them a run does not compile
/// until it is given another generator, because a constant seed would bring back the herd that jitter disperses.
///
/// ```
/// use backoff_core::random::{Random, SystemRandom};
/// assert_ne!(SystemRandom.next_u64(), SystemRandom.next_u64());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemRandom;

/// No randomness, for policies without jitter: always draws the whole width, so a jittered sleep is the whole delay.
///
/// ```
/// use backoff_core::random::{NoRandom, Random};
/// assert_eq!(NoRandom.draw(7), 7);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoRandom;

impl Random for NoRandom {
    fn next_u64(&self) -> u64 {
        u64::MAX
    }

    fn draw(&self, width: u128) -> u128 {
        width
    }
}

#[cfg(test)]
mod tests {
    use super::Random;
    use core::cell::Cell;

    struct Script<'a>(&'a [u64], Cell<usize>);

    impl Random for Script<'_> {
        fn next_u64(&self) -> u64 {
            let at = self.1.replace(self.1.get() + 1);
            self.0[at]
        }
    }

    fn script(words: &[u64]) -> Script<'_> {
        Script(words, Cell::new(0))
    }

    #[test]
    fn both_ends_can_be_drawn() {
        assert_eq!(script(&[1 << 62]).draw(3), 1);
        assert_eq!(script(&[u64::MAX]).draw(9), 9);
        assert_eq!(script(&[0, 1 << 60]).draw(9), 0, "0 would favour the first number and is drawn again");
        assert_eq!(script(&[]).draw(0), 0);
        assert_eq!(script(&[7]).draw(u128::from(u64::MAX)), 7);
    }

    #[test]
    fn a_wide_draw_rejects_what_is_above() {
        let width = 1 << 64;
        assert_eq!(script(&[1, 1, 1, 0]).draw(width), width);
        assert_eq!(script(&[0, 5]).draw(width), 5);
    }
}
