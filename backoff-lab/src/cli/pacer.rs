//! `backoff-lab pacer`.

use std::time::Duration;

use backoff_core::guard::PacerMode;

use super::output::Output;
use super::values;
use crate::Error;
use crate::pacer::{Settings, mode, pacer};
use crate::report::Report;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How to learn: literal, annealed, cubic
    #[arg(long, value_name = "WORDS", value_delimiter = ',', default_value = "literal,annealed,cubic", value_parser = mode)]
    modes: Vec<PacerMode>,
    /// What the server serves, in calls a second, one after the other
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_value = "100,25,100", value_parser = values::number)]
    limits: Vec<f64>,
    /// How long each limit holds
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = values::some_time)]
    hold: Duration,
    /// How long a call takes
    #[arg(long, value_name = "TIME", default_value = "1ms", value_parser = values::time)]
    operation: Duration,
    /// The interval to start with
    #[arg(long, value_name = "TIME", default_value = "1ms", value_parser = values::some_time)]
    interval: Duration,
    /// What a success multiplies the interval by
    #[arg(long, value_name = "NUMBER", default_value_t = 0.985, value_parser = values::number)]
    down: f64,
    /// What a failure multiplies it by
    #[arg(long, value_name = "NUMBER", default_value_t = 2.0, value_parser = values::number)]
    up: f64,
    /// How far the interval moves towards one millisecond after each call, in the literal mode
    #[arg(long, value_name = "NUMBER", default_value_t = 0.005, value_parser = values::number)]
    smoothing: f64,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(super) fn run(self) -> Result<(Report, Output), Error> {
        let settings = Settings {
            modes: self.modes,
            limits: self.limits,
            hold: self.hold,
            operation: self.operation,
            interval: self.interval,
            down: self.down,
            up: self.up,
            smoothing: self.smoothing,
        };
        Ok((pacer(&settings)?.report(), self.output))
    }
}
