//! Runs played one after the other, each level inside the one above it.

use std::time::Duration;

use backoff_core::random::Random;

use super::{Level, Row, Schedule, Settings};
use crate::Error;
use crate::draws::draws;
use crate::failing::FailingRun;
use crate::quantiles::Quantiles;
use crate::source::Named;

/// No run is followed any further.
const MOST_ATTEMPTS: u32 = 10_000;
/// No more failures are played in all: draws beyond are left out.
const MOST_FAILURES: u64 = 10_000_000;

pub(super) fn schedule(policies: &[Named], settings: &Settings) -> Result<Schedule, Error> {
    if policies.is_empty() || settings.draws == 0 {
        return Err(Error::Setting("a schedule needs one policy and one draw, or more of either".to_owned()));
    }
    let mut stage = Stage {
        samples: policies.iter().map(|policy| Samples::new(policy, settings)).collect(),
        operation: settings.operation,
        failures: 0,
        complete: 0,
    };
    let random = draws(settings.seed, 0);
    let mut calls = Vec::new();
    for _ in 0..settings.draws {
        let before = stage.failures_of_the_operation();
        stage.play(0, &random);
        if stage.is_cut() {
            break;
        }
        stage.complete += 1;
        calls.push(stage.failures_of_the_operation() - before);
        if stage.failures > MOST_FAILURES {
            break;
        }
    }
    let drawn = u32::try_from(calls.len()).unwrap_or(u32::MAX);
    let calls = quantiles(&mut calls);
    let many = policies.len() > 1;
    let level = |(policy, samples): (&Named, Samples)| {
        let most_alone = if many { most_alone(policy, settings) } else { samples.attempts.iter().copied().max() };
        samples.level(policy, most_alone.unwrap_or(1))
    };
    let levels = policies.iter().zip(stage.samples).map(level).collect();
    Ok(Schedule { settings: settings.clone(), levels, drawn, calls })
}

/// The most attempts of a policy with nothing inside it that takes time.
fn most_alone(policy: &Named, settings: &Settings) -> Option<u32> {
    let alone = Settings { operation: Duration::ZERO, ..settings.clone() };
    let schedule = schedule(std::slice::from_ref(policy), &alone).ok()?;
    schedule.levels.first().map(|level| level.attempts.high)
}

/// All levels, and what was seen of each.
struct Stage {
    samples: Vec<Samples>,
    operation: Duration,
    failures: u64,
    /// Draws that were played to their end.
    complete: u32,
}

impl Stage {
    /// Whether the draw under way is one too many. The first is always played, however long it is.
    const fn is_cut(&self) -> bool {
        self.complete > 0 && self.failures > MOST_FAILURES
    }

    /// Plays one run of a level and of everything inside it, and returns how long it took.
    fn play<R: Random>(&mut self, level: usize, random: &R) -> Duration {
        let Some(samples) = self.samples.get(level) else { return self.operation };
        let most = samples.most_attempts;
        let mut run = FailingRun::new(samples.policy.policy);
        let mut sleeps = Vec::new();
        loop {
            let took = self.play(level + 1, random);
            self.failures += 1;
            let Some(pause) = run.fail(took, random) else { break };
            sleeps.push(pause.sleep);
            if pause.attempt >= most || self.failures > MOST_FAILURES {
                break;
            }
        }
        if self.is_cut() {
            return run.now();
        }
        if let Some(samples) = self.samples.get_mut(level) {
            samples.take(&run, &sleeps);
        }
        run.now()
    }

    fn failures_of_the_operation(&self) -> u64 {
        self.samples.last().map_or(0, |innermost| innermost.attempts_in_all)
    }
}

/// What was seen of the runs of one level.
struct Samples {
    policy: Named,
    most_attempts: u32,
    /// By retry.
    sleeps: Vec<Vec<Duration>>,
    rows: usize,
    attempts: Vec<u32>,
    attempts_in_all: u64,
    totals: Vec<Duration>,
    slept: Vec<Duration>,
    endless: bool,
}

impl Samples {
    fn new(policy: &Named, settings: &Settings) -> Self {
        let bounded = policy.policy.get_budget().is_some() || policy.policy.get_max_attempts().is_some();
        let rows = u32::try_from(settings.rows).unwrap_or(MOST_ATTEMPTS).clamp(1, MOST_ATTEMPTS);
        Self {
            policy: policy.clone(),
            most_attempts: if bounded { MOST_ATTEMPTS } else { rows },
            sleeps: Vec::new(),
            rows: settings.rows,
            attempts: Vec::new(),
            attempts_in_all: 0,
            totals: Vec::new(),
            slept: Vec::new(),
            endless: false,
        }
    }

    fn take(&mut self, run: &FailingRun, sleeps: &[Duration]) {
        for (retry, sleep) in sleeps.iter().take(self.rows).enumerate() {
            if retry == self.sleeps.len() {
                self.sleeps.push(Vec::new());
            }
            self.sleeps[retry].push(*sleep);
        }
        let attempts = run.stop().map_or(sleeps.len(), |stop| stop.attempts as usize);
        let attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
        self.endless |= run.stop().is_none();
        self.attempts.push(attempts);
        self.attempts_in_all += u64::from(attempts);
        self.totals.push(run.now());
        self.slept.push(sleeps.iter().fold(Duration::ZERO, |sum, sleep| sum.saturating_add(*sleep)));
    }

    fn level(mut self, named: &Named, most_alone: u32) -> Level {
        let runs = self.totals.len();
        let rows = self.sleeps.iter_mut().zip(1..).map(|(sleeps, retry)| Row {
            retry,
            delay: named.policy.delay(retry - 1),
            #[expect(clippy::cast_precision_loss, reason = "a share of a few million")]
            share: sleeps.len() as f64 / runs.max(1) as f64,
            sleep: quantiles(sleeps),
        });
        Level {
            named: named.clone(),
            rows: rows.collect(),
            attempts: quantiles(&mut self.attempts),
            most_alone,
            total: quantiles(&mut self.totals),
            slept: quantiles(&mut self.slept),
            endless: self.endless,
        }
    }
}

/// The quantiles of values of which there is at least one.
fn quantiles<T: Copy + Ord + Default>(values: &mut [T]) -> Quantiles<T> {
    let none = T::default();
    Quantiles::of(values).unwrap_or(Quantiles { low: none, p10: none, p50: none, p90: none, high: none })
}
