//! How boldly an annealed pace reacts.
//!
//! At full gain the factors are those that were set, and the interval swings between the server's limit and twice that for
//! ever. So the gain is halved whenever a failure ends a stretch of successes: the pace has turned around the limit and is
//! near it. When it turns out that the limit has moved, the gain opens up: it doubles with each further failure in a row, and
//! for successes doubles every six calls once there were more of them in a row than a settled pace has.

/// What is left of the swing when it has settled: 6 % instead of a doubling.
const SETTLED: f64 = 0.06;
/// A settled pace meets the limit about every forty calls.
const USUAL: u32 = 40;
/// How many more successes double the gain.
const DOUBLING: f64 = 6.0;
/// The most by which a success may shrink the interval, in steps of the factor that was set.
const BOLDEST: f64 = 8.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Gain {
    share: f64,
    successes: u32,
    failures: u32,
}

/// A share of the factors that were set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step(f64);

impl Gain {
    pub(super) const fn new() -> Self {
        Self { share: 1.0, successes: 0, failures: 0 }
    }

    pub(super) fn succeeded(&mut self) -> Step {
        self.failures = 0;
        self.successes = self.successes.saturating_add(1);
        let more = f64::from(self.successes.saturating_sub(USUAL));
        Step((self.share * (more / DOUBLING).exp2()).min(BOLDEST))
    }

    pub(super) fn failed(&mut self) -> Step {
        self.successes = 0;
        self.failures = self.failures.saturating_add(1);
        let share = if self.failures == 1 { self.share / 2.0 } else { self.share * 2.0 };
        self.share = share.clamp(SETTLED, 1.0);
        Step(self.share)
    }
}

impl Step {
    /// The factor for a success.
    pub(super) fn shrink(self, down: f64) -> f64 {
        down.powf(self.0)
    }

    /// The factor for a failure.
    pub(super) fn stretch(self, up: f64) -> f64 {
        1.0 + (up - 1.0) * self.0
    }
}
