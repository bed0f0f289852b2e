//! The processes: what the calls of each share.

use std::collections::VecDeque;
use std::time::Duration;

use backoff_core::guard::{Pacer, RetryBudget, SettingError, SuccessClock};
use backoff_core::random::Random;

use super::calendar::Micros;
use super::scenario::{Load, Scenario};
use super::strategy::{Budget, Guard, Line, Pacing};

/// The guards of all processes; each list is empty unless the strategy uses it.
pub(super) struct Crowd {
    pub(super) budgets: Vec<RetryBudget>,
    pub(super) lines: Vec<Waiting>,
    pub(super) pacers: Vec<Paced>,
    /// The sums of the shares of the processes so far, if they are not equal.
    sums: Vec<f64>,
    processes: u32,
}

/// The calls of a process that wait.
pub(super) struct Waiting {
    pub(super) clock: SuccessClock,
    pub(super) calls: VecDeque<u32>,
    /// For when the process has asked to be looked at.
    pub(super) look: Micros,
}

/// The pacer of a process, and the calls that wait for their turn.
pub(super) struct Paced {
    pub(super) pacer: Pacer,
    pub(super) waiting: VecDeque<u32>,
    /// For when the process has asked to be looked at.
    pub(super) look: Micros,
}

impl Crowd {
    pub(super) fn new(scenario: &Scenario, guard: &Guard) -> Result<Self, SettingError> {
        let (budget, line, pacer) = match guard {
            Guard::None => (None, None, None),
            Guard::Budget(budget) => (Some(budget), None, None),
            Guard::Queue(line, budget) => (budget.as_ref(), Some(line), None),
            Guard::Pacer(pacing) => (None, None, Some(pacing)),
        };
        let count = usize::try_from(scenario.processes).unwrap_or(usize::MAX);
        let mut sum = 0.0;
        let share = |rank: u32| {
            sum += f64::from(rank).powf(-scenario.skew);
            sum
        };
        Ok(Self {
            budgets: budget
                .into_iter()
                .flat_map(|budget| (0..count).map(|_| budget.build()))
                .collect::<Result<_, _>>()?,
            lines: line.map_or_else(Vec::new, |line| (0..count).map(|_| Waiting::new(line)).collect()),
            pacers: pacer
                .into_iter()
                .flat_map(|pacing| (0..count).map(|_| Paced::new(pacing)))
                .collect::<Result<_, _>>()?,
            sums: if scenario.skew > 0.0 { (1..=scenario.processes).map(share).collect() } else { Vec::new() },
            processes: scenario.processes,
        })
    }

    /// Whose the next request is. The calls of a herd go round, if the processes are equal.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "below the number of processes")]
    pub(super) fn whose<R: Random>(&self, nth: u64, load: Load, random: &R) -> u32 {
        match (self.sums.last(), load) {
            (Some(sum), _) => {
                let at = random.next_u64() as f64 / u64::MAX as f64 * sum;
                (self.sums.partition_point(|sum| *sum < at) as u32).min(self.processes - 1)
            }
            (None, Load::Herd { .. }) => (nth % u64::from(self.processes)) as u32,
            (None, Load::Traffic { .. }) => random.draw(u128::from(self.processes - 1)) as u32,
        }
    }
}

impl Budget {
    fn build(&self) -> Result<RetryBudget, SettingError> {
        RetryBudget::new().try_max_tokens(self.max_tokens)?.try_ratio(self.ratio)
    }
}

impl Waiting {
    fn new(line: &Line) -> Self {
        let clock = SuccessClock::new().share(line.share).patience(line.patience);
        Self { clock, calls: VecDeque::new(), look: Micros::MAX }
    }
}

impl Paced {
    fn new(pacing: &Pacing) -> Result<Self, SettingError> {
        Ok(Self { pacer: pacing.build()?, waiting: VecDeque::new(), look: Micros::MAX })
    }
}

/// What a pacer starts at.
const START: Duration = Duration::from_millis(1);

impl Pacing {
    fn build(&self) -> Result<Pacer, SettingError> {
        let pacer = Pacer::new().mode(self.mode).smoothing(0.0);
        pacer
            .try_interval(self.min.max(START))?
            .try_min(self.min)?
            .try_max(self.max)?
            .try_down(self.down)?
            .try_up(self.up)
    }
}
