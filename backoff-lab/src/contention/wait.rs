//! How a client waits after a conflict.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use backoff_core::random::Random;
use backoff_core::run::{Decision, Elapsed, Failure, Run};
use backoff_core::{ExponentialBackoff, Jitter};

use super::Settings;
use crate::Error;
use crate::report::Colour;

/// A way to wait after a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Not at all.
    None,
    /// Exponentially, without jitter.
    Exponential,
    /// Exponentially with equal jitter.
    Equal,
    /// Exponentially with full jitter.
    Full,
    /// A rule of this module, for comparison: between the base and three times the last sleep. The engine does not offer
    /// it, because it replaces the growth instead of spreading it.
    Decorrelated,
    /// The preset for fleets: full jitter, and clients of one process that wait in line for each other's successes.
    Preset,
}

impl Wait {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::None, Self::Exponential, Self::Equal, Self::Full, Self::Decorrelated, Self::Preset];

    /// Its name, in one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Exponential => "expo",
            Self::Equal => "equal",
            Self::Full => "full",
            Self::Decorrelated => "decorr",
            Self::Preset => "preset",
        }
    }

    /// Its name in full.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "no wait",
            Self::Exponential => "exponential",
            Self::Equal => "equal jitter",
            Self::Full => "full jitter",
            Self::Decorrelated => "decorrelated (not offered)",
            Self::Preset => "preset",
        }
    }

    /// Its colour in pictures.
    #[must_use]
    pub const fn colour(self) -> Colour {
        match self {
            Self::None => Colour::Vermilion,
            Self::Exponential => Colour::Purple,
            Self::Equal => Colour::Orange,
            Self::Full => Colour::Blue,
            Self::Decorrelated => Colour::Green,
            Self::Preset => Colour::Sky,
        }
    }

    /// The policy of the engine, if this is one. It never gives up.
    pub(super) fn policy(self, settings: &Settings) -> Result<Option<ExponentialBackoff>, Error> {
        let jitter = match self {
            Self::None | Self::Decorrelated | Self::Preset => return Ok(None),
            Self::Exponential => Jitter::None,
            Self::Equal => Jitter::Equal,
            Self::Full => Jitter::Full,
        };
        // The published model counts its first conflict as one, so its first wait is the base doubled already.
        let policy = ExponentialBackoff::builder()
            .initial(settings.base.saturating_mul(2))
            .max_delay(settings.cap)
            .jitter(jitter)
            .budget(None);
        Ok(Some(policy.build()?))
    }
}

impl FromStr for Wait {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|wait| wait.word() == text).ok_or_else(|| {
            Error::Setting(format!(
                "`{text}` is no way to wait: choose `none`, `expo`, `equal`, `full`, `decorr` or `preset`"
            ))
        })
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// What a client remembers of its conflicts.
#[derive(Clone)]
pub(super) struct Memory {
    run: Run,
    last: Duration,
}

impl Memory {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { run: Run::new(), last: settings.base }
    }

    /// How long to wait after one more conflict, which came so long after the client's start.
    pub(super) fn conflict<R: Random>(
        &mut self,
        wait: Wait,
        policy: Option<&ExponentialBackoff>,
        settings: &Settings,
        elapsed: Duration,
        random: &R,
    ) -> Duration {
        match (wait, policy) {
            (Wait::Decorrelated, _) => {
                self.last = decorrelated(self.last, settings, random);
                self.last
            }
            (_, None) => Duration::ZERO,
            (_, Some(policy)) => {
                match self.run.failed(policy, Failure::transient(), Elapsed::since_start(elapsed), random) {
                    Decision::Sleep(pause) => pause.sleep,
                    Decision::Stop(_) => settings.cap,
                }
            }
        }
    }
}

/// `min(cap, base + draw(0..=3 x last - base))`: the published formula, and the only sleep here that is not the engine's.
fn decorrelated<R: Random>(last: Duration, settings: &Settings, random: &R) -> Duration {
    let width = last.saturating_mul(3).saturating_sub(settings.base);
    let drawn = backoff_policy::duration::from_nanos(random.draw(width.as_nanos()));
    settings.base.saturating_add(drawn).min(settings.cap)
}
