//! `backoff-lab herd`.

use std::time::Duration;

use backoff_core::{FinalSleep, Jitter};

use super::output::Output;
use super::policy::Source;
use super::values;
use crate::Error;
use crate::herd::{Settings, herd};
use crate::report::Report;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
No server stands here: every attempt fails. `backoff-lab outage --model herd` has one.

Examples:
  backoff-lab herd --budget 10s --max-delay 2s
  backoff-lab herd --jitter full --clients 100000 --html herd.html")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// How many clients fail at once
    #[arg(long, value_name = "COUNT", default_value_t = 1_000, value_parser = values::count)]
    clients: u32,
    /// How long an attempt takes until it fails
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = values::time)]
    operation: Duration,
    /// What counts as the same moment
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = values::some_time)]
    interval: Duration,
    /// Where the draws start from
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = values::whole::<u64>(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    output: Output,
}

impl Args {
    /// A jitter or a final sleep that is given is the only one; otherwise all are compared.
    pub(super) fn run(self) -> Result<(Report, Output), Error> {
        let all = Settings::default();
        let only = |jitter: Option<Jitter>| jitter.map_or(all.jitters, |jitter| vec![jitter]);
        let only_sleep = |sleep: Option<FinalSleep>| sleep.map_or(all.final_sleeps, |sleep| vec![sleep]);
        let settings = Settings {
            policy: self.source.one()?.policy,
            clients: self.clients,
            operation: self.operation,
            interval: self.interval,
            seed: self.seed,
            jitters: only(self.source.fields.jitter()),
            final_sleeps: only_sleep(self.source.fields.final_sleep()),
        };
        Ok((herd(&settings)?.report(), self.output))
    }
}
