//! What the README shows is what the program prints.

use backoff_lab::chart::Terminal;
use backoff_lab::cli::{Cli, run};
use backoff_lab::herd::{Settings, herd};
use backoff_lab::plot;
use clap::Parser as _;

fn printed(args: &[&str]) -> String {
    let cli = Cli::try_parse_from(["backoff-lab"].iter().chain(args)).unwrap();
    let mut screen = Vec::new();
    run(cli, &mut screen, Terminal { width: 120, colours: false }).unwrap();
    String::from_utf8(screen).unwrap()
}

/// The samples, in order.
fn samples() -> Vec<&'static str> {
    let readme = include_str!("../README.md");
    readme.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn every_sample_is_printed() {
    let samples = samples();
    assert_eq!(samples.len(), 4);
    let attribute = r#"#[exponential_backoff(initial = "100ms", max_attempts = 4, jitter = "full")]"#;
    let outage = ["outage", "--load", "0.9", "--refusal-cost", "0.4", "--strategies", "full,budget"];
    for (sample, args) in samples.into_iter().zip([
        &["schedule", "--attribute", attribute][..],
        &["herd"],
        &["contention", "--clients", "100"],
        &outage,
    ]) {
        let text = printed(args);
        let missing: Vec<_> = sample.lines().filter(|line| !text.lines().any(|printed| printed == *line)).collect();
        assert!(missing.is_empty(), "{args:?} does not print {missing:#?}, but\n{text}");
    }
}

/// The README at the top shows it, and says which command made it.
#[test]
fn the_picture_of_the_herd_is_up_to_date() {
    let Ok(kept) = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/herd.svg")) else { return };
    let report = herd(&Settings::default()).unwrap().report();
    let drawn = plot::svg(&report.figure.unwrap(), 860).unwrap();
    assert!(kept == drawn, "draw it again: cargo run --release -p backoff-lab -- herd --svg docs/herd.svg");
}
