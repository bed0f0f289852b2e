//! A rate that grows along a cubic curve: fast towards the rate that the last failure left, slowly around it, and fast again
//! beyond. The curve is that of CUBIC congestion control (RFC 9438), with the constants of the AWS SDKs and what their published
//! test vectors take for the plateau: the rate after the cut, not before it.

use crate::guard::Moment;

/// How steep the curve is, in requests per second for each cubic second.
const SCALE: f64 = 0.4;
/// What is left of the rate after a failure.
const LEFT: f64 = 0.7;

#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic {
    /// The last failure: when, the rate in requests per second that it left, and the seconds until the curve is there again.
    last: Option<(Moment, f64, f64)>,
}

impl Cubic {
    pub(super) const fn new() -> Self {
        Self { last: None }
    }

    /// The interval after a success: as it was, until there was a failure.
    pub(super) fn succeeded(&mut self, interval: f64, now: Moment) -> f64 {
        let Some((failed, plateau, back)) = &mut self.last else { return interval };
        // If the clock has stepped back, the curve begins anew from here.
        *failed = now.min(*failed);
        let passed = now.since(*failed).as_secs_f64();
        1_000.0 / (SCALE * (passed - *back).powi(3) + *plateau)
    }

    /// The interval after a failure.
    pub(super) fn failed(&mut self, interval: f64, now: Moment) -> f64 {
        let plateau = LEFT * 1_000.0 / interval;
        self.last = Some((now, plateau, (plateau * (1.0 - LEFT) / SCALE).cbrt()));
        1_000.0 / plateau
    }
}
