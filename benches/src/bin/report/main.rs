//! Measures and writes `BENCHMARKS.md`; with `--check` counts instructions only and compares ratios with the recorded ones.

mod compile;
mod counts;
mod figures;
mod functions;
mod page;
mod recorded;
mod targets;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use figures::Figures;

/// What can go wrong: a tool is missing, or it failed.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => measure(&[run_time, compile::measure, functions::measure]),
        ["--run-time"] => measure(&[run_time]),
        ["--compile-time"] => measure(&[compile::measure, functions::measure]),
        ["--page"] => measure(&[]),
        ["--check"] => recorded::check(),
        _ => Err("no arguments for everything, --run-time or --compile-time for a part, --page for none, --check for the ratios".into()),
    }
}

/// Measures some parts and writes the page anew; the other parts stand as they were measured last.
fn measure(parts: &[fn(&mut Figures) -> Outcome<()>]) -> Outcome<ExitCode> {
    let mut figures = Figures::kept(&kept());
    for part in parts {
        part(&mut figures)?;
        figures.keep(&kept())?;
    }
    recorded::write(&figures)?;
    std::fs::write(root().join("../BENCHMARKS.md"), page::page(&figures)?)?;
    Ok(ExitCode::SUCCESS)
}

fn run_time(figures: &mut Figures) -> Outcome<()> {
    for profile in counts::PROFILES {
        counts::count(figures, profile, |_| true)?;
    }
    counts::time(figures)?;
    counts::facts(figures)
}

fn kept() -> PathBuf {
    target().join("figures.txt")
}

/// The directory of this crate.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where cargo puts what it builds for this crate.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// What a command prints, on both streams.
fn printed(command: &mut Command) -> Outcome<String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(text) } else { Err(format!("{command:?} failed:\n{text}").into()) }
}
