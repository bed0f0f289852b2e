//! Scripted randomness.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::random::Random;

/// Draws that are known in advance. Clones share one script, so that a test can look at it afterwards.
///
/// ```
/// use backoff_core::random::Random;
/// use backoff_core::testing::Draws;
///
/// let draws = Draws::fractions([0.25, 1.0]);
/// assert_eq!((draws.draw(1_000), draws.draw(8)), (250, 8));
/// assert_eq!(draws.widths(), [1_000, 8]);
/// ```
#[derive(Clone, Debug)]
pub struct Draws(Arc<Mutex<Script>>);

#[derive(Debug)]
struct Script {
    fractions: Fractions,
    widths: Vec<u128>,
}

#[derive(Debug)]
enum Fractions {
    Each(f64),
    List(Vec<f64>),
}

impl Draws {
    /// One draw after the other, each a fraction of the width, rounded down. Values outside of 0 to 1 are clamped.
    ///
    /// Drawing more often than that panics: the test has learned something.
    ///
    /// ```
    /// # use backoff_core::{random::Random, testing::Draws};
    /// assert_eq!(Draws::fractions([0.5]).draw(9), 4);
    /// ```
    pub fn fractions(fractions: impl IntoIterator<Item = f64>) -> Self {
        Self::new(Fractions::List(fractions.into_iter().collect()))
    }

    /// The same fraction for every draw.
    ///
    /// ```
    /// # use backoff_core::{random::Random, testing::Draws};
    /// assert_eq!(Draws::always(0.1).draw(50), 5);
    /// ```
    #[must_use]
    pub fn always(fraction: f64) -> Self {
        Self::new(Fractions::Each(fraction))
    }

    fn new(fractions: Fractions) -> Self {
        Self(Arc::new(Mutex::new(Script { fractions, widths: Vec::new() })))
    }

    /// The width of each draw so far, in nanoseconds.
    ///
    /// ```
    /// # use backoff_core::testing::Draws;
    /// assert!(Draws::always(0.5).widths().is_empty());
    /// ```
    #[must_use]
    pub fn widths(&self) -> Vec<u128> {
        self.lock().widths.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Random for Draws {
    fn next_u64(&self) -> u64 {
        u64::try_from(self.draw(u128::from(u64::MAX))).unwrap_or(u64::MAX)
    }

    fn draw(&self, width: u128) -> u128 {
        let mut script = self.lock();
        let asked = script.widths.len();
        let fraction = match &script.fractions {
            Fractions::Each(fraction) => *fraction,
            Fractions::List(list) => match list.get(asked) {
                Some(fraction) => *fraction,
                None => panic!("the script has {asked} draws, and one more was asked for"),
            },
        };
        script.widths.push(width);
        fraction_of(width, fraction)
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a fraction that someone wrote down is not more exact than a float"
)]
fn fraction_of(width: u128, fraction: f64) -> u128 {
    if fraction >= 1.0 { width } else { ((width as f64 * fraction) as u128).min(width) }
}
