//! An outage as a report.

use super::Outage;
use crate::fleet::{Load, Outcome, Scenario, Slice, Strategy};
use crate::report::{Axis, Cell, Colour, Figure, Marks, Panel, Report, Series, Table, short};

/// Where a picture is cut off, in multiples of the capacity: what is above is in the note.
const CUT: f64 = 3.0;
/// About so many points in a panel.
const POINTS: usize = 200;

pub(super) fn report(outage: &Outage) -> Report {
    let scenario = &outage.scenario;
    let table = match scenario.load {
        Load::Herd { .. } => herd(outage),
        Load::Traffic { .. } => traffic(outage),
    };
    let title = match scenario.load {
        Load::Herd { .. } => "A herd, and a server that comes back",
        Load::Traffic { .. } => "An outage under live traffic",
    };
    let mut report = Report::new(title).sentence(who(scenario)).sentence(server(scenario));
    // Not to wait is a policy of its own kind; the others have all but the jitter in common.
    let usual = outage.rows.iter().find(|(strategy, _)| strategy.name == "full jitter").or(outage.rows.last());
    if let Some((strategy, _)) = usual {
        report = report.sentence(format!("The policy of {} is {}.", strategy.name, strategy.policy));
    }
    report.table(table).figure(figure(outage))
}

fn who(scenario: &Scenario) -> String {
    let processes = Cell::Count(scenario.processes.into());
    match scenario.load {
        Load::Herd { tasks } => format!(
            "{processes} processes make {} calls each at the same moment, and retry.",
            Cell::Count(tasks.into())
        ),
        Load::Traffic { load, lasts } => format!(
            "{processes} processes make requests at random for {}, {} of what the server can serve.",
            short(lasts),
            Cell::Share(load)
        ),
    }
}

fn server(scenario: &Scenario) -> String {
    let server = &scenario.server;
    let outage = if server.outage.is_zero() {
        "never goes out".to_owned()
    } else {
        format!("is out for {}, from {} on", short(server.outage), short(server.outage_start))
    };
    format!(
        "The server serves {} requests a second and {outage}; a refusal costs it {} of what serving costs.",
        Cell::Count(per_second(server.capacity)),
        Cell::Share(server.refusal_cost)
    )
}

fn herd(outage: &Outage) -> Table {
    let columns = ["policy", "served", "calls per request", "peak / capacity", "99 % served", "all / optimum"];
    let mut table = Table::new("After the outage", columns);
    for (strategy, outcome) in &outage.rows {
        table.push([
            Cell::from(strategy.name.as_str()),
            Cell::Share(outcome.served_share()),
            Cell::Number(outcome.calls_per_request()),
            Cell::Number(outcome.peak()),
            Cell::duration(outcome.served_99),
            outcome.times_optimum().map_or(Cell::Empty, Cell::Number),
        ]);
    }
    table
}

fn traffic(outage: &Outage) -> Table {
    let columns = ["policy", "served", "calls per request", "peak / capacity", "whole again", "p50", "p99"];
    let mut table = Table::new("In all", columns);
    for (strategy, outcome) in &outage.rows {
        table.push([
            Cell::from(strategy.name.as_str()),
            Cell::Share(outcome.served_share()),
            Cell::Number(outcome.calls_per_request()),
            Cell::Number(outcome.peak()),
            Cell::duration(outcome.whole_again()),
            Cell::Duration(outcome.latency(0.5)),
            Cell::Duration(outcome.latency(0.99)),
        ]);
    }
    table
}

