//! The interval that a pacer learns, against a server whose limit moves.
//!
//! One caller calls as often as the [`Pacer`](backoff_core::guard::Pacer) lets it. The server serves a call if the last one
//! that it served is as long ago as its limit asks for, and refuses it otherwise.

mod model;
mod show;

use std::time::Duration;

use backoff_core::guard::PacerMode;
use backoff_policy::duration::text;

use crate::Error;
use crate::report::{Colour, Report};

/// What is simulated.
///
/// ```
/// let settings = backoff_lab::pacer::Settings::default();
/// assert_eq!(settings.limits, [100.0, 25.0, 100.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The ways to learn that are compared.
    pub modes: Vec<PacerMode>,
    /// What the server serves, in calls a second, one after the other.
    pub limits: Vec<f64>,
    /// How long each limit holds.
    pub hold: Duration,
    /// How long a call takes.
    pub operation: Duration,
    /// The interval to start with.
    pub interval: Duration,
    /// What a success multiplies the interval by.
    pub down: f64,
    /// What a failure multiplies it by.
    pub up: f64,
    /// How far the interval moves towards one millisecond after each call, in the literal mode.
    pub smoothing: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            modes: vec![PacerMode::Literal, PacerMode::Annealed, PacerMode::Cubic],
            limits: vec![100.0, 25.0, 100.0],
            hold: Duration::from_secs(20),
            operation: Duration::from_millis(1),
            interval: Duration::from_millis(1),
            down: 0.985,
            up: 2.0,
            smoothing: 0.005,
        }
    }
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Paces {
    /// What was simulated.
    pub settings: Settings,
    /// One for each mode.
    pub paces: Vec<Pace>,
}

/// All calls under one mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Pace {
    /// How it learned.
    pub mode: PacerMode,
    /// The calls, in order.
    pub calls: Vec<Call>,
}

/// One call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call {
    /// When it was made.
    pub at: Duration,
    /// Which of the limits was in force.
    pub phase: usize,
    /// Whether it was served.
    pub served: bool,
    /// The interval that was learned from it, in milliseconds.
    pub interval: f64,
}

/// Calls the server until its last limit has passed, under each mode.
///
/// ```
/// use backoff_core::guard::PacerMode;
/// use backoff_lab::pacer::{Settings, pacer};
///
/// let found = pacer(&Settings { modes: vec![PacerMode::Annealed], ..Settings::default() })?;
/// let last = found.paces[0].calls.last().unwrap();
/// assert!((9.0..11.0).contains(&last.interval), "a hundred calls a second are one in 10 ms: {last:?}");
/// # Ok::<_, backoff_lab::Error>(())
/// ```
///
/// # Errors
/// When there is no limit or no mode, or a setting is out of range.
pub fn pacer(settings: &Settings) -> Result<Paces, Error> {
    let wrong = settings.limits.iter().find(|limit| !(0.01..=10_000.0).contains(*limit));
    let problem = if settings.modes.is_empty() || settings.limits.is_empty() {
        "there must be one mode and one limit, or more of either"
    } else if let Some(limit) = wrong {
        &format!("a limit can't be `{limit}`: it must be from 0.01 to 10000 calls a second")
    } else if settings.hold.is_zero() || settings.hold > Duration::from_secs(3_600) {
        &format!("`hold` can't be `{}`: it must be longer than zero and at most `1h`", text(settings.hold))
    } else {
        let paces = settings.modes.iter().map(|mode| model::play(settings, *mode)).collect::<Result<_, _>>()?;
        return Ok(Paces { settings: settings.clone(), paces });
    };
    Err(Error::Setting(problem.to_owned()))
}

impl Paces {
    /// As a table of how well each limit was found, and a picture of the interval over time.
    ///
    /// ```
    /// let report = backoff_lab::pacer::pacer(&backoff_lab::pacer::Settings::default())?.report();
    /// assert_eq!(report.tables[0].rows.len(), 9);
    /// # Ok::<_, backoff_lab::Error>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> Report {
        show::report(self)
    }
}

/// The name of a mode, in one word.
#[must_use]
pub const fn word(mode: PacerMode) -> &'static str {
    match mode {
        PacerMode::Literal => "literal",
        PacerMode::Annealed => "annealed",
        PacerMode::Cubic => "cubic",
    }
}

/// The mode of that name.
///
/// # Errors
/// When there is none.
pub fn mode(text: &str) -> Result<PacerMode, Error> {
    let modes = [PacerMode::Literal, PacerMode::Annealed, PacerMode::Cubic];
    modes.into_iter().find(|mode| word(*mode) == text).ok_or_else(|| {
        Error::Setting(format!("`{text}` is no mode of a pacer: choose `literal`, `annealed` or `cubic`"))
    })
}

const fn colour(mode: PacerMode) -> Colour {
    match mode {
        PacerMode::Literal => Colour::Orange,
        PacerMode::Annealed => Colour::Blue,
        PacerMode::Cubic => Colour::Green,
    }
}
