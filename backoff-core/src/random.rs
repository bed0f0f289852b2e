//! The seam to randomness.
//!
//! A run asks for a number only when it draws a sleep: never without jitter, never on success.

#[cfg(feature = "rand")]
mod from_rng;
// A WebAssembly without an operating system has `std`, but nothing to take a seed from.
#[cfg(all(feature = "std", not(target_os = "unknown")))]
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
    note = "enable the feature `std` of `backoff-core` for the default generator, or pass one with `.random(..)`; a policy without jitter is happy with `backoff_core::random::NoRandom`"
)]
pub trait Random {
    /// Sixty-four random bits.
    fn next_u64(&self) -> u64;

    /// A number drawn evenly from `0..=width`. Values above `width` count as `width`.
    #[inline]
    fn draw(&self, width: u128) -> u128 {
        uniform(|| self.next_u64(), width)
    }

    /// A run is about to draw for the first time. By default nothing happens.
    ///
    /// A generator that outlives a run can part ways here with copies of itself, as [`SystemRandom`] does.
    ///
    /// ```
    /// use backoff_core::random::Random;
    /// use backoff_core::{ExponentialBackoff, Jitter};
    /// use std::cell::Cell;
    ///
    /// /// Counts the runs that slept.
    /// struct Counting(Cell<u32>);
    ///
    /// impl Random for Counting {
    ///     fn next_u64(&self) -> u64 {
    ///         u64::MAX
    ///     }
    ///     fn refresh(&self) {
    ///         self.0.set(self.0.get() + 1);
    ///     }
    /// }
    ///
    /// let (random, policy) = (Counting(Cell::new(0)), ExponentialBackoff::new().jitter(Jitter::Full));
    /// for k in 0..3 {
    ///     let _ = policy.sleep(k, &random);
    /// }
    /// assert_eq!(random.0.get(), 1);
    /// ```
    #[inline]
    fn refresh(&self) {}
}

#[inline]
fn uniform(mut word: impl FnMut() -> u64, width: u128) -> u128 {
    match u64::try_from(width) {
        Ok(0) => 0,
        Ok(u64::MAX) => u128::from(word()),
        Ok(width) => u128::from(below(word, width + 1)),
        Err(_) => wide(word, width),
    }
}

/// Evenly below `bound`, by multiplication and, rarely, rejection (Lemire, "Fast random integer generation in an
/// interval", 2019).
#[inline]
fn below(mut word: impl FnMut() -> u64, bound: u64) -> u64 {
    let (high, low) = product(word(), bound);
    if low >= bound { high } else { below_by_rejection(word, bound, (high, low)) }
}

/// How often a word is drawn again. A fair generator needs that many once in 2^64 times; one that repeats itself, as in a test,
/// must not keep a run for ever.
const TRIES: u32 = 64;

/// Draws again while the product lies where it would favour some numbers.
#[cold]
fn below_by_rejection(mut word: impl FnMut() -> u64, bound: u64, (mut high, mut low): (u64, u64)) -> u64 {
    let favoured = bound.wrapping_neg() % bound;
    for _ in 0..TRIES {
        if low >= favoured {
            break;
        }
        (high, low) = product(word(), bound);
    }
    high
}

/// The upper and the lower half of a product.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the halves of 128 bits")]
const fn product(a: u64, b: u64) -> (u64, u64) {
    let product = a as u128 * b as u128;
    ((product >> 64) as u64, product as u64)
}

/// Evenly in `0..=width` for widths of more than 584 years, by rejection: at most two rounds on average.
#[cold]
fn wide(mut word: impl FnMut() -> u64, width: u128) -> u128 {
    let mask = u128::MAX >> width.leading_zeros();
    for _ in 0..TRIES {
        let bits = (u128::from(word()) << 64) | u128::from(word());
        if bits & mask <= width {
            return bits & mask;
        }
    }
    width
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

    #[inline]
    fn refresh(&self) {
        (**self).refresh();
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

    fn refresh(&self) {
        (**self).refresh();
    }
}

/// The default generator: one for each thread, seeded from the operating system.
///
/// Before the first sleep of a run it looks whether it is still in the process that seeded it, and takes a new seed if not: so
/// the children of a `fork` do not sleep in step. That is one system call a run on Unix, and none is made for a draw. A fork
/// in the middle of a run is noticed by the next one. For the copies of a machine that was restored from an image see
/// [`reseed`](Self::reseed).
///
/// It is touched only when a sleep is drawn. Needs the feature `std` and an operating system; without them a run does not
/// compile until it is given another generator, because a constant seed would bring back the herd that jitter disperses.
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
    fn a_generator_that_repeats_itself_does_not_keep_a_run_for_ever() {
        struct Always(u64);

        impl Random for Always {
            fn next_u64(&self) -> u64 {
                self.0
            }
        }

        let wide = (1 << 100) + 1;
        assert_eq!([0, u64::MAX].map(|word| Always(word).draw(199_999_999)), [0, 199_999_999]);
        assert_eq!([0, u64::MAX].map(|word| Always(word).draw(wide)), [0, wide]);
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
