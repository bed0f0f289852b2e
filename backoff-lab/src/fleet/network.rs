//! The network: how long a message takes.

use std::time::Duration;

use backoff_core::random::Random;

use super::calendar::Micros;

/// Legs of |Normal(mean, deviation)|.
pub(super) struct Network {
    mean: f64,
    deviation: f64,
    /// Normal numbers are drawn in pairs.
    spare: Option<f64>,
}

impl Network {
    pub(super) fn new(mean: Duration, deviation: Duration) -> Self {
        Self { mean: mean.as_secs_f64() * 1e6, deviation: deviation.as_secs_f64() * 1e6, spare: None }
    }

    pub(super) fn leg(&mut self, random: &impl Random) -> Micros {
        whole((self.mean + self.deviation * self.normal(random)).abs())
    }

    /// Box and Muller's way.
    fn normal(&mut self, random: &impl Random) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = (-2.0 * (1.0 - chance(random)).ln()).sqrt();
        let (sin, cos) = (std::f64::consts::TAU * chance(random)).sin_cos();
        self.spare = Some(radius * sin);
        radius * cos
    }
}

/// From 0 to 1, without 1.
pub(super) fn chance(random: &impl Random) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    let bits = (random.next_u64() >> 11) as f64;
    bits * f64::EPSILON / 2.0
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and far below 2^52")]
pub(super) fn whole(micros: f64) -> Micros {
    micros as Micros
}
