//! The command line: flags in, a [`Report`](crate::report::Report) out.

mod contention;
mod herd;
mod outage;
mod output;
mod pacer;
mod policy;
mod progress;
mod schedule;
mod values;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::Error;
use crate::chart::Terminal;

/// What the program is asked for.
///
/// ```
/// use backoff_lab::cli::Cli;
/// use clap::Parser;
/// let refused = Cli::try_parse_from(["backoff-lab", "schedule", "--initial", "0s"]).unwrap_err();
/// assert!(refused.to_string().contains("the first delay must be longer than zero, such as `200ms`"));
/// ```
#[derive(Debug, Parser)]
#[command(name = "backoff-lab", version, about = "See a retry policy before you ship it", long_about = None, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// What one policy does: every sleep, whole runs, and what will hurt
    Schedule(schedule::Args),
    /// Clients that fail together: when they come back, for each jitter and final sleep
    Herd(herd::Args),
    /// Clients that want to change one record: calls and time, for each way to wait
    Contention(contention::Args),
    /// A fleet in front of a server that goes out and comes back, for each strategy
    Outage(Box<outage::Args>),
    /// The interval that a pacer learns, against a server whose limit moves
    Pacer(pacer::Args),
}

/// Does what is asked for, and writes the result.
///
/// ```
/// use backoff_lab::chart::Terminal;
/// use backoff_lab::cli::{Cli, run};
/// use clap::Parser;
///
/// let cli = Cli::try_parse_from(["backoff-lab", "schedule", "--max-attempts", "3"]).unwrap();
/// let mut screen = Vec::new();
/// run(cli, &mut screen, Terminal { width: 80, colours: false })?;
/// assert!(String::from_utf8_lossy(&screen).contains("a run makes 3 attempts and takes 600ms"));
/// # Ok::<_, backoff_lab::Error>(())
/// ```
///
/// # Errors
/// When a policy or a setting is refused, or a file can't be read or written.
pub fn run(cli: Cli, screen: &mut dyn Write, terminal: Terminal) -> Result<(), Error> {
    let (report, output) = match cli.command {
        Command::Schedule(args) => args.run()?,
        Command::Herd(args) => args.run()?,
        Command::Contention(args) => args.run()?,
        Command::Outage(args) => args.run()?,
        Command::Pacer(args) => args.run()?,
    };
    output.write(&report, screen, terminal)
}

/// The whole program: reads the command line, writes to standard output, and says on standard error why it could not.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli, &mut std::io::stdout().lock(), Terminal::of_stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the output has seen enough.
        Err(Error::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
