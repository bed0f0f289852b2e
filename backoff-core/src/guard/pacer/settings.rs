//! How a pacer is set.

use core::time::Duration;

use super::{Pacer, PacerMode};
use crate::guard::setting::{is_at_most, setting};

/// How a pacer is set. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) mode: PacerMode,
    pub(super) start: f64,
    pub(super) down: f64,
    pub(super) up: f64,
    pub(super) smoothing: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) burst: u32,
}

impl Settings {
    pub(super) const fn new() -> Self {
        Self {
            mode: PacerMode::Annealed,
            start: 1.0,
            down: 0.985,
            up: 2.0,
            smoothing: 0.005,
            min: 0.001,
            max: 60_000.0,
            burst: 1,
        }
    }

    /// An interval within the limits, in whatever order they were set.
    pub(super) fn within(&self, interval: f64) -> f64 {
        // Not `clamp`, which panics if the limits are crossed: the longest wins.
        interval.max(self.min).min(self.max)
    }
}

impl Pacer {
    setting! {
        /// Sets the interval to start with: longer than zero, up to a day, by default 1 ms. It is kept within [`min`](Self::min) and
        /// [`max`](Self::max), which is 60 s unless it is set.
        ///
        /// ```
        /// # use backoff_core::guard::Pacer;
        /// # use std::time::Duration;
        /// static PACER: Pacer = Pacer::new().interval(Duration::from_millis(100));
        /// ```
        interval / try_interval(self, interval: Duration)
            if is_interval(interval), else "`interval` of a pacer must be longer than zero, and at most a day";
            self.settings.start = in_millis(interval)
    }

    setting! {
        /// Sets the shortest interval: longer than zero, up to a day, by default 1 us.
        ///
        /// ```
        /// # use backoff_core::guard::Pacer;
        /// # use std::time::Duration;
        /// static PACER: Pacer = Pacer::new().min(Duration::from_millis(1));
        /// ```
        min / try_min(self, interval: Duration)
            if is_interval(interval), else "`min` of a pacer must be longer than zero, and at most a day";
            self.settings.min = in_millis(interval)
    }

    setting! {
        /// Sets the longest interval: longer than zero, up to a day, by default 60 s. Shorter than `min` is allowed: the longest
        /// wins.
        ///
        /// ```
        /// # use backoff_core::guard::Pacer;
        /// # use std::time::Duration;
        /// static PACER: Pacer = Pacer::new().max(Duration::from_secs(1));
        /// ```
        max / try_max(self, interval: Duration)
            if is_interval(interval), else "`max` of a pacer must be longer than zero, and at most a day";
            self.settings.max = in_millis(interval)
    }

    setting! {
        /// Sets the factor for a success: from 0.1 to 1, by default 0.985.
        ///
        /// ```
        /// # use backoff_core::guard::Pacer;
        /// static PACER: Pacer = Pacer::new().down(0.9);
        /// ```
        down / try_down(self, factor: f64)
            if matches!(factor, 0.1..=1.0), else "`down` of a pacer must be from 0.1 to 1";
            self.settings.down = factor
    }

    setting! {
        /// Sets the factor for a failure: from 1 to 100, by default 2.
        ///
        /// ```
        /// # use backoff_core::guard::Pacer;
        /// assert!(Pacer::new().try_up(f64::NAN).is_err());
        /// ```
        up / try_up(self, factor: f64)
            if matches!(factor, 1.0..=100.0), else "`up` of a pacer must be from 1 to 100";
            self.settings.up = factor
    }

    setting! {
        /// Sets how far the interval moves towards one millisecond after each call, in the literal mode: from 0 to 1, by default
        /// 0.005.
        ///
        /// ```
        /// # use backoff_core::guard::Pacer;
        /// static PACER: Pacer = Pacer::new().smoothing(0.0);
        /// ```
        smoothing / try_smoothing(self, share: f64)
            if matches!(share, 0.0..=1.0), else "`smoothing` of a pacer must be from 0 to 1";
            self.settings.smoothing = share
    }

    setting! {
        /// Sets how many calls may go out at once after a pause: at least 1, which is the default.
        ///
        /// ```
        /// # use backoff_core::guard::Pacer;
        /// static PACER: Pacer = Pacer::new().burst(10);
        /// ```
        burst / try_burst(self, calls: u32)
            if calls >= 1, else "`burst` of a pacer must be at least 1";
            self.settings.burst = calls
    }
}

const fn is_interval(interval: Duration) -> bool {
    !interval.is_zero() && is_at_most(interval, 86_400)
}

pub(super) const fn in_millis(interval: Duration) -> f64 {
    interval.as_secs_f64() * 1_000.0
}
