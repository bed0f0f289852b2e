//! The world that a fleet lives in: every parameter of both models.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use backoff_core::guard::SettingError;
use backoff_policy::duration::text;
use backoff_policy::sentence::Sentence;

/// A fleet, its load, the network and the server.
///
/// Change the fields of [`Scenario::herd`] or [`Scenario::traffic`].
///
/// ```
/// use backoff_lab::fleet::{Scenario, Server};
/// let scenario = Scenario { processes: 100, ..Scenario::traffic(0.9) };
/// let hard = Scenario { server: Server { refusal_cost: 0.4, ..scenario.server }, ..scenario };
/// assert!(hard.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    /// How many processes there are. Calls of one process share its guard; processes share nothing.
    pub processes: u32,
    /// How unequal the processes are: the process of rank r has a share in proportion to 1 / r^skew. 0 makes them equal.
    pub skew: f64,
    /// What the processes do.
    pub load: Load,
    /// What answers them.
    pub server: Server,
    /// One way through the network takes |Normal(this, `leg_deviation`)|.
    pub leg: Duration,
    /// The standard deviation of a way through the network.
    pub leg_deviation: Duration,
    /// How long a client waits for an answer.
    pub timeout: Duration,
    /// When the simulation stops, whatever is still under way then.
    pub end: Duration,
}

/// What a fleet does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// Everybody calls once, at time zero.
    Herd {
        /// The calls of each process, on average if `skew` is not 0.
        tasks: u32,
    },
    /// Requests arrive at random and independently (Poisson). Those under way when no more arrive are still carried out.
    Traffic {
        /// How many, as a share of what the server can serve.
        load: f64,
        /// How long they go on arriving.
        lasts: Duration,
    },
}

/// A server of limited capacity, which recovers it continuously and can save up a burst of it.
///
/// A request that finds one unit of capacity is served. One that does not is refused, if there is enough for the cost of a
/// refusal; and if there is not even that, it is dropped without a word, and its client times out. While it is out it
/// refuses everything, and that costs nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Server {
    /// Requests a millisecond.
    pub capacity: f64,
    /// How many requests it can serve at once after a quiet time.
    pub burst: f64,
    /// What a refusal costs, as a share of what serving costs.
    pub refusal_cost: f64,
    /// When it goes out.
    pub outage_start: Duration,
    /// How long it stays out.
    pub outage: Duration,
    /// The share of refusals that are not honest: the server takes such a request on at full cost, and never answers.
    pub dishonest: f64,
    /// The share of requests that fail although the server had room for them, at full cost.
    pub errors: f64,
    /// Whether a burst waits in a line and is served at the rate of `capacity`, instead of at once. A request whose client
    /// has timed out meanwhile is served for nothing.
    pub queue: bool,
}

impl Server {
    /// Ten requests a millisecond, bursts of 200, free refusals, no outage.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            capacity: 10.0,
            burst: 200.0,
            refusal_cost: 0.0,
            outage_start: Duration::ZERO,
            outage: Duration::ZERO,
            dishonest: 0.0,
            errors: 0.0,
            queue: false,
        }
    }
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

impl Scenario {
    /// A thousand processes of a hundred calls that all fail at time zero, because the server is out for two seconds.
    #[must_use]
    pub const fn herd() -> Self {
        Self {
            processes: 1_000,
            skew: 0.0,
            load: Load::Herd { tasks: 100 },
            server: Server { outage: Duration::from_secs(2), ..Server::new() },
            leg: Duration::from_millis(10),
            leg_deviation: Duration::from_millis(2),
            timeout: Duration::from_millis(500),
            end: Duration::from_secs(600),
        }
    }

