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

use std::ffi::{OsStr, OsString};
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

impl Cli {
    /// Reads a command line, the name of the program first. A value may begin with a minus sign and a digit, so that it is
    /// refused as a value, and not as a flag that there is not.
    ///
    /// ```
    /// use backoff_lab::cli::Cli;
    /// let refused = Cli::read(["backoff-lab", "schedule", "--initial", "-1s"]).unwrap_err();
    /// assert!(refused.to_string().contains("a duration can't be negative, write it without `-`"));
    /// ```
    ///
    /// # Errors
    /// When there is no such flag or it has no such value; and when help is asked for, which is the text then.
    pub fn read(args: impl IntoIterator<Item = impl Into<OsString>>) -> Result<Self, clap::Error> {
        let mut joined: Vec<OsString> = Vec::new();
        for arg in args {
            let arg = arg.into();
            match joined.last_mut() {
                Some(flag) if is_flag(flag) && is_negative(&arg) => {
                    flag.push("=");
                    flag.push(arg);
                }
                _ => joined.push(arg),
            }
        }
        Self::try_parse_from(joined)
    }
}

/// Whether it is a flag that has no value yet.
fn is_flag(arg: &OsStr) -> bool {
    arg.to_str().is_some_and(|arg| arg.starts_with("--") && arg.len() > 2 && !arg.contains('='))
}

fn is_negative(arg: &OsStr) -> bool {
    let value = arg.to_str().and_then(|arg| arg.strip_prefix('-'));
    value.is_some_and(|value| value.starts_with(|first: char| first.is_ascii_digit() || first == '.'))
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
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
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
