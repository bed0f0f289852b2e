//! The fields of a policy as plain values.

use core::time::Duration;

use super::{ExponentialBackoff, FinalSleep, Jitter};

/// A policy with its fields open, for values that were checked before.
///
/// The attribute writes one down as a constant without the setters: the compiler would evaluate each for each function.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub initial: Duration,
    pub budget: Option<Duration>,
    pub multiplier: f64,
    pub max_delay: Option<Duration>,
    pub max_attempts: Option<u32>,
    pub jitter: Jitter,
    pub final_sleep: Option<FinalSleep>,
    pub max_hint: Duration,
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
        Self { initial, budget, multiplier, max_delay, max_attempts, jitter, final_sleep, max_hint, others: () }
    }

    #[inline]
    pub const fn policy(&self) -> ExponentialBackoff {
        let Self { initial, budget, multiplier, max_delay, max_attempts, jitter, final_sleep, max_hint, others: () } =
            *self;
        ExponentialBackoff { initial, budget, multiplier, max_delay, max_attempts, jitter, final_sleep, max_hint }
    }
}
