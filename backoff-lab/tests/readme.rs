//! What the README shows is what the program prints.

use backoff_lab::chart::Terminal;
use backoff_lab::cli::{Cli, run};
use backoff_lab::fleet::report::REASONING;
use backoff_lab::fleet::{Scenario, Server};
use backoff_lab::outage::{Settings, Which, outage};
use backoff_lab::report::Report;
use backoff_lab::{herd, plot, table};
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

fn is_in(sample: &str, text: &str) {
    let missing: Vec<_> = sample.lines().filter(|line| !text.lines().any(|printed| printed == *line)).collect();
    assert!(missing.is_empty(), "{missing:#?} is not in\n{text}");
}

#[test]
fn every_sample_is_printed() {
    let samples = samples();
    assert_eq!(samples.len(), 4);
    let attribute = r#"#[exponential_backoff(initial = "100ms", max_attempts = 4, jitter = "full")]"#;
    is_in(samples[0], &printed(&["schedule", "--attribute", attribute]));
    is_in(samples[1], &printed(&["herd"]));
    is_in(samples[2], &printed(&["contention", "--clients", "100"]));
}

/// What the README at the top shows besides, and which command draws it.
#[test]
fn the_outage_and_its_picture_are_up_to_date() {
    let traffic = Scenario::traffic(0.9);
    let scenario = Scenario { server: Server { refusal_cost: 0.4, ..traffic.server }, ..traffic };
    let settings = Settings { threads: 2, ..Settings::new(scenario, &[Which::Full, Which::Budget, Which::Preset]) };
    let mut found = outage(&settings, &|_, _| ()).unwrap();
    is_in(samples()[3], &table::text(&found.report().tables[0], 120));
    found.rows.remove(1);
    is_drawn(&found.report(), "outage.svg", "outage --load 0.9 --refusal-cost 0.4 --strategies full,preset");
}

#[test]
fn the_picture_of_the_herd_is_up_to_date() {
    is_drawn(&herd::herd(&herd::Settings::default()).unwrap().report(), "herd.svg", "herd");
}

/// The reasoning of the fleet report counts what the judgement below it counts.
#[test]
fn the_fleet_report_agrees_with_itself() {
    let report = include_str!("../FLEET.md");
    assert!(report.starts_with(REASONING), "write it again: its first line says how");
    let (_, judged) = report.split_once("## Where it is judged").unwrap();
    let (_, table) = REASONING.split_once("|---|---|--:|--:|---|\n").unwrap();
    let rows: Vec<_> = table.lines().take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 7);
    for row in rows {
        let counted: Vec<_> = row.split_inclusive('|').take(5).collect();
        assert!(judged.lines().any(|line| line == counted.concat()), "{row}");
    }
}

fn is_drawn(report: &Report, file: &str, command: &str) {
    // Outside of the repository there is none.
    let Ok(kept) = std::fs::read_to_string(format!("{}/../docs/{file}", env!("CARGO_MANIFEST_DIR"))) else { return };
    let drawn = plot::svg(report.figure.as_ref().unwrap(), 860).unwrap();
    assert!(kept == drawn, "draw it again: cargo run --release -p backoff-lab -- {command} --svg docs/{file}");
}
