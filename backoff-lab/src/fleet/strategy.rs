//! What every client of a fleet does about failures.

use std::time::Duration;

use backoff_core::guard::PacerMode;
use backoff_core::{ExponentialBackoff, Jitter};

use super::scenario::{Load, Scenario};

/// A policy, and the guard that the calls of a process share.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// How it is called in tables.
    pub name: String,
    /// Decides about every retry, through the engine.
    pub policy: ExponentialBackoff,
    /// Replaces the sleeps of the policy by decorrelated jitter: from `initial` to three times the last sleep. The engine
    /// does not offer it; this is a comparison of the lab alone.
    pub decorrelated: bool,
    /// What the calls of a process share.
    pub guard: Guard,
    /// Whether the server tells a refused client when to come back, and the client obeys.
    pub hints: bool,
}

/// What the calls of a process share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guard {
    /// Nothing.
    None,
    /// A [`RetryBudget`](backoff_core::guard::RetryBudget): what it refuses is given up.
    Budget(Budget),
    /// A line that calls wait in until successes release them; with a budget, only those that it refuses.
    Queue(Line, Option<Budget>),
    /// An interval between calls, first attempts included, that failures lengthen and successes shorten.
    Pacer(Pacing),
}

/// The settings of a retry budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// The most tokens.
    pub max_tokens: u32,
    /// What a success earns.
    pub ratio: f64,
}

impl Budget {
    /// Ten tokens, a tenth for each success.
    pub const DEFAULT: Self = Self { max_tokens: 10, ratio: 0.1 };
}

/// The settings of a line of calls that wait for successes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// What a success earns, in thousandths of a retry.
    pub share: u16,
    /// The longest time that new traffic is waited for.
    pub patience: Duration,
}

impl Line {
    /// A twentieth of a retry for each success, ten seconds.
    pub const DEFAULT: Self = Self { share: 50, patience: Duration::from_secs(10) };
}

/// The settings of a [`Pacer`](backoff_core::guard::Pacer), which starts at an interval of 1 ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pacing {
    /// How it learns. The literal mode has no smoothing here.
    pub mode: PacerMode,
    /// What a success multiplies the interval by.
    pub down: f64,
    /// What a failure multiplies the interval by, at most once per round trip.
    pub up: f64,
    /// The shortest interval.
    pub min: Duration,
    /// The longest interval.
    pub max: Duration,
}

impl Pacing {
    /// Literally down by 0.9, up by 2, from 1 ms to 1 s.
    pub const LITERAL: Self = Self {
        mode: PacerMode::Literal,
        down: 0.9,
        up: 2.0,
        min: Duration::from_millis(1),
        max: Duration::from_secs(1),
    };

    /// What [`Pacer::new`](backoff_core::guard::Pacer::new) is: annealed, down by 0.985, up by 2, from 1 us to 60 s.
    pub const DEFAULT: Self = Self {
        mode: PacerMode::Annealed,
        down: 0.985,
        up: 2.0,
        min: Duration::from_micros(1),
        max: Duration::from_secs(60),
    };
}

impl Strategy {
    /// Exponential from 100 ms to 10 s with that jitter: until served for a herd, at most four attempts within 30 s in
    /// traffic.
    pub const fn policy(scenario: &Scenario, jitter: Jitter) -> ExponentialBackoff {
        let policy = ExponentialBackoff::new()
            .initial(Duration::from_millis(100))
            .max_delay(Duration::from_secs(10))
            .jitter(jitter);
        match scenario.load {
            Load::Herd { .. } => policy.unlimited(),
            Load::Traffic { .. } => policy.max_attempts(4).budget(Duration::from_secs(30)),
        }
    }

    /// Any policy, unguarded.
    #[must_use]
    pub fn new(name: impl Into<String>, policy: ExponentialBackoff) -> Self {
        Self { name: name.into(), policy, decorrelated: false, guard: Guard::None, hints: false }
    }

    /// The same under a guard.
    #[must_use]
    pub fn guard(self, guard: Guard) -> Self {
        Self { guard, ..self }
    }

    /// The same under another name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// No wait at all between attempts.
    #[must_use]
    pub fn none(scenario: &Scenario) -> Self {
        let at_once = Duration::from_micros(1);
        Self::new("none", Self::policy(scenario, Jitter::None).initial(at_once).max_delay(at_once))
    }

    /// Exponential without jitter.
    #[must_use]
    pub fn exponential(scenario: &Scenario) -> Self {
        Self::new("exponential", Self::policy(scenario, Jitter::None))
    }

    /// Full jitter.
    #[must_use]
    pub fn full(scenario: &Scenario) -> Self {
        Self::new("full jitter", Self::policy(scenario, Jitter::Full))
    }

    /// Equal jitter.
    #[must_use]
    pub fn equal(scenario: &Scenario) -> Self {
        Self::new("equal jitter", Self::policy(scenario, Jitter::Equal))
    }

    /// Decorrelated jitter, which the engine does not offer.
    #[must_use]
    pub fn decorrelated(scenario: &Scenario) -> Self {
        Self { decorrelated: true, ..Self::full(scenario).named("decorrelated") }
    }

    /// The same delay every time.
    #[must_use]
    pub fn fixed(scenario: &Scenario, delay: Duration) -> Self {
        let policy = Self::policy(scenario, Jitter::None).initial(delay).max_delay(delay);
        Self::new(format!("fixed {delay:?}"), policy)
    }

    /// Full jitter under a retry budget of ten tokens.
    #[must_use]
    pub fn budget(scenario: &Scenario) -> Self {
        Self::full(scenario).named("full jitter + retry budget").guard(Guard::Budget(Budget::DEFAULT))
    }

    /// Full jitter where the server tells refused clients when to come back.
    #[must_use]
    pub fn hinted(scenario: &Scenario) -> Self {
        Self { hints: true, ..Self::full(scenario).named("full jitter + hint") }
    }

    /// Full jitter under a pacer as published: literal, down by 0.9, at most 1 s apart.
    #[must_use]
    pub fn pacer(scenario: &Scenario) -> Self {
        Self::full(scenario).named("full jitter + pacer").guard(Guard::Pacer(Pacing::LITERAL))
    }

    /// Full jitter under a pacer as it is by default.
    #[must_use]
    pub fn annealed(scenario: &Scenario) -> Self {
        Self::full(scenario).named("full jitter + annealed").guard(Guard::Pacer(Pacing::DEFAULT))
    }

    /// The preset for fleets: full jitter; what a retry budget refuses waits in a line, and successes release it.
    #[must_use]
    pub fn preset(scenario: &Scenario) -> Self {
        Self::full(scenario).named("preset").guard(Guard::Queue(Line::DEFAULT, Some(Budget::DEFAULT)))
    }

    /// What tables compare: no wait, exponential, full, equal and decorrelated jitter, two pacers, a retry
    /// budget, the preset.
    #[must_use]
    pub fn all(scenario: &Scenario) -> Vec<Self> {
        vec![
            Self::none(scenario),
            Self::exponential(scenario),
            Self::full(scenario),
            Self::equal(scenario),
            Self::decorrelated(scenario),
            Self::pacer(scenario),
            Self::annealed(scenario),
            Self::budget(scenario),
            Self::preset(scenario),
        ]
    }
}