    /// A thousand processes with steady traffic at that load for a minute, in which the server is out from 5 s to 7 s;
    /// a refusal costs a tenth of what serving costs.
    #[must_use]
    pub const fn traffic(load: f64) -> Self {
        Self {
            load: Load::Traffic { load, lasts: Duration::from_secs(60) },
            server: Server {
                refusal_cost: 0.1,
                outage_start: Duration::from_secs(5),
                outage: Duration::from_secs(2),
                ..Server::new()
            },
            end: Duration::from_secs(120),
            ..Self::herd()
        }
    }

    /// When the server is back.
    #[must_use]
    pub fn outage_end(&self) -> Duration {
        self.server.outage_start.saturating_add(self.server.outage)
    }

    /// Whether it can be simulated.
    ///
    /// # Errors
    ///
    /// The first field that has a value out of its range, that value, and the range.
    ///
    /// ```
    /// use backoff_lab::fleet::Scenario;
    /// let error = Scenario { processes: 0, ..Scenario::herd() }.check().unwrap_err();
    /// assert_eq!(error.to_string(), "`processes` can't be `0`: it must be from 1 to 10,000,000");
    /// ```
    pub fn check(&self) -> Result<(), ScenarioError> {
        let server = &self.server;
        whole("processes", self.processes, 10_000_000, "10,000,000")?;
        share("skew", self.skew, 3.0)?;
        match self.load {
            Load::Herd { tasks } => {
                let most = MOST_CALLS / self.processes;
                let shown = format!("{most}, for {} processes make at most 100,000,000 calls", self.processes);
                whole("tasks", tasks, most, &shown)?;
            }
            Load::Traffic { load, lasts } => {
                refuse(load > 0.0 && load <= 10.0, "load", number(load), "above 0 and at most 10")?;
                hour("lasts", lasts)?;
            }
        }
        let fits = server.capacity > 0.0 && server.capacity <= 10_000.0;
        refuse(fits, "capacity", number(server.capacity), "above 0 and at most 10,000 a millisecond")?;
        refuse((1.0..=1e9).contains(&server.burst), "burst", number(server.burst), "from 1 to 1,000,000,000")?;
        share("refusal_cost", server.refusal_cost, 1.0)?;
        share("dishonest", server.dishonest, 1.0)?;
        share("errors", server.errors, 1.0)?;
        hour("outage_start", server.outage_start)?;
        hour("outage", server.outage)?;
        hour("leg", self.leg)?;
        hour("leg_deviation", self.leg_deviation)?;
        some_time("timeout", self.timeout)?;
        some_time("end", self.end)
    }
}

const MOST_CALLS: u32 = 100_000_000;
const HOUR: Duration = Duration::from_secs(3_600);

fn refuse(fits: bool, field: &'static str, value: impl fmt::Display, accepted: &str) -> Result<(), ScenarioError> {
    if fits { Ok(()) } else { Err(ScenarioError(format!("`{field}` can't be `{value}`: it must be {accepted}"))) }
}

fn whole(field: &'static str, value: u32, most: u32, shown: &str) -> Result<(), ScenarioError> {
    refuse((1..=most).contains(&value), field, value, &format!("from 1 to {shown}"))
}

fn share(field: &'static str, value: f64, most: f64) -> Result<(), ScenarioError> {
    refuse((0.0..=most).contains(&value), field, number(value), &format!("from 0 to {most}"))
}

fn hour(field: &'static str, value: Duration) -> Result<(), ScenarioError> {
    refuse(value <= HOUR, field, text(value), "at most `1h`")
}

fn some_time(field: &'static str, value: Duration) -> Result<(), ScenarioError> {
    refuse(!value.is_zero() && value <= HOUR, field, text(value), "longer than zero and at most `1h`")
}

/// Large ones with an exponent, as in the sentences about a policy.
const fn number(value: f64) -> Sentence {
    Sentence::new().float(value)
}

/// A scenario that can't be simulated, or the guard of a strategy that there can't be, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError(String);

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<SettingError> for ScenarioError {
    fn from(error: SettingError) -> Self {
        Self(error.to_string())
    }
}

impl Error for ScenarioError {}
