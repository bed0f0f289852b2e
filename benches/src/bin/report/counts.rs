//! Instructions by callgrind, time by the clock, and what the other programs of this crate say.

use std::collections::BTreeSet;
use std::process::Command;

use backoff_benches::scenarios;

use crate::{Figures, Outcome, printed, root, target};

/// The default release profile, and the same with everything in one unit.
pub const PROFILES: [&str; 2] = ["release", "lto"];

pub fn build(profile: &str) -> Outcome<()> {
    printed(Command::new("cargo").args(["build", "--locked", "--bins", "--profile", profile]).current_dir(root()))?;
    Ok(())
}

pub fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Counts the instructions of one repetition: the difference of two numbers of repetitions, so that start and end of the
/// program do not count.
pub fn count(figures: &mut Figures, profile: &str, wanted: impl Fn(&str) -> bool) -> Outcome<()> {
    // A multiple of eleven, because some scenarios fail ten times out of eleven calls.
    const TIMES: u32 = 1_100;
    build(profile)?;
    for (name, _) in scenarios().filter(|(name, _)| wanted(name)) {
        let (once, twice) = (collected(profile, name, TIMES)?, collected(profile, name, 2 * TIMES)?);
        figures.add(format!("{profile}/{name}"), (twice - once) / f64::from(TIMES));
    }
    Ok(())
}

fn collected(profile: &str, name: &str, times: u32) -> Outcome<f64> {
    let text = printed(
        Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(target().join(profile).join("scenario"))
            .args([name, &times.to_string()]),
    )?;
    let line = text.lines().find_map(|line| line.split_once("Collected :")).ok_or("callgrind said nothing")?;
    Ok(line.1.trim().parse()?)
}

pub fn time(figures: &mut Figures) -> Outcome<()> {
    let rows: BTreeSet<&str> = scenarios().filter_map(|(name, _)| name.split('/').next()).collect();
    for row in rows {
        let text = printed(Command::new(target().join("release/scenario")).args(["--time", row]))?;
        figures.read("time/", &text);
    }
    Ok(())
}

pub fn facts(figures: &mut Figures) -> Outcome<()> {
    let facts = target().join("release/facts");
    figures.read("", &printed(&mut Command::new(&facts))?);
    for candidate in ["hand-written", "attribute", "attribute, budget", "waiter", "backon", "tokio-retry2", "backoff"] {
        figures.read("", &printed(Command::new(&facts).args(["waiting", candidate]))?);
        figures.read("", &printed(Command::new(&facts).args(["wake-ups", candidate]))?);
    }
    Ok(())
}
