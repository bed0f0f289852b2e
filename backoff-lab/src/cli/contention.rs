//! `backoff-lab contention`.

use std::time::Duration;

use super::output::Output;
use super::{progress, values};
use crate::Error;
use crate::contention::{Settings, Wait, contention};
use crate::report::Report;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How many clients contend; one row for each number
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', default_value = "10,50,100,190", value_parser = values::count)]
    clients: Vec<u32>,
    /// How they wait: none, expo, equal, full, decorr, preset
    #[arg(long, value_name = "WORDS", value_delimiter = ',', default_value = "none,expo,equal,full,decorr,preset")]
    waits: Vec<Wait>,
    /// The first wait is twice this, the next four times, and so on
    #[arg(long, value_name = "TIME", default_value = "5ms", value_parser = values::some_time)]
    base: Duration,
    /// The longest wait
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = values::some_time)]
    cap: Duration,
    /// How long a message takes
    #[arg(long, value_name = "TIME", default_value = "10ms", value_parser = values::some_time)]
    leg: Duration,
    /// The standard deviation of that
    #[arg(long, value_name = "TIME", default_value = "2ms", value_parser = values::time)]
    deviation: Duration,
    /// How many simulations for each row
    #[arg(long, value_name = "COUNT", default_value_t = 40, value_parser = values::count)]
    repeats: u32,
    /// Where the draws start from
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = values::whole::<u64>(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(super) fn run(self) -> Result<(Report, Output), Error> {
        let settings = Settings {
            clients: self.clients,
            waits: self.waits,
            base: self.base,
            cap: self.cap,
            leg: self.leg,
            deviation: self.deviation,
            repeats: self.repeats,
            seed: self.seed,
        };
        let bar = progress::bar(settings.simulations(), "contention");
        let found = contention(&settings, &mut |done| bar.inc(done))?;
        bar.finish_and_clear();
        Ok((found.report(), self.output))
    }
}
