//! The fields of a policy as plain values.

use core::time::Duration;

use super::{ExponentialBackoff, FinalSleep, Jitter};

/// Seconds, and nanoseconds below a billion.
pub(crate) type Time = (u64, u32);

/// A policy with its fields open, for values that were checked before.
///
/// The attribute writes one down as a constant without a call in it: the compiler would evaluate each call for each function.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub initial: Time,
    pub budget: Option<Time>,
    pub multiplier: f64,
    pub max_delay: Option<Time>,
    pub max_attempts: Option<u32>,
    pub jitter: Jitter,
    pub final_sleep: Option<FinalSleep>,
    pub max_hint: Time,
    /// Never set: an update that has nothing left to take over would be a lint.
    pub others: (),
}

/// The settings of [`ExponentialBackoff::new`].
pub const DEFAULT: Settings = Settings::of(ExponentialBackoff::new());

impl Settings {
    /// The fields of a policy that was made elsewhere.
    #[must_use]
    pub const fn of(policy: ExponentialBackoff) -> Self {
        let ExponentialBackoff { initial, budget, multiplier, max_delay, max_attempts, jitter, final_sleep, max_hint } =
            policy;
        Self {
            initial: time(initial),
            budget: optional_time(budget),
            multiplier,
            max_delay: optional_time(max_delay),
            max_attempts,
            jitter,
            final_sleep,
            max_hint: time(max_hint),
            others: (),
        }
    }

    #[inline]
    pub const fn policy(&self) -> ExponentialBackoff {
        let Self { initial, budget, multiplier, max_delay, max_attempts, jitter, final_sleep, max_hint, others: () } =
            *self;
        ExponentialBackoff {
            initial: duration(initial),
            budget: optional_duration(budget),
            multiplier,
            max_delay: optional_duration(max_delay),
            max_attempts,
            jitter,
            final_sleep,
            max_hint: duration(max_hint),
        }
    }
}

pub(crate) const fn time(duration: Duration) -> Time {
    (duration.as_secs(), duration.subsec_nanos())
}

#[inline]
pub(crate) const fn duration((seconds, nanos): Time) -> Duration {
    Duration::new(seconds, nanos)
}

const fn optional_time(duration: Option<Duration>) -> Option<Time> {
    match duration {
        Some(duration) => Some(time(duration)),
        None => None,
    }
}

const fn optional_duration(time: Option<Time>) -> Option<Duration> {
    match time {
        Some(time) => Some(duration(time)),
        None => None,
    }
}
