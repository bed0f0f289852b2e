//! Paces as a report.

use super::{Call, Pace, Paces, Settings, colour, word};
use crate::report::{Axis, Cell, Colour, Figure, Marks, Panel, Report, Series, Table, short};

/// About so many points in a panel.
const POINTS: usize = 400;
/// An interval is found when it is as close to the limit as this.
const CLOSE: f64 = 0.1;

pub(super) fn report(paces: &Paces) -> Report {
    let columns = ["mode", "limit, 1/s", "interval asked for, ms", "learned, ms", "spread", "refused", "found after"];
    let mut table = Table::new("Each limit in turn", columns);
    for pace in &paces.paces {
        for (phase, limit) in paces.settings.limits.iter().enumerate() {
            let calls: Vec<&Call> = pace.calls.iter().filter(|call| call.phase == phase).collect();
            let settled = &calls[calls.len() / 2..];
            let (mean, deviation) = moments(settled);
            let refused = calls.iter().filter(|call| !call.served).count();
            table.push([
                Cell::from(word(pace.mode)),
                Cell::Number(*limit),
                Cell::Number(1_000.0 / limit),
                if settled.is_empty() { Cell::Empty } else { Cell::Number(mean) },
                if settled.is_empty() { Cell::Empty } else { Cell::Share(deviation / mean) },
                Cell::Share(as_float(refused) / as_float(calls.len().max(1))),
                found_after(&calls, 1_000.0 / limit),
            ]);
        }
    }
    Report::new("A pacer, and a server whose limit moves")
        .sentence(format!(
            "The limit of the server changes every {}; one caller calls as often as its pacer lets it, and a call takes {}.",
            short(paces.settings.hold),
            short(paces.settings.operation)
        ))
        .sentence(
            "The learned interval and its spread (standard deviation / mean) are those of the second half of a limit's \
             calls; \"found after\" counts calls until five in a row were within a tenth of the interval asked for.",
        )
        .table(table)
        .figure(figure(paces))
}

fn moments(calls: &[&Call]) -> (f64, f64) {
    let count = as_float(calls.len().max(1));
    let mean = calls.iter().map(|call| call.interval).sum::<f64>() / count;
    let variance = calls.iter().map(|call| (call.interval - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

fn found_after(calls: &[&Call], asked: f64) -> Cell {
    let close = |call: &&Call| (call.interval / asked - 1.0).abs() <= CLOSE;
    let found = calls.windows(5).position(|five| five.iter().all(close));
    found.and_then(|at| u64::try_from(at).ok()).map_or(Cell::Empty, Cell::Count)
}

fn figure(paces: &Paces) -> Figure {
    let settings = &paces.settings;
    let end = settings.hold.as_secs_f64() * as_float(settings.limits.len());
    let asked = || settings.limits.iter().map(|limit| 1_000.0 / limit);
    let (low, high) = (asked().fold(f64::INFINITY, f64::min), asked().fold(0.0, f64::max));
    let panels = paces.paces.iter().map(|pace| Panel {
        title: word(pace.mode).to_owned(),
        note: String::new(),
        y: Axis::log("interval, ms", low / 4.0, high * 4.0),
        series: vec![
            Series { name: "asked for".to_owned(), colour: Colour::Grey, marks: Marks::Line(steps(settings)) },
            Series {
                name: format!("learned, {}", word(pace.mode)),
                colour: colour(pace.mode),
                marks: Marks::Line(learned(pace)),
            },
        ],
        level: None,
    });
    Figure {
        title: "What a pacer learns when the limit of a server moves".to_owned(),
        caption: "the interval between calls that the server asks for, and the one that is learned; logarithmic"
            .to_owned(),
        x: Axis::linear("time, s", 0.0, end),
        panels: panels.collect(),
        columns: 1,
    }
}

/// The interval that the server asks for. Many points, because strips in a terminal are drawn point by point.
fn steps(settings: &Settings) -> Vec<(f64, f64)> {
    let hold = settings.hold.as_secs_f64();
    let count = settings.limits.len();
    (0..=POINTS)
        .map(|point| {
            let x = as_float(point) / as_float(POINTS) * hold * as_float(count);
            let phase = (point * count / POINTS).min(count.saturating_sub(1));
            (x, settings.limits.get(phase).map_or(0.0, |limit| 1_000.0 / limit))
        })
        .collect()
}

/// The last interval in each piece of time: more can't be told apart.
fn learned(pace: &Pace) -> Vec<(f64, f64)> {
    let end = pace.calls.last().map_or(0.0, |call| call.at.as_secs_f64());
    let piece = (end / as_float(POINTS)).max(f64::MIN_POSITIVE);
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut next = 0.0;
    for call in &pace.calls {
        let at = call.at.as_secs_f64();
        if at >= next {
            points.push((at, call.interval));
            next = at + piece;
        }
    }
    points
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn as_float(count: usize) -> f64 {
    count as f64
}
