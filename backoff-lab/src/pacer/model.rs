//! One caller, one server, and a clock that only sleeps move.

use std::cell::Cell;
use std::time::Duration;

use backoff_core::clock::{Clock, Sleep};
use backoff_core::guard::{Moment, Pacer, PacerMode, SettingError};

use super::{Call, Pace, Settings};
use crate::Error;

/// More calls are not made: an interval that has shrunk to nothing would never end.
const MOST_CALLS: usize = 1_000_000;

struct Time(Cell<Duration>);

impl Clock for Time {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.get()
    }

    fn elapsed(&self, from: Duration, to: Duration) -> Duration {
        to.saturating_sub(from)
    }
}

impl Sleep for Time {
    fn sleep(&self, duration: Duration) {
        self.0.set(self.0.get().saturating_add(duration));
    }
}

pub(super) fn play(settings: &Settings, mode: PacerMode) -> Result<Pace, Error> {
    let pacer = made(settings, mode).map_err(|error| Error::Setting(error.to_string()))?;
    let time = Time(Cell::new(Duration::ZERO));
    let mut calls = Vec::new();
    let mut last_served: Option<Duration> = None;
    while let Some(slot) = pacer.reserve(&time, 1, None) {
        let at = time.now();
        let phase = usize::try_from(at.as_nanos() / settings.hold.as_nanos()).unwrap_or(usize::MAX);
        let Some(limit) = settings.limits.get(phase) else { break };
        let served = last_served.is_none_or(|last| at.saturating_sub(last).as_secs_f64() >= 1.0 / limit);
        if served {
            last_served = Some(at);
        }
        time.sleep(settings.operation);
        pacer.settle(slot, served, || Moment::of(&time));
        calls.push(Call { at, phase, served, interval: pacer.snapshot().interval_millis });
        if calls.len() == MOST_CALLS {
            return Err(Error::Setting(format!(
                "more than {MOST_CALLS} calls are not simulated: lower the limits, or let them hold for less"
            )));
        }
    }
    Ok(Pace { mode, calls })
}

fn made(settings: &Settings, mode: PacerMode) -> Result<Pacer, SettingError> {
    Pacer::new()
        .mode(mode)
        .try_interval(settings.interval)?
        .try_down(settings.down)?
        .try_up(settings.up)?
        .try_smoothing(settings.smoothing)
}
