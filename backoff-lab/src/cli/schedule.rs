//! `backoff-lab schedule`.

use std::time::Duration;

use super::output::Output;
use super::policy::Source;
use super::values;
use crate::Error;
use crate::report::Report;
use crate::schedule::{Settings, schedule};
use crate::source;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  backoff-lab schedule --initial 100ms --budget 10s --jitter full --operation 30ms --clients 500
  backoff-lab schedule --attribute '#[exponential_backoff(initial = \"100ms\", jitter = \"full\")]'
  backoff-lab schedule --file retry.toml --table orders --nested retry.toml#pay --html orders.html")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// A policy that runs inside the one before: FILE or FILE#TABLE; may be repeated, as may --attribute
    #[arg(long, value_name = "FILE#TABLE")]
    nested: Vec<String>,
    /// How long an attempt takes until it fails
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = values::time)]
    operation: Duration,
    /// How many clients use the policy at once
    #[arg(long, value_name = "COUNT", value_parser = values::whole::<u64>(1..=u64::MAX))]
    clients: Option<u64>,
    /// How many runs to draw
    #[arg(long, value_name = "COUNT", default_value_t = 10_000, value_parser = values::whole::<u32>(1..=u32::MAX.into()))]
    draws: u32,
    /// How many retries to list
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = values::whole::<u16>(1..=u16::MAX.into()))]
    rows: u16,
    /// Where the draws start from
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = values::whole::<u64>(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(super) fn run(self) -> Result<(Report, Output), Error> {
        let mut policies = self.source.all()?;
        for nested in &self.nested {
            let (file, table) = source::place(nested);
            policies.push(source::file(&file, table.as_deref())?);
        }
        let settings = Settings {
            operation: self.operation,
            draws: self.draws,
            seed: self.seed,
            clients: self.clients,
            rows: self.rows.into(),
        };
        Ok((schedule(&policies, &settings)?.report(), self.output))
    }
}
