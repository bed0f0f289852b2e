//! `backoff-lab outage`.

use std::time::Duration;

use backoff_core::ExponentialBackoff;
use backoff_core::policy::PolicyBuilder;
use clap::ValueEnum;
use indicatif::MultiProgress;

use super::output::Output;
use super::policy::Source;
use super::{progress, values};
use crate::Error;
use crate::fleet::{Budget, Guard, Line, Load, Pacing, Progress, Scenario, Strategy};
use crate::outage::{Settings, Which, outage};
use crate::report::Report;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    /// Live traffic: requests arrive at random for a while
    Traffic,
    /// A herd: everyone calls once, at time zero, while the server is out
    Herd,
}

/// The defaults are those of `Scenario::herd` and `Scenario::traffic`, which differ.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The fields of a policy change every strategy but `none`; a policy from a file or an attribute is compared as \"yours\".

Examples:
  backoff-lab outage --load 0.9 --refusal-cost 0.4 --strategies full,budget
  backoff-lab outage --model herd --strategies full,preset --svg herd.svg
  backoff-lab outage --file retry.toml --table orders --html outage.html")]
pub(super) struct Args {
    /// What the fleet does
    #[arg(long, value_enum, default_value_t = Model::Traffic)]
    model: Model,
    /// What to compare: none, fixed, exponential, equal, full, decorrelated, hint, pacer,
    /// annealed, budget, queue, preset
    #[arg(
        long,
        value_name = "WORDS",
        value_delimiter = ',',
        default_value = "none,exponential,equal,full,decorrelated,hint,pacer,budget,queue,preset"
    )]
    strategies: Vec<Which>,
    /// Where the draws start from
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = values::whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// How many strategies to simulate at the same time [default: one for each processor]
    #[arg(long, value_name = "COUNT", value_parser = values::whole::<usize>(0..=u32::MAX.into()))]
    threads: Option<usize>,
    #[command(flatten)]
    fleet: Fleet,
    #[command(flatten)]
    server: Server,
    #[command(flatten)]
    guards: Guards,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Fleet")]
struct Fleet {
    /// How many processes there are
    #[arg(long, value_name = "COUNT", default_value_t = 1_000, value_parser = values::count)]
    processes: u32,
    /// How unequal they are: shares in proportion to 1 / rank^SKEW
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = values::number)]
    skew: f64,
    /// Traffic: requests, as a share of what the server can serve
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, value_parser = values::number)]
    load: f64,
    /// Traffic: how long requests go on arriving
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = values::some_time)]
    lasts: Duration,
    /// Herd: the calls of each process
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = values::count)]
    tasks: u32,
    /// How long a message takes
    #[arg(long, value_name = "TIME", default_value = "10ms", value_parser = values::time)]
    leg: Duration,
    /// The standard deviation of that
    #[arg(long, value_name = "TIME", default_value = "2ms", value_parser = values::time)]
    leg_deviation: Duration,
    /// How long a client waits for an answer
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = values::some_time)]
    timeout: Duration,
    /// When the simulation stops [default: 2m for traffic, 10m for a herd]
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    end: Option<Duration>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Server")]
struct Server {
    /// Requests a millisecond
    #[arg(long, value_name = "NUMBER", default_value_t = 10.0, value_parser = values::number)]
    capacity: f64,
    /// How many it serves at once after a quiet time
    #[arg(long, value_name = "NUMBER", default_value_t = 200.0, value_parser = values::number)]
    burst: f64,
    /// What a refusal costs, as a share of what serving costs [default: 0.1 for traffic, 0 for a herd]
    #[arg(long, value_name = "SHARE", value_parser = values::number)]
    refusal_cost: Option<f64>,
    /// When it goes out [default: 5s for traffic, 0s for a herd]
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    outage_start: Option<Duration>,
    /// How long it stays out
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = values::time)]
    outage: Duration,
    /// The share of refusals that are taken on at full cost and never answered
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = values::number)]
    dishonest: f64,
    /// The share of requests that fail although the server had room for them
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = values::number)]
    errors: f64,
    /// Bursts wait in a line, and are served at the rate of the capacity
    #[arg(long)]
    queue: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Guards")]
struct Guards {
    /// Retry budget: the most tokens
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = values::count)]
    tokens: u32,
    /// Retry budget: what a success earns
    #[arg(long, value_name = "NUMBER", default_value_t = 0.1, value_parser = values::number)]
    ratio: f64,
    /// Line: what a success releases, in retries
    #[arg(long, value_name = "NUMBER", default_value_t = 0.05, value_parser = values::number)]
    line_share: f64,
    /// Line: how long new traffic is waited for
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = values::time)]
    line_patience: Duration,
    /// Pacer: what a success multiplies the interval by [default: 0.9, annealed 0.985]
    #[arg(long, value_name = "NUMBER", value_parser = values::number)]
    pacer_down: Option<f64>,
    /// Pacer: what a failure multiplies it by [default: 2]
    #[arg(long, value_name = "NUMBER", value_parser = values::number)]
    pacer_up: Option<f64>,
    /// Pacer: the shortest interval [default: 1ms, annealed 1us]
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pacer_min: Option<Duration>,
    /// Pacer: the longest interval [default: 1s, annealed 1m]
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pacer_max: Option<Duration>,
}

