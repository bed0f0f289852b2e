//! What is expected of a strategy for fleets, and whether it holds.

use std::time::Duration;

use super::conditions::{Condition, Kind};
use super::outcome::Outcome;
use super::scenario::{Load, ScenarioError};
use super::simulation::simulate;
use super::strategy::Strategy;

/// The figures of a strategy that a judgement needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The share of the requests that were served.
    pub served: f64,
    /// The share of the requests that ended with a failure.
    pub given_up: f64,
    /// Calls for each request.
    pub calls: f64,
    /// The most that arrived within 100 ms after the outage, in multiples of the capacity.
    pub peak: f64,
    /// When 99 % of a herd were served, since the end of the outage.
    pub served_99: Option<Duration>,
    /// When new traffic was whole again, since the end of the outage.
    pub whole_again: Option<Duration>,
    /// The smallest share of first attempts that were served within a second.
    pub worst_second: f64,
    /// The latency that 99 % of the served requests did not exceed.
    pub p99: Duration,
}

impl From<&Outcome> for Figures {
    fn from(outcome: &Outcome) -> Self {
        Self {
            served: outcome.served_share(),
            given_up: outcome.given_up_share(),
            calls: outcome.calls_per_request(),
            peak: outcome.peak(),
            served_99: outcome.served_99,
            whole_again: outcome.whole_again(),
            worst_second: outcome.worst_second(),
            p99: outcome.latency(0.99),
        }
    }
}

/// One thing that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// What is expected.
    pub name: &'static str,
    /// Whether it is so.
    pub holds: bool,
}

/// A condition, what the strategies did there, and whether the judged one is what it should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Where.
    pub condition: Condition,
    /// Full jitter.
    pub full: Figures,
    /// Full jitter under a retry budget.
    pub budget: Figures,
    /// The strategy that is judged.
    pub judged: Figures,
    /// What is expected of it.
    pub bars: Vec<Bar>,
}

/// Simulates full jitter, full jitter under a retry budget and the strategy, and judges the strategy.
///
/// ```
/// use backoff_lab::fleet::bars::judge;
/// use backoff_lab::fleet::conditions::{Condition, Kind};
/// use backoff_lab::fleet::{Scenario, Strategy};
///
/// let scenario = Scenario { processes: 10, ..Scenario::herd() };
/// let condition = Condition { name: "a small herd".into(), kind: Kind::Herd, scenario };
/// let judgement = judge(&condition, &Strategy::preset(&scenario), 1)?;
/// assert!(judgement.bars.iter().all(|bar| bar.holds));
/// # Ok::<(), backoff_lab::fleet::ScenarioError>(())
/// ```
///
/// # Errors
///
/// If the scenario can't be simulated.
pub fn judge(condition: &Condition, strategy: &Strategy, seed: u64) -> Result<Judgement, ScenarioError> {
    let scenario = &condition.scenario;
    let run = |strategy: &Strategy| simulate(scenario, strategy, seed).map(|outcome| Figures::from(&outcome));
    let (full, budget) = (run(&Strategy::full(scenario))?, run(&Strategy::budget(scenario))?);
    let judged = run(strategy)?;
    Ok(Judgement { condition: condition.clone(), full, budget, judged, bars: bars(condition, full, budget, judged) })
}

/// What has happened after at most `factor` times as long, or never for both.
fn within(time: Option<Duration>, factor: f64, other: Option<Duration>) -> bool {
    match (time, other) {
        (Some(time), Some(other)) => time <= other.mul_f64(factor),
        (_, None) => true,
        (None, Some(_)) => false,
    }
}

fn bars(condition: &Condition, full: Figures, budget: Figures, judged: Figures) -> Vec<Bar> {
    let bar = |name, holds| Bar { name, holds };
    match condition.kind {
        Kind::Traffic | Kind::Variation | Kind::Beyond => {
            let mut bars = vec![
                bar("at most 0.3 points below the retry budget", judged.served >= budget.served - 0.003),
                bar("whole within a second", judged.whole_again.is_some_and(|whole| whole <= Duration::from_secs(1))),
            ];
            let aimed = (0.89..0.91).contains(&load(condition)) && condition.scenario.processes == 1_000;
            // A longer outage leaves more than what a server at 90 % has to spare within the 30 s of a run.
            if condition.kind == Kind::Traffic && aimed && condition.scenario.server.outage <= Duration::from_secs(3) {
                bars.push(bar("aim: 99 % served at 90 % load", judged.served >= 0.99));
            }
            bars
        }
        Kind::Herd => vec![
            bar("at most 2.5 calls for each request", judged.calls <= 2.5),
            bar("peak at most 1.7 x capacity", judged.peak <= 1.7),
            bar("99 % within 1.1 x full jitter's time", within(judged.served_99, 1.1, full.served_99)),
            bar("nobody given up", judged.given_up <= 0.0),
        ],
        Kind::Lone => vec![
            bar("no more calls than full jitter", judged.calls <= full.calls * 1.01),
            bar("no higher peak than full jitter", judged.peak <= full.peak * 1.05),
            bar("99 % as soon as full jitter", within(judged.served_99, 1.05, full.served_99)),
            bar("nobody given up", judged.given_up <= 0.0),
        ],
        Kind::Calm => vec![
            bar("no extra calls", judged.calls <= full.calls * 1.001),
            bar("no added latency", judged.p99 <= full.p99.mul_f64(1.05)),
            bar("at most 0.3 points below the retry budget", judged.served >= budget.served - 0.003),
        ],
    }
}

fn load(condition: &Condition) -> f64 {
    match condition.scenario.load {
        Load::Traffic { load, .. } => load,
        Load::Herd { .. } => 0.0,
    }
}
