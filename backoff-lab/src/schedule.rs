//! What a policy does when every attempt fails: each sleep and the whole run, over many draws of the real engine.

mod advice;
mod play;
mod show;

use std::time::Duration;

use crate::quantiles::Quantiles;
use crate::report::Report;
use crate::source::Named;

/// How a policy is tried.
///
/// ```
/// let settings = backoff_lab::schedule::Settings::default();
/// assert_eq!((settings.operation.is_zero(), settings.draws, settings.seed), (true, 10_000, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long an attempt takes until it fails.
    pub operation: Duration,
    /// How many runs are drawn.
    pub draws: u32,
    /// Where the draws start from.
    pub seed: u64,
    /// How many clients run under this policy at once, if that is known.
    pub clients: Option<u64>,
    /// How many retries are listed.
    pub rows: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { operation: Duration::ZERO, draws: 10_000, seed: 1, clients: None, rows: 20 }
    }
}

/// What came out: one level for a policy alone, several if retries are nested.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// How it was tried.
    pub settings: Settings,
    /// The policies, the outermost first.
    pub levels: Vec<Level>,
    /// How many runs were drawn: fewer than asked for, if they are very long.
    pub drawn: u32,
    /// How often the operation is called for one call of the outermost level.
    pub calls: Quantiles<u64>,
}

/// One policy and what it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The policy and its name.
    pub named: Named,
    /// The sleeps, one row for each retry.
    pub rows: Vec<Row>,
    /// The attempts of a run.
    pub attempts: Quantiles<u32>,
    /// The most attempts of a run if this were the only level, and every attempt failed at once.
    pub most_alone: u32,
    /// How long a run takes.
    pub total: Quantiles,
    /// How long it sleeps.
    pub slept: Quantiles,
    /// Whether runs were left before their end, because none was in sight.
    pub endless: bool,
}

/// One sleep of a schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of the retry, from 1.
    pub retry: u32,
    /// What the formula says.
    pub delay: Duration,
    /// What was slept.
    pub sleep: Quantiles,
    /// The share of runs that get as far as this.
    pub share: f64,
}

/// Plays runs in which every attempt fails, under policies that are nested, the outermost first. An attempt of an outer
/// level is a whole run of the next one.
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use backoff_lab::schedule::{Settings, schedule};
/// use backoff_lab::source::Named;
///
/// let policy = Named::new("orders", ExponentialBackoff::new());
/// let found = schedule(&[policy.clone(), policy], &Settings::default())?;
/// assert_eq!(found.levels[1].attempts.high, 6);
/// // One inner run uses up the outer budget; where attempts end at once, six runs of six fit into it.
/// assert_eq!((found.calls.high, found.product()), (6, 36));
/// # Ok::<_, backoff_lab::Error>(())
/// ```
///
/// # Errors
/// When there is no policy, or nothing is to be drawn.
pub fn schedule(policies: &[Named], settings: &Settings) -> Result<Schedule, crate::Error> {
    play::schedule(policies, settings)
}

impl Schedule {
    /// As tables, a picture, and warnings about what will hurt.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_lab::schedule::{Settings, schedule};
    /// use backoff_lab::source::Named;
    ///
    /// let policy = Named::new("flags", ExponentialBackoff::new().unlimited());
    /// let report = schedule(&[policy], &Settings::default())?.report();
    /// assert!(report.warnings[0].starts_with("nothing ends a run that keeps failing"));
    /// # Ok::<_, backoff_lab::Error>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> Report {
        show::report(self)
    }

    /// The most attempts of all levels, multiplied: what one call can come to where attempts fail at once.
    #[must_use]
    pub fn product(&self) -> u64 {
        self.levels.iter().fold(1, |product, level| product.saturating_mul(u64::from(level.most_alone)))
    }
}