impl Args {
    pub(super) fn run(self) -> Result<(Report, Output), Error> {
        let scenario = self.scenario();
        let mut settings = Settings::new(scenario, &self.strategies);
        if self.source.is_elsewhere() {
            let yours = self.source.one()?.policy;
            let guarded = Strategy::new("yours + retry budget", yours).guard(Guard::Budget(Budget::DEFAULT));
            settings.strategies.splice(0..0, [Strategy::new("yours", yours), guarded]);
        } else if self.source.fields.jitter().is_some() {
            return Err(Error::Setting(
                "every strategy has its own jitter: choose with `--strategies`, such as `--strategies none,full`"
                    .to_owned(),
            ));
        } else {
            for (strategy, which) in settings.strategies.iter_mut().zip(&self.strategies) {
                if *which != Which::None {
                    strategy.policy = self.source.fields.onto(builder(strategy.policy))?;
                }
            }
        }
        for strategy in &mut settings.strategies {
            self.guards.set(&mut strategy.guard)?;
        }
        settings.seed = self.seed;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        settings.threads = self.threads.unwrap_or(processors);
        Ok((simulated(&settings)?, self.output))
    }

    fn scenario(&self) -> Scenario {
        let (fleet, server) = (&self.fleet, &self.server);
        let usual = match self.model {
            Model::Traffic => Scenario::traffic(fleet.load),
            Model::Herd => Scenario::herd(),
        };
        Scenario {
            processes: fleet.processes,
            skew: fleet.skew,
            load: match self.model {
                Model::Traffic => Load::Traffic { load: fleet.load, lasts: fleet.lasts },
                Model::Herd => Load::Herd { tasks: fleet.tasks },
            },
            server: crate::fleet::Server {
                capacity: server.capacity,
                burst: server.burst,
                refusal_cost: server.refusal_cost.unwrap_or(usual.server.refusal_cost),
                outage_start: server.outage_start.unwrap_or(usual.server.outage_start),
                outage: server.outage,
                dishonest: server.dishonest,
                errors: server.errors,
                queue: server.queue,
            },
            leg: fleet.leg,
            leg_deviation: fleet.leg_deviation,
            timeout: fleet.timeout,
            end: fleet.end.unwrap_or(usual.end),
        }
    }
}

impl Guards {
    /// Sets what the strategy has; what it has not stays away.
    fn set(&self, guard: &mut Guard) -> Result<(), Error> {
        let tokens = backoff_core::guard::RetryBudget::new().try_max_tokens(self.tokens);
        tokens.and_then(|budget| budget.try_ratio(self.ratio)).map_err(|error| Error::Setting(error.to_string()))?;
        let budget = Budget { max_tokens: self.tokens, ratio: self.ratio };
        match guard {
            Guard::Budget(found) => *found = budget,
            Guard::Queue(line, found) => {
                *line = Line { share: thousandths(self.line_share)?, patience: self.line_patience };
                *found = found.map(|_| budget);
            }
            Guard::Pacer(pacing) => {
                *pacing = Pacing {
                    mode: pacing.mode,
                    down: self.pacer_down.unwrap_or(pacing.down),
                    up: self.pacer_up.unwrap_or(pacing.up),
                    min: self.pacer_min.unwrap_or(pacing.min),
                    max: self.pacer_max.unwrap_or(pacing.max),
                };
            }
            Guard::None => {}
        }
        Ok(())
    }
}

fn thousandths(share: f64) -> Result<u16, Error> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10000")]
    match share {
        0.0..=10.0 => Ok((share * 1_000.0).round() as u16),
        _ => Err(Error::Setting(format!("`--line-share` can't be `{share}`: it must be from 0 to 10"))),
    }
}

fn simulated(settings: &Settings) -> Result<Report, Error> {
    let bars = MultiProgress::new();
    let end = millis(settings.scenario.end);
    let bars: Vec<_> =
        settings.strategies.iter().map(|strategy| bars.add(progress::bar(end, &strategy.name))).collect();
    let found = outage(settings, &|at, now: Progress| {
        if let Some(bar) = bars.get(at) {
            // A herd is through when all are settled, which may be long before the end.
            let settled = match settings.scenario.load {
                Load::Herd { .. } => end.saturating_mul(now.settled) / now.requests.max(1),
                Load::Traffic { .. } => 0,
            };
            bar.set_position(settled.max(millis(now.time)));
        }
    })?;
    bars.iter().for_each(indicatif::ProgressBar::finish_and_clear);
    Ok(found.report())
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A builder that starts from a policy, whose final sleep was not set.
fn builder(policy: ExponentialBackoff) -> PolicyBuilder {
    let mut builder = ExponentialBackoff::builder()
        .initial(policy.get_initial())
        .budget(policy.get_budget())
        .multiplier(policy.get_multiplier())
        .jitter(policy.get_jitter())
        .max_hint(policy.get_max_hint());
    if let Some(max_delay) = policy.get_max_delay() {
        builder = builder.max_delay(max_delay);
    }
    if let Some(max_attempts) = policy.get_max_attempts() {
        builder = builder.max_attempts(max_attempts);
    }
    builder
}
