//! The ratios that are kept in a file, so that a change for the worse is seen.

use std::process::{Command, ExitCode};

use crate::{Figures, Outcome, counts, printed, root};

/// What is compared: ours against its reference, in the default release profile.
const PAIRS: [(&str, &str); 14] = [
    ("blocking, 8 bytes/attribute", "blocking, 8 bytes/hand-written"),
    ("blocking, 8 bytes/waiter", "blocking, 8 bytes/hand-written"),
    ("blocking, 8 bytes/by hand", "blocking, 8 bytes/hand-written"),
    ("blocking, 256 bytes/attribute", "blocking, 256 bytes/hand-written"),
    ("blocking, budget/attribute", "blocking, budget/hand-written"),
    ("async, 8 bytes/attribute", "async, 8 bytes/hand-written"),
    ("ten failures/attribute", "ten failures/hand-written"),
    ("ten failures/waiter", "ten failures/hand-written"),
    ("ten failures, async/attribute", "ten failures, async/hand-written"),
    ("one delay/ours", "one delay/hand-written"),
    ("breaker/check", "breaker/atomic load"),
    ("retry budget, success/ours", "breaker/atomic load"),
    ("retry budget, withdraw/ours", "breaker/atomic load"),
    ("pacer/ours", "breaker/atomic load"),
];

const FILE: &str = "recorded.txt";

fn ratios(figures: &Figures) -> impl Iterator<Item = (&'static str, f64)> {
    PAIRS.into_iter().filter_map(|(ours, reference)| {
        Some((ours, figures.ratio(&format!("release/{ours}"), &format!("release/{reference}"))?))
    })
}

pub fn write(figures: &Figures) -> Outcome<()> {
    let lines: Vec<String> = ratios(figures).map(|(name, ratio)| format!("{name}\t{ratio:.4}\n")).collect();
    std::fs::write(root().join(FILE), compiler()? + &lines.concat())?;
    Ok(())
}

/// Stands in the first line of the file: another compiler makes other code, whose ratios say nothing about ours.
fn compiler() -> Outcome<String> {
    printed(Command::new("rustc").arg("--version"))
}

/// Fails if a ratio is worse than the recorded one by more than 5 %.
pub fn check() -> Outcome<ExitCode> {
    if !counts::has_valgrind() {
        println!("skipped: valgrind is not installed");
        return Ok(ExitCode::SUCCESS);
    }
    let text = std::fs::read_to_string(root().join(FILE))?;
    let compiler = compiler()?;
    if !text.starts_with(&compiler) {
        let known = text.lines().next().unwrap_or_default();
        println!("skipped: the ratios were recorded with {known}, and this is {}", compiler.trim());
        return Ok(ExitCode::SUCCESS);
    }
    let mut recorded = Figures::default();
    recorded.read("", &text);
    let mut figures = Figures::default();
    counts::count(&mut figures, "release", |name| PAIRS.iter().any(|(ours, other)| [*ours, *other].contains(&name)))?;
    let mut code = ExitCode::SUCCESS;
    for (name, ratio) in ratios(&figures) {
        let before = recorded.get(name).ok_or_else(|| format!("{name} is not recorded"))?;
        let verdict = if ratio > before * 1.05 {
            code = ExitCode::FAILURE;
            "WORSE"
        } else if ratio < before * 0.95 {
            "better"
        } else {
            "as recorded"
        };
        println!("{name:32} {ratio:7.3}  recorded {before:7.3}  {verdict}");
    }
    Ok(code)
}
