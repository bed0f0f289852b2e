//! Clients that fail together: when they come back, for each jitter and each final sleep.
//!
//! Nothing here stands for a server. Every attempt fails, so what is seen is the policy alone: the wave, and how it
//! disperses.

mod show;

use std::time::Duration;

use backoff_core::{ExponentialBackoff, FinalSleep, Jitter};

use crate::Error;
use crate::draws::draws;
use crate::failing::FailingRun;
use crate::report::Report;

/// More arrivals than this are not played: a policy without an end would never be through.
const MOST_ATTEMPTS: u32 = 10_000;
const MOST_INTERVALS: u128 = 100_000;
const MOST_CLIENTS: u32 = 10_000_000;

/// What is played.
///
/// ```
/// let settings = backoff_lab::herd::Settings::default();
/// assert_eq!(settings.policy.to_string(), "200ms x2, no jitter, budget 3.5s, trim");
/// assert_eq!((settings.clients, settings.interval.as_millis()), (1_000, 20));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The policy; its jitter and final sleep are replaced by each of those that are compared.
    pub policy: ExponentialBackoff,
    /// How many clients fail at once.
    pub clients: u32,
    /// How long an attempt takes until it fails.
    pub operation: Duration,
    /// What counts as the same moment.
    pub interval: Duration,
    /// Where the draws start from.
    pub seed: u64,
    /// The jitters to compare.
    pub jitters: Vec<Jitter>,
    /// The final sleeps to compare.
    pub final_sleeps: Vec<FinalSleep>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            policy: ExponentialBackoff::new(),
            clients: 1_000,
            operation: Duration::ZERO,
            interval: Duration::from_millis(20),
            seed: 1,
            jitters: vec![Jitter::None, Jitter::Equal, Jitter::Full],
            final_sleeps: vec![FinalSleep::Trim, FinalSleep::Spread, FinalSleep::Skip],
        }
    }
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Herd {
    /// What was played.
    pub settings: Settings,
    /// One for each jitter and final sleep.
    pub waves: Vec<Wave>,
}

/// When the clients of one policy came.
#[derive(Clone, Debug, PartialEq)]
pub struct Wave {
    /// The policy.
    pub policy: ExponentialBackoff,
    /// All attempts of all clients.
    pub attempts: u64,
    /// The arrivals in each interval, from the moment of the failure.
    pub arrivals: Vec<u64>,
}

impl Wave {
    /// The most arrivals in one interval after the first, in which everyone comes, and the number of that interval.
    ///
    /// ```
    /// use backoff_lab::herd::{Settings, herd};
    /// let found = herd(&Settings::default())?;
    /// assert_eq!(found.waves[0].peak(), (1_000, 10), "without jitter all come again after 200 ms");
    /// # Ok::<_, backoff_lab::Error>(())
    /// ```
    #[must_use]
    pub fn peak(&self) -> (u64, usize) {
        let later = self.arrivals.iter().copied().enumerate().skip(1);
        // The first of equals, as a reader would count.
        later.fold((0, 0), |best, (at, count)| if count > best.0 { (count, at) } else { best })
    }
}

/// Plays every client of every policy to its end.
///
/// ```
/// use backoff_core::{FinalSleep, Jitter};
/// use backoff_lab::herd::{Settings, herd};
///
/// let settings =
///     Settings { jitters: vec![Jitter::Full], final_sleeps: vec![FinalSleep::Spread], ..Settings::default() };
/// let (peak, _) = herd(&settings)?.waves[0].peak();
/// assert!(peak < 200, "of 1,000 clients that failed together, {peak} meet again");
/// # Ok::<_, backoff_lab::Error>(())
/// ```
///
/// # Errors
/// When there is nothing to play, when the policy has no end, or when the interval is too short for the time it takes.
pub fn herd(settings: &Settings) -> Result<Herd, Error> {
    check(settings)?;
    let mut waves = Vec::new();
    for jitter in &settings.jitters {
        for final_sleep in &settings.final_sleeps {
            let policy = settings.policy.jitter(*jitter).final_sleep(*final_sleep);
            waves.push(wave(settings, policy, waves.len())?);
        }
    }
    Ok(Herd { settings: settings.clone(), waves })
}

fn check(settings: &Settings) -> Result<(), Error> {
    let clients = settings.clients;
    let problem = if !(2..=MOST_CLIENTS).contains(&clients) {
        &format!("`clients` can't be `{clients}`: it must be from 2 to {MOST_CLIENTS}")
    } else if settings.interval.is_zero() {
        "the interval must be longer than zero, such as `10ms`"
    } else if settings.jitters.is_empty() || settings.final_sleeps.is_empty() {
        "there must be one jitter and one final sleep, or more of either"
    } else if settings.policy.get_budget().is_none() && settings.policy.get_max_attempts().is_none() {
        "this herd never fails for good: give the policy a budget or `max_attempts`"
    } else {
        return Ok(());
    };
    Err(Error::Setting(problem.to_owned()))
}

fn wave(settings: &Settings, policy: ExponentialBackoff, number: usize) -> Result<Wave, Error> {
    let random = draws(settings.seed, number as u64);
    let mut wave = Wave { policy, attempts: 0, arrivals: Vec::new() };
    for _ in 0..settings.clients {
        let mut run = FailingRun::new(policy);
        let mut attempts = 0;
        loop {
            attempts += 1;
            wave.attempts += 1;
            let interval = run.now().as_nanos() / settings.interval.as_nanos();
            if interval >= MOST_INTERVALS || attempts > MOST_ATTEMPTS {
                return Err(Error::Setting(
                    "that is more time, or more attempts, than can be shown: shorten the budget, or count in longer intervals"
                        .to_owned(),
                ));
            }
            let interval = usize::try_from(interval).unwrap_or(usize::MAX);
            if interval >= wave.arrivals.len() {
                wave.arrivals.resize(interval + 1, 0);
            }
            wave.arrivals[interval] += 1;
            if run.fail(settings.operation, &random).is_none() {
                break;
            }
        }
    }
    Ok(wave)
}

impl Herd {
    /// As a table of peaks and a picture of small multiples.
    ///
    /// ```
    /// use backoff_lab::herd::{Settings, herd};
    /// let report = herd(&Settings { clients: 10, ..Settings::default() })?.report();
    /// assert_eq!(report.figure.unwrap().panels.len(), 9);
    /// # Ok::<_, backoff_lab::Error>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> Report {
        show::report(self)
    }
}
