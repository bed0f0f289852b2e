//! The rules of the pace, as a state machine without a clock, a lock or a caller.

use core::time::Duration;

use super::anneal::Gain;
use super::cubic::Cubic;
use super::settings::Settings;
use crate::guard::Moment;

/// How a pacer learns from how calls end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacerMode {
    /// The factors as they are, then a step of `smoothing` towards an interval of one millisecond.
    Literal,
    /// The factors move towards one as the pace settles, and open up again when the limit of the server moves.
    Annealed,
    /// The rate follows a cubic curve around the one that the last failure left, as in the AWS SDKs' adaptive mode.
    Cubic,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Milliseconds between two calls, once something was learned.
    learned: Option<f64>,
    /// How far the last slot was ahead of the clock: not at all, unless a call took more slots than a burst has.
    pub(super) ahead: Duration,
    /// Until when the server asked not to be called.
    pub(super) blocked_until: Option<Moment>,
    /// What the clock showed then, or when that was first looked at.
    blocked_at: Option<Moment>,
    /// When the interval was last scaled up.
    scaled_up: Option<Moment>,
    gain: Gain,
    cubic: Cubic,
}

impl Pace {
    pub(super) const fn new() -> Self {
        Self {
            learned: None,
            ahead: Duration::ZERO,
            blocked_until: None,
            blocked_at: None,
            scaled_up: None,
            gain: Gain::new(),
            cubic: Cubic::new(),
        }
    }

    /// Milliseconds between two calls.
    pub(super) fn interval(&self, settings: &Settings) -> f64 {
        self.learned.unwrap_or_else(|| settings.within(settings.start))
    }

    /// Looks at the clock. If it has stepped back, nobody waits for it to come here again: the wish of the server counts from now.
    pub(super) fn look(&mut self, now: Moment) {
        if let Some(until) = self.blocked_until {
            let at = *self.blocked_at.get_or_insert(now);
            self.blocked_until = Some(until.before(at.since(now)));
            self.blocked_at = Some(at.min(now));
        }
    }

    /// The last slot, as it counts now: not further ahead than it was. If it is, the clock has stepped back since, and counting
    /// begins anew from here.
    pub(super) fn counted(&self, last: Option<Moment>, now: Moment) -> Option<Moment> {
        last.map(|last| last.min(now.after(self.ahead)))
    }

    /// The earliest moment for a call that takes that many slots after the last, an interval each; none for at once.
    pub(super) fn due(&self, settings: &Settings, last: Option<Moment>, slots: u32) -> Option<Moment> {
        let slot = last.map(|last| last.after(self.slots(settings, slots)));
        slot.max(self.blocked_until)
    }

    /// The last slot of a call that begins now. After a pause, a burst of them is there at once.
    pub(super) fn taken(&self, settings: &Settings, last: Option<Moment>, now: Moment, slots: u32) -> Moment {
        let full = now.before(self.slots(settings, settings.burst));
        let last = last.map_or(full, |last| last.max(full));
        last.after(self.slots(settings, slots))
    }

    /// The interval, if a call for one slot has to ask for nothing else.
    pub(super) fn plain(&self, settings: &Settings, last: Option<Moment>) -> Option<Duration> {
        let is_plain = settings.burst == 1 && self.ahead.is_zero() && last.is_some() && self.blocked_until <= last;
        is_plain.then(|| self.slots(settings, 1))
    }

    pub(super) fn succeeded(&mut self, settings: &Settings, now: Moment) {
        let interval = self.interval(settings);
        let interval = match settings.mode {
            PacerMode::Literal => smoothed(interval * settings.down, settings),
            PacerMode::Annealed => interval * self.gain.succeeded().shrink(settings.down),
            PacerMode::Cubic => self.cubic.succeeded(interval, now),
        };
        self.set(settings, interval);
    }

    /// A call that began at `started` failed. Calls that were under way when the interval was last scaled up say nothing about
    /// the new one: twenty of them would scale it by a million.
    pub(super) fn failed(&mut self, settings: &Settings, started: Moment, now: Moment) {
        if !Moment::is_news(started, now, self.scaled_up) {
            return;
        }
        let interval = self.interval(settings);
        let interval = match settings.mode {
            PacerMode::Literal => smoothed(interval * settings.up, settings),
            PacerMode::Annealed => interval * self.gain.failed().stretch(settings.up),
            PacerMode::Cubic => self.cubic.failed(interval, now),
        };
        self.scaled_up = Some(now);
        self.set(settings, interval);
    }

    /// The server asked not to be called until then; an earlier wish that reaches further stays.
    pub(super) fn block(&mut self, until: Moment, at: Option<Moment>) {
        if self.blocked_until < Some(until) {
            (self.blocked_until, self.blocked_at) = (Some(until), at);
        }
    }

    pub(super) fn set(&mut self, settings: &Settings, interval: f64) {
        self.learned = Some(settings.within(interval));
    }

    fn slots(&self, settings: &Settings, slots: u32) -> Duration {
        millis(self.interval(settings) * f64::from(slots))
    }
}

/// A step towards one millisecond.
fn smoothed(interval: f64, settings: &Settings) -> f64 {
    interval + settings.smoothing * (1.0 - interval)
}

/// Rounded to the nanosecond, up to 584 years; the interval is finite and not negative.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is not negative")]
pub(super) fn millis(millis: f64) -> Duration {
    Duration::from_nanos((millis * 1e6 + 0.5) as u64)
}
