//! The figures as a page.

use std::fmt::Write as _;
use std::process::Command;

use backoff_benches::scenarios;

use crate::targets::TARGETS;
use crate::{Figures, Outcome, printed, root};

const REFERENCES: [&str; 3] = ["hand-written", "atomic load", "ours"];

pub fn page(figures: &Figures) -> Outcome<String> {
    let mut page = std::fs::read_to_string(root().join("page.md"))?.replace("{machine}", &machine()?);
    page = page.replace("{targets}", &targets(figures));
    page = page.replace("{instructions}", &instructions(figures));
    page = page.replace("{facts}", &facts(figures));
    Ok(page)
}

fn machine() -> Outcome<String> {
    let date = printed(Command::new("date").arg("+%Y-%m-%d"))?;
    let rustc = printed(Command::new("rustc").arg("--version"))?;
    let valgrind = printed(Command::new("valgrind").arg("--version"))?;
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown", |(_, model)| model);
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let threads = std::thread::available_parallelism()?;
    Ok(format!(
        "{}; {}; {}; Linux {}; {threads} threads of {model}; peers: {}",
        date.trim(),
        rustc.trim(),
        valgrind.trim(),
        kernel.trim(),
        peers()?
    ))
}

/// The versions of what is compared, from the lock file.
fn peers() -> Outcome<String> {
    const PEERS: [&str; 13] = [
        "backoff",
        "backon",
        "backon-macros",
        "exponential-backoff",
        "failsafe",
        "fastrand",
        "governor",
        "retry",
        "retry-policies",
        "tokio",
        "tokio-retry2",
        "tower",
        "tryhard",
    ];
    let lock = std::fs::read_to_string(root().join("Cargo.lock"))?;
    let mut versions = Vec::new();
    for (name, rest) in lock.split("name = \"").skip(1).filter_map(|entry| entry.split_once("\"\nversion = \"")) {
        if PEERS.contains(&name) {
            versions.push(format!("{name} {}", rest.split('"').next().unwrap_or_default()));
        }
    }
    Ok(versions.join(", "))
}

fn targets(figures: &Figures) -> String {
    let mut table = String::from("| what | target | figure | met |\n|---|---|---|---|\n");
    for target in TARGETS {
        let (result, is_met) = target.result(figures);
        let _ =
            writeln!(table, "| {} | {} | {result} | {} |", target.what, target.aim, if is_met { "yes" } else { "no" });
    }
    table
}

/// A table for each row: instructions in both profiles with the ratio to the reference, and the ratio of the times.
fn instructions(figures: &Figures) -> String {
    let mut text = String::new();
    let mut current = "";
    for (name, _) in scenarios() {
        let Some((row, candidate)) = name.split_once('/') else { continue };
        if row != current {
            current = row;
            let _ = writeln!(
                text,
                "\n| {row} | instructions | ratio | fat LTO | ratio | time, ns | ratio |\n|---|---|---|---|---|---|---|"
            );
        }
        let reference = REFERENCES
            .iter()
            .map(|name| format!("{row}/{name}"))
            .find(|name| figures.get(&format!("release/{name}")).is_some());
        let _ = write!(text, "| {candidate} |");
        for kind in ["release", "lto", "time"] {
            let figure = figures.get(&format!("{kind}/{name}"));
            let ratio = reference
                .as_ref()
                .and_then(|reference| figures.ratio(&format!("{kind}/{name}"), &format!("{kind}/{reference}")));
            let _ = write!(text, " {} | {} |", cell(figure, 1), cell(ratio, 2));
        }
        text.push('\n');
    }
    text
}

fn cell(figure: Option<f64>, digits: usize) -> String {
    figure.map_or_else(String::new, |figure| format!("{figure:.digits$}"))
}

fn facts(figures: &Figures) -> String {
    const TABLES: [(&str, &str); 12] = [
        ("future/", "bytes of a future on tokio, by candidate and operation"),
        ("waiting/", "bytes on the heap for each of 1,000,000 waiting runs, box and timer included"),
        ("wake-ups/", "milliseconds late of 1,000,000 runs that wait 5 s at once, on one thread"),
        ("overrun/", "milliseconds past the budget and the operation, median of nine"),
        ("threads/", "nanoseconds for a check, clock included, by threads"),
        ("crates/", "crates below the one that depends"),
        ("clean build/", "user seconds of a clean build, default features"),
        ("incremental/", "user seconds of building again ten functions of which one has changed"),
        ("check/", "user seconds of `cargo check` for 1,000 functions"),
        ("dev build/", "user seconds of `cargo build` for 1,000 functions"),
        ("expansion/", "seconds of expanding 1,000 functions"),
        ("allocations/", "allocations of a run"),
    ];
    let mut text = String::new();
    for (prefix, what) in TABLES {
        if figures.under(prefix).next().is_none() {
            continue;
        }
        let _ = writeln!(text, "\n| {what} | |\n|---|---|");
        for (name, figure) in figures.under(prefix) {
            let digits = if figure.fract() == 0.0 { 0 } else { 3 };
            let _ = writeln!(text, "| {name} | {figure:.digits$} |");
        }
    }
    text
}