fn figure(outage: &Outage) -> Figure {
    let slices = shown(outage);
    let step = slices.div_ceil(POINTS).max(1);
    let panels: Vec<_> = outage.rows.iter().map(|(strategy, outcome)| panel(strategy, outcome, slices, step)).collect();
    let highest = outage.rows.iter().map(|(_, outcome)| highest(outcome, slices, step)).fold(1.0, f64::max);
    let top = if highest > CUT { CUT } else { highest };
    let cut = if highest > CUT { format!("; cut off at {CUT} x capacity") } else { String::new() };
    let out = if outage.scenario.server.outage.is_zero() {
        String::new()
    } else {
        format!("out from {} to {}, ", short(outage.scenario.server.outage_start), short(outage.scenario.outage_end()))
    };
    let server = &outage.scenario.server;
    Figure {
        title: match outage.scenario.load {
            Load::Herd { .. } => "Everyone fails at once. What does the server see when it is back?".to_owned(),
            Load::Traffic { load, .. } if server.outage.is_zero() => {
                format!("Without any outage, at {} load", Cell::Share(load).to_string().replace(".0 ", " "))
            }
            Load::Traffic { load, .. } => format!(
                "The server was out for {}, at {} load. Does it come back?",
                short(server.outage),
                Cell::Share(load).to_string().replace(".0 ", " ")
            ),
        },
        caption: format!(
            "calls that arrive, and those that are served, in multiples of what it can serve; {out}{} processes, \
             refusals cost {}{cut}",
            Cell::Count(outage.scenario.processes.into()),
            Cell::Share(server.refusal_cost).to_string().replace(".0 ", " "),
        ),
        x: Axis::linear("time, s", 0.0, seconds(1, slices)),
        columns: if panels.len() < 3 || panels.len() == 4 { 2 } else { 3 },
        panels: panels.into_iter().map(|panel| Panel { y: Axis::up_to("x capacity", top), ..panel }).collect(),
    }
}

fn panel(strategy: &Strategy, outcome: &Outcome, slices: usize, step: usize) -> Panel {
    let series = |name: &str, colour, count: fn(&Slice) -> u32| Series {
        name: name.to_owned(),
        colour,
        marks: Marks::Area(points(outcome, slices, step, count)),
    };
    Panel {
        title: strategy.name.clone(),
        note: format!(
            "{} served, {} calls each",
            Cell::Share(outcome.served_share()),
            Cell::Number(outcome.calls_per_request())
        ),
        y: Axis::linear("", 0.0, 1.0),
        series: vec![
            series("arriving", Colour::Vermilion, |slice| slice.arrived),
            series("served", Colour::Blue, |slice| slice.served),
        ],
        level: None,
    }
}

/// Up to the last moment in which something arrived, or three times the time that the work needs: stragglers would squeeze the
/// rest.
fn shown(outage: &Outage) -> usize {
    let last = |outcome: &Outcome| outcome.slices.iter().rposition(|slice| slice.arrived > 0).unwrap_or(0) + 1;
    let longest = outage.rows.iter().map(|(_, outcome)| last(outcome)).max().unwrap_or(1);
    let needed = match outage.scenario.load {
        Load::Herd { tasks } => {
            let calls = f64::from(tasks) * f64::from(outage.scenario.processes);
            calls / outage.scenario.server.capacity / 1_000.0
        }
        Load::Traffic { lasts, .. } => lasts.as_secs_f64() / 3.0,
    };
    let most = outage.scenario.outage_end().as_secs_f64() + 3.0 * needed;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast from a float saturates")]
    let most = (most / Outcome::SLICE.as_secs_f64()).ceil() as usize;
    longest.min(most).max(1)
}

fn points(outcome: &Outcome, slices: usize, step: usize, count: fn(&Slice) -> u32) -> Vec<(f64, f64)> {
    let slices = &outcome.slices[..slices.min(outcome.slices.len())];
    let chunks = slices.chunks(step).enumerate();
    chunks
        .map(|(at, chunk)| {
            let calls: f64 = chunk.iter().map(|slice| f64::from(count(slice))).sum();
            let millis = seconds(1, chunk.len()) * 1_000.0;
            (seconds(step, at), calls / millis / outcome.capacity)
        })
        .collect()
}

fn highest(outcome: &Outcome, slices: usize, step: usize) -> f64 {
    points(outcome, slices, step, |slice| slice.arrived).into_iter().map(|(_, y)| y).fold(0.0, f64::max)
}

fn seconds(step: usize, slices: usize) -> f64 {
    let slices = u32::try_from(step.saturating_mul(slices)).unwrap_or(u32::MAX);
    Outcome::SLICE.saturating_mul(slices).as_secs_f64()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast from a float saturates")]
fn per_second(per_milli: f64) -> u64 {
    (per_milli * 1_000.0).round() as u64
}
