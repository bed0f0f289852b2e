//! The server: one bucket of capacity that fills with time, and what a request finds in it.

use super::calendar::Micros;
use super::scenario::Server as Setting;

/// What becomes of a request that reached the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Served, after that long.
    Served(Micros),
    Refused,
    /// Never answered.
    Dropped,
}

pub(super) struct Server {
    setting: Setting,
    out: std::ops::Range<Micros>,
    per_micro: f64,
    /// How much of its capacity is free.
    free: f64,
    seen: Micros,
    /// When the next refused request should come back, if it follows the server's hint.
    slot: f64,
}

impl Server {
    pub(super) fn new(setting: &Setting, out: std::ops::Range<Micros>) -> Self {
        let per_micro = setting.capacity / 1_000.0;
        Self { setting: *setting, out, per_micro, free: setting.burst, seen: 0, slot: 0.0 }
    }

    /// A request arrives; `chance` is a number from 0 to 1 for what is left to chance.
    #[expect(clippy::cast_precision_loss, reason = "microseconds of an hour")]
    pub(super) fn reached(&mut self, now: Micros, chance: impl FnOnce() -> f64) -> Verdict {
        let filled = self.free + now.saturating_sub(self.seen) as f64 * self.per_micro;
        self.free = filled.min(self.setting.burst);
        self.seen = self.seen.max(now);
        if self.out.contains(&now) {
            return Verdict::Refused;
        }
        if self.free >= 1.0 {
            self.free -= 1.0;
            if self.setting.errors > 0.0 && chance() < self.setting.errors {
                return Verdict::Refused;
            }
            return Verdict::Served(if self.setting.queue { self.backlog() } else { 0 });
        }
        if self.free < self.setting.refusal_cost {
            return Verdict::Dropped;
        }
        if self.setting.dishonest > 0.0 && chance() < self.setting.dishonest {
            self.free -= 1.0;
            return Verdict::Dropped;
        }
        self.free -= self.setting.refusal_cost;
        Verdict::Refused
    }

    /// The wait for a place of one's own, as a server that keeps a diary would tell; none while it is out.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an hour")]
    pub(super) fn hint(&mut self, now: Micros) -> Option<Micros> {
        if self.out.contains(&now) {
            return None;
        }
        self.slot = self.slot.max(now as f64) + 1.0 / self.per_micro;
        Some(self.slot as Micros - now)
    }

    /// How long what has been accepted keeps the server busy.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "never negative, and bounded by the burst"
    )]
    fn backlog(&self) -> Micros {
        ((self.setting.burst - self.free) / self.per_micro) as Micros
    }
}

#[cfg(test)]
mod tests {
    use super::{Server, Verdict};
    use crate::fleet::scenario::Server as Setting;

    #[test]
    fn serves_then_refuses_then_drops_and_recovers() {
        let setting = Setting { capacity: 1.0, burst: 2.0, refusal_cost: 0.4, ..Setting::new() };
        let mut server = Server::new(&setting, 0..10);
        assert_eq!(server.reached(5, || 0.0), Verdict::Refused, "it is out, and that is free");
        let verdicts = [10, 10, 10, 500, 600, 1_500].map(|at| server.reached(at, || 0.0));
        let at_once = Verdict::Served(0);
        assert_eq!(verdicts, [at_once, at_once, Verdict::Dropped, Verdict::Refused, Verdict::Dropped, at_once]);
    }

    #[test]
    fn a_line_takes_time() {
        let setting = Setting { capacity: 1.0, burst: 2.0, queue: true, ..Setting::new() };
        let mut server = Server::new(&setting, 0..0);
        let verdicts = [0, 0, 0].map(|at| server.reached(at, || 0.0));
        assert_eq!(verdicts, [Verdict::Served(1_000), Verdict::Served(2_000), Verdict::Refused]);
    }
}
