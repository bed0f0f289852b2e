//! The clock of a line of waiting retries: successes release them.

use std::time::Duration;

use backoff_core::guard::Moment;
use backoff_core::random::Random;

/// The settings of a success clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocking {
    /// How many waiting retries the success of a first attempt releases.
    pub share: f64,
    /// The same for the success of a retry, while first attempts are made.
    pub echo: f64,
    /// The most that the success of a retry releases, while no first attempts are made.
    pub most: f64,
    /// What a success adds to it.
    pub add: f64,
    /// What a failure multiplies it by, at most once per round trip.
    pub cut: f64,
    /// No first attempts are made if none was for that many of their usual intervals.
    pub quiet: f64,
    /// Search variants.
    pub variant: u32,
}

impl Clocking {
    /// What the search chose.
    pub const PRESET: Self = Self { share: 0.1, echo: 0.0, most: 1.1, add: 0.02, cut: 0.6, quiet: 4.0, variant: 0 };
}

/// What happened to an attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub(super) success: bool,
    pub(super) is_retry: bool,
    pub(super) started: Moment,
    /// When the call began to wait in the line, if it did.
    pub(super) waited: Option<Moment>,
    pub(super) now: Moment,
}

pub(super) struct Clock {
    k: f64,
    cut_at: Moment,
    success_since_cut: bool,
    /// Failures since the last success, at most one per round trip.
    pub(super) index: u32,
    grown_at: Moment,
    last_first: Moment,
    interval: f64,
}

impl Clock {
    pub(super) const fn new() -> Self {
        const LONG_AGO: Moment = Moment::at(Duration::ZERO);
        Self {
            k: 0.5,
            cut_at: LONG_AGO,
            success_since_cut: true,
            index: 0,
            grown_at: LONG_AGO,
            last_first: LONG_AGO,
            interval: 0.0,
        }
    }

    pub(super) fn began(&mut self, now: Moment) {
        let gap = now.since(self.last_first).as_secs_f64();
        self.interval += (gap - self.interval) / 8.0;
        self.last_first = now;
    }

    fn is_herd(&self, set: &Clocking, settled: &Settled) -> bool {
        match set.variant & 3 {
            0 => settled.now.since(self.last_first).as_secs_f64() > set.quiet * self.interval.max(0.05),
            1 => settled.waited.is_some_and(|waited| self.last_first <= waited),
            2 => true,
            _ => false,
        }
    }

    /// How many to release, and whether the probe has to be drawn anew.
    pub(super) fn settled<R: Random>(&mut self, set: &Clocking, settled: &Settled, random: &R) -> (u32, bool) {
        if settled.success {
            self.index = 0;
            self.grown_at = settled.now;
            self.success_since_cut = true;
            self.k = (self.k + set.add).min(set.most);
            let scale = if set.variant & 4 == 0 { 1.0 } else { self.k.min(1.0) };
            let credit = if self.is_herd(set, settled) {
                self.k
            } else if settled.is_retry {
                set.echo * scale
            } else {
                set.share * scale
            };
            #[expect(clippy::cast_precision_loss, reason = "a chance")]
            let chance = random.next_u64() as f64 / u64::MAX as f64;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
            return ((credit + chance) as u32, true);
        }
        if settled.started >= self.cut_at && self.success_since_cut {
            self.k = (self.k * set.cut).max(0.02);
            self.cut_at = settled.now;
            self.success_since_cut = false;
        }
        let grows = settled.started >= self.grown_at;
        if grows {
            self.index += 1;
            self.grown_at = settled.now;
        }
        (0, grows)
    }
}
