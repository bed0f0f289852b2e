//! How a circuit is set.

use core::time::Duration;

use super::CircuitBreaker;
use super::trip::{MOST_CALLS, Trip};
use crate::guard::setting::setting;

/// How a circuit is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) trip: Trip,
    pub(super) open_for: Duration,
    pub(super) probes: u32,
    pub(super) probes_to_close: u32,
    pub(super) probe_timeout: Duration,
}

impl Settings {
    pub(super) const fn new() -> Self {
        Self {
            trip: Trip::InARow(5),
            open_for: Duration::from_secs(10),
            probes: 1,
            probes_to_close: 1,
            probe_timeout: Duration::from_secs(60),
        }
    }
}

impl CircuitBreaker {
    setting! {
        /// Opens after so many failures in a row: at least 1, by default 5.
        ///
        /// ```
        /// # use backoff_core::guard::CircuitBreaker;
        /// static BREAKER: CircuitBreaker = CircuitBreaker::new().failures(3);
        /// ```
        failures / try_failures(self, failures: u32)
            if failures >= 1, else "`failures` of a circuit breaker must be at least 1";
            self.settings.trip = Trip::InARow(failures)
    }

    setting! {
        /// Opens when at least that share of the last calls failed, once there were so many: above 0 and at most 1, of 1 to 256
        /// calls.
        ///
        /// ```
        /// # use backoff_core::guard::CircuitBreaker;
        /// static BREAKER: CircuitBreaker = CircuitBreaker::new().failure_rate(0.5, 100);
        /// ```
        failure_rate / try_failure_rate(self, share: f64, calls: u32)
            if share > 0.0 && share <= 1.0 && matches!(calls, 1..=MOST_CALLS),
            else "`failure_rate` of a circuit breaker must be above 0 and at most 1, of 1 to 256 calls";
            self.settings.trip = Trip::OfLast { share, calls }
    }

    setting! {
        /// Opens when at least that share of the calls in the last stretch of time failed, if there were at least `minimum`:
        /// above 0 and at most 1, of 1 ms or more and at least 1 call. The time is looked at in ten slices.
        ///
        /// ```
        /// # use backoff_core::guard::CircuitBreaker;
        /// # use std::time::Duration;
        /// static BREAKER: CircuitBreaker = CircuitBreaker::new().failure_rate_within(0.5, Duration::from_secs(10), 20);
        /// ```
        failure_rate_within / try_failure_rate_within(self, share: f64, time: Duration, minimum: u32)
            if share > 0.0 && share <= 1.0 && time.as_millis() >= 1 && minimum >= 1,
            else "`failure_rate_within` of a circuit breaker must be above 0 and at most 1, of 1ms or more and at least 1 call";
            self.settings.trip = Trip::Within { share, time, minimum }
    }

    setting! {
        /// Sets how long the circuit stays open before it lets probes through: longer than zero, by default 10 s.
        ///
        /// ```
        /// # use backoff_core::guard::CircuitBreaker;
        /// # use std::time::Duration;
        /// static BREAKER: CircuitBreaker = CircuitBreaker::new().open_for(Duration::from_secs(30));
        /// ```
        open_for / try_open_for(self, rest: Duration)
            if !rest.is_zero(), else "`open_for` of a circuit breaker must be longer than zero";
            self.settings.open_for = rest
    }

    setting! {
        /// Sets how many probes may be under way at once: at least 1, by default 1.
        ///
        /// ```
        /// # use backoff_core::guard::CircuitBreaker;
        /// static BREAKER: CircuitBreaker = CircuitBreaker::new().probes(3);
        /// ```
        probes / try_probes(self, probes: u32)
            if probes >= 1, else "`probes` of a circuit breaker must be at least 1";
            self.settings.probes = probes
    }

    setting! {
        /// Sets how many probes have to succeed before the circuit closes: at least 1, by default 1.
        ///
        /// ```
        /// # use backoff_core::guard::CircuitBreaker;
        /// static BREAKER: CircuitBreaker = CircuitBreaker::new().probes_to_close(5);
        /// ```
        probes_to_close / try_probes_to_close(self, probes: u32)
            if probes >= 1, else "`probes_to_close` of a circuit breaker must be at least 1";
            self.settings.probes_to_close = probes
    }

    setting! {
        /// Sets after how long a probe that was neither settled nor dropped is given up for lost: longer than zero, by default
        /// one minute. Longer than the slowest call, because a later result is ignored.
        ///
        /// ```
        /// # use backoff_core::guard::CircuitBreaker;
        /// # use std::time::Duration;
        /// static BREAKER: CircuitBreaker = CircuitBreaker::new().probe_timeout(Duration::from_secs(20));
        /// ```
        probe_timeout / try_probe_timeout(self, timeout: Duration)
            if !timeout.is_zero(), else "`probe_timeout` of a circuit breaker must be longer than zero";
            self.settings.probe_timeout = timeout
    }
}
