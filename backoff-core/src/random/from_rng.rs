//! Any generator of the `rand` crates as a source of draws.

use core::cell::RefCell;
use core::fmt;

use super::Random;

/// Draws from any generator that implements `rand::Rng`, which includes every one of `rand` and its family.
///
/// ```
/// use backoff_core::{ExponentialBackoff, Jitter, random::FromRng};
/// use rand::{SeedableRng, rngs::SmallRng};
///
/// let random = FromRng::new(SmallRng::seed_from_u64(7));
/// let policy = ExponentialBackoff::new().jitter(Jitter::Full).max_attempts(1);
/// assert!(policy.random(&random).retry(|| Err::<(), _>("down")).is_err());
/// ```
pub struct FromRng<R>(RefCell<R>);

impl<R: rand::Rng> FromRng<R> {
    /// Wraps a generator. Two threads need two: this is not `Sync`.
    ///
    /// ```
    /// use backoff_core::random::{FromRng, Random};
    /// use rand::{SeedableRng, rngs::SmallRng};
    /// assert!(FromRng::new(SmallRng::seed_from_u64(1)).draw(5) <= 5);
    /// ```
    pub const fn new(rng: R) -> Self {
        Self(RefCell::new(rng))
    }
}

impl<R: rand::Rng> Random for FromRng<R> {
    fn next_u64(&self) -> u64 {
        self.0.borrow_mut().next_u64()
    }
}

impl<R> fmt::Debug for FromRng<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromRng").finish_non_exhaustive()
    }
}
