//! A fleet of clients in front of a server that goes out and comes back: what each strategy does to it.
//!
//! The model is [`fleet`](crate::fleet); this compares strategies in it, side by side.

mod show;
mod work;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::Error;
use crate::fleet::{Guard, Line, Outcome, Progress, Scenario, Strategy};
use crate::report::Report;

/// What is compared, and where.
///
/// ```
/// use backoff_lab::fleet::Scenario;
/// use backoff_lab::outage::{Settings, Which};
/// let settings = Settings::new(Scenario::traffic(0.9), &[Which::Full, Which::Budget]);
/// assert_eq!(settings.strategies[1].name, "full jitter + retry budget");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The fleet, its load, the network and the server.
    pub scenario: Scenario,
    /// What its clients do; one row and one panel for each.
    pub strategies: Vec<Strategy>,
    /// Where the draws start from.
    pub seed: u64,
    /// How many strategies are simulated at the same time. It changes no figure.
    pub threads: usize,
}

impl Settings {
    /// Some of the strategies that have a name.
    #[must_use]
    pub fn new(scenario: Scenario, which: &[Which]) -> Self {
        Self {
            scenario,
            strategies: which.iter().map(|which| which.strategy(&scenario)).collect(),
            seed: 1,
            threads: 1,
        }
    }
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Outage {
    /// The scenario that all strategies were put into.
    pub scenario: Scenario,
    /// Each strategy and what it did, in the order of the settings.
    pub rows: Vec<(Strategy, Outcome)>,
}

/// Simulates every strategy. The same settings give the same figures, however many threads there are.
///
/// `progress` is told the number of a strategy and how far it is.
///
/// ```
/// use backoff_lab::fleet::Scenario;
/// use backoff_lab::outage::{Settings, Which, outage};
///
/// let scenario = Scenario { processes: 5, ..Scenario::herd() };
/// let settings = Settings::new(scenario, &[Which::Full, Which::Budget]);
/// let found = outage(&settings, &|_, _| ())?;
/// assert_eq!(found.rows[0].1.served_share(), 1.0);
/// assert_eq!(found.rows[1].1.served_share(), 0.0, "without any success nothing refills a retry budget");
/// # Ok::<_, backoff_lab::Error>(())
/// ```
///
/// # Errors
/// When there is no strategy, or the scenario can't be simulated.
pub fn outage(settings: &Settings, progress: &(dyn Fn(usize, Progress) + Sync)) -> Result<Outage, Error> {
    settings.scenario.check().map_err(|error| Error::Setting(error.to_string()))?;
    if settings.strategies.is_empty() {
        return Err(Error::Setting("there must be one strategy or more".to_owned()));
    }
    let outcomes = work::all(settings, progress)?;
    let rows = settings.strategies.iter().cloned().zip(outcomes).collect();
    Ok(Outage { scenario: settings.scenario, rows })
}

impl Outage {
    /// As a table and a picture of what arrives and what is served, a panel for each strategy.
    ///
    /// ```
    /// use backoff_lab::fleet::Scenario;
    /// use backoff_lab::outage::{Settings, Which, outage};
    /// let settings = Settings::new(Scenario { processes: 5, ..Scenario::herd() }, &[Which::Full]);
    /// let report = outage(&settings, &|_, _| ())?.report();
    /// assert_eq!(report.tables[0].rows[0][1].to_string(), "100.0 %");
    /// # Ok::<_, backoff_lab::Error>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> Report {
        show::report(self)
    }
}

/// The strategies that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// No wait between attempts.
    None,
    /// One second between attempts, always.
    Fixed,
    /// Exponential, without jitter.
    Exponential,
    /// Equal jitter.
    Equal,
    /// Full jitter.
    Full,
    /// Decorrelated jitter, which the engine does not offer.
    Decorrelated,
    /// Full jitter where the server tells refused clients when to come back.
    Hint,
    /// Full jitter under a pacer: literal, down by 0.9, at most 1 s apart.
    Pacer,
    /// Full jitter under a pacer as it is by default.
    Annealed,
    /// Full jitter under a retry budget.
    Budget,
    /// Full jitter in a line that successes release, without a retry budget.
    Queue,
    /// The preset for fleets: what a retry budget refuses waits in that line.
    Preset,
}

impl Which {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 12] = [
        Self::None,
        Self::Fixed,
        Self::Exponential,
        Self::Equal,
        Self::Full,
        Self::Decorrelated,
        Self::Hint,
        Self::Pacer,
        Self::Annealed,
        Self::Budget,
        Self::Queue,
        Self::Preset,
    ];

    /// Its name, in one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Fixed => "fixed",
            Self::Exponential => "exponential",
            Self::Equal => "equal",
            Self::Full => "full",
            Self::Decorrelated => "decorrelated",
            Self::Hint => "hint",
            Self::Pacer => "pacer",
            Self::Annealed => "annealed",
            Self::Budget => "budget",
            Self::Queue => "queue",
            Self::Preset => "preset",
        }
    }

    /// What it is in a scenario.
    #[must_use]
    pub fn strategy(self, scenario: &Scenario) -> Strategy {
        match self {
            Self::None => Strategy::none(scenario),
            Self::Fixed => Strategy::fixed(scenario, Duration::from_secs(1)),
            Self::Exponential => Strategy::exponential(scenario),
            Self::Equal => Strategy::equal(scenario),
            Self::Full => Strategy::full(scenario),
            Self::Decorrelated => Strategy::decorrelated(scenario),
            Self::Hint => Strategy::hinted(scenario),
            Self::Pacer => Strategy::pacer(scenario),
            Self::Annealed => Strategy::annealed(scenario),
            Self::Budget => Strategy::budget(scenario),
            Self::Queue => {
                Strategy::full(scenario).named("full jitter + line").guard(Guard::Queue(Line::DEFAULT, None))
            }
            Self::Preset => Strategy::preset(scenario),
        }
    }
}

impl FromStr for Which {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let words = Self::ALL.map(Self::word);
        Self::ALL.into_iter().find(|which| which.word() == text).ok_or_else(|| {
            let hint = match backoff_policy::suggest::nearest(text, &words) {
                Some(meant) => format!("; did you mean `{meant}`?"),
                None => String::new(),
            };
            Error::Setting(format!("`{text}` is no strategy: choose from `{}`{hint}", words.join("`, `")))
        })
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
