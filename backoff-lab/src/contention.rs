//! Clients that want to change one record, and only one of them can at a time.
//!
//! Optimistic concurrency, as in "Exponential Backoff And Jitter" (Marc Brooker, 2015): a client reads the version of a
//! record, writes with that version, and is refused if another one was faster. Then it waits and reads again. Each of the
//! four messages takes |Normal(10 ms, 2 ms)|. The waits are those of the engine; only decorrelated jitter, which the
//! engine does not offer, is a rule of this module. Under the preset clients share a process and its guards: that is
//! [`fleet::record`](crate::fleet::record).

mod model;
mod show;
mod wait;

use std::time::Duration;

use crate::Error;
use crate::fleet::record::contended;
use crate::report::Report;
pub use wait::Wait;

/// What is simulated.
///
/// ```
/// let settings = backoff_lab::contention::Settings::default();
/// assert_eq!(settings.base.as_millis(), 5);
/// assert_eq!(settings.waits.len(), 6);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How many clients contend; one row for each.
    pub clients: Vec<u32>,
    /// How they wait after a conflict.
    pub waits: Vec<Wait>,
    /// The first conflict is followed by twice this time, the next by four times, and so on.
    pub base: Duration,
    /// The longest wait.
    pub cap: Duration,
    /// The mean time of a message.
    pub leg: Duration,
    /// Its standard deviation.
    pub deviation: Duration,
    /// How often each row is repeated.
    pub repeats: u32,
    /// Where the draws start from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            clients: vec![10, 50, 100, 190],
            waits: Wait::ALL.to_vec(),
            base: Duration::from_millis(5),
            cap: Duration::from_secs(2),
            leg: Duration::from_millis(10),
            deviation: Duration::from_millis(2),
            repeats: 40,
            seed: 1,
        }
    }
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Contention {
    /// What was simulated.
    pub settings: Settings,
    /// One row for each number of clients and each wait.
    pub rows: Vec<Row>,
}

/// The mean of all repeats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// How many clients contended.
    pub clients: u32,
    /// How they waited.
    pub wait: Wait,
    /// The writes of all clients together, successful or not.
    pub calls: f64,
    /// The standard error of `calls`.
    pub calls_error: f64,
    /// When the last client was done, in seconds.
    pub seconds: f64,
    /// The standard error of `seconds`.
    pub seconds_error: f64,
}

/// Simulates every row.
///
/// ```
/// use backoff_lab::contention::{Settings, Wait, contention};
///
/// let settings = Settings { clients: vec![10], waits: vec![Wait::None, Wait::Full], ..Settings::default() };
/// let rows = contention(&settings, &mut |_| ())?.rows;
/// assert!(rows[0].calls > rows[1].calls, "who waits at random is refused less often");
/// # Ok::<_, backoff_lab::Error>(())
/// ```
///
/// # Errors
/// When there is nothing to simulate, or a time is out of range.
pub fn contention(settings: &Settings, progress: &mut dyn FnMut(u64)) -> Result<Contention, Error> {
    check(settings)?;
    let mut rows = Vec::new();
    for clients in &settings.clients {
        for wait in &settings.waits {
            rows.push(row(settings, *clients, *wait, progress)?);
        }
    }
    Ok(Contention { settings: settings.clone(), rows })
}

impl Settings {
    /// Whether all times are those of the published model.
    fn is_published(&self) -> bool {
        let published = Self::default();
        (self.base, self.cap, self.leg, self.deviation)
            == (published.base, published.cap, published.leg, published.deviation)
    }

    /// How many simulations that is: what `progress` counts up to.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        (self.clients.len() * self.waits.len()) as u64 * u64::from(self.repeats)
    }
}

/// Beyond this a simulation would take hours.
const MOST_CLIENTS: u32 = 5_000;

fn check(settings: &Settings) -> Result<(), Error> {
    let wrong = settings.clients.iter().find(|clients| !(1..=MOST_CLIENTS).contains(*clients));
    let problem = if settings.clients.is_empty() || settings.waits.is_empty() || settings.repeats == 0 {
        "there must be one number of clients, one way to wait and one repeat, or more of each"
    } else if let Some(clients) = wrong {
        &format!("`clients` can't be `{clients}`: it must be from 1 to {MOST_CLIENTS}")
    } else if settings.base.is_zero() || settings.cap.is_zero() {
        "`base` and `cap` must be longer than zero, such as `5ms` and `2s`"
    } else if settings.leg.is_zero() {
        "a message must take some time, such as `10ms`"
    } else if settings.waits.contains(&Wait::Preset) && !settings.is_published() {
        "`preset` is simulated with the published times only: leave it out, or base, cap, leg and deviation"
    } else {
        return Ok(());
    };
    Err(Error::Setting(problem.to_owned()))
}

fn row(settings: &Settings, clients: u32, wait: Wait, progress: &mut dyn FnMut(u64)) -> Result<Row, Error> {
    let mut calls = Mean::default();
    let mut seconds = Mean::default();
    for repeat in 0..settings.repeats {
        if wait == Wait::Preset {
            let contended = contended(clients, true, settings.seed.wrapping_add(repeat.into()));
            calls.add(contended.calls * f64::from(clients));
            seconds.add(contended.time.as_secs_f64());
        } else {
            // The same number is the same luck for every way to wait, which makes them easier to compare.
            let played = model::play(settings, clients, wait, u64::from(repeat))?;
            calls.add(f64::from(played.calls));
            seconds.add(played.end.as_secs_f64());
        }
        progress(1);
    }
    Ok(Row {
        clients,
        wait,
        calls: calls.mean(),
        calls_error: calls.error(),
        seconds: seconds.mean(),
        seconds_error: seconds.error(),
    })
}

/// A mean and how sure it is.
#[derive(Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn error(&self) -> f64 {
        if self.count < 2.0 {
            return 0.0;
        }
        let variance = (self.squares - self.sum * self.mean()) / (self.count - 1.0);
        (variance.max(0.0) / self.count).sqrt()
    }
}

impl Contention {
    /// As a table and a picture of calls and time by number of clients.
    ///
    /// ```
    /// use backoff_lab::contention::{Settings, contention};
    /// let settings = Settings { clients: vec![2, 5], repeats: 3, ..Settings::default() };
    /// let report = contention(&settings, &mut |_| ())?.report();
    /// assert_eq!(report.tables[0].rows.len(), 12);
    /// # Ok::<_, backoff_lab::Error>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> Report {
        show::report(self)
    }
}
