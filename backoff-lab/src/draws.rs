//! Draws that come out the same on every machine.

use backoff_core::random::FromRng;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

/// The generator of the lab: named, because the nameless ones of `rand` may change.
pub type Generator = Xoshiro256PlusPlus;

/// A generator for one of many independent runs of one seed.
///
/// ```
/// use backoff_core::random::Random;
/// assert_eq!(backoff_lab::draws::draws(1, 7).next_u64(), backoff_lab::draws::draws(1, 7).next_u64());
/// assert_ne!(backoff_lab::draws::draws(1, 7).next_u64(), backoff_lab::draws::draws(1, 8).next_u64());
/// ```
#[must_use]
pub fn draws(seed: u64, run: u64) -> FromRng<Generator> {
    FromRng::new(generator(seed, run))
}

/// The same generator for what is no jitter, such as the time that a message takes.
#[must_use]
pub fn generator(seed: u64, run: u64) -> Generator {
    // The golden ratio in 64 bits keeps neighbouring seeds and runs apart before they are mixed.
    Generator::seed_from_u64(seed.wrapping_add(run.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}
