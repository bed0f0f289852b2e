//! Contention as a report.

use std::time::Duration;

use super::{Contention, Row};
use crate::report::{Axis, Cell, Figure, Marks, Panel, Report, Series, Table, short};

pub(super) fn report(contention: &Contention) -> Report {
    let settings = &contention.settings;
    let mut table = Table::new("Means", ["clients", "wait", "calls", "per client", "done after", "x serial"]);
    for row in &contention.rows {
        let clients = f64::from(row.clients);
        table.push([
            Cell::Count(row.clients.into()),
            Cell::from(row.wait.word()),
            Cell::Number(row.calls),
            Cell::Number(row.calls / clients),
            Cell::Duration(Duration::try_from_secs_f64(row.seconds).unwrap_or_default()),
            Cell::Number(row.seconds / (clients * round_trip(contention))),
        ]);
    }
    Report::new("Contention: clients change one record, one at a time")
        .sentence(format!(
            "Every client reads a version and writes with it; if another one was faster, it waits and reads again. A message \
             takes {}, and between two changes a version goes out and a write comes in: {}.",
            short(settings.leg),
            short(settings.leg.saturating_mul(2))
        ))
        .sentence(format!(
            "Waits grow from {} to {}; each row is the mean of {} simulations; \"x serial\" compares with that time for each \
             client.",
            short(settings.base.saturating_mul(2).min(settings.cap)),
            short(settings.cap),
            settings.repeats
        ))
        .table(table)
        .figure(figure(contention))
}

/// The time from one change to the next, in seconds: the version on its way out, and the write on its way in.
fn round_trip(contention: &Contention) -> f64 {
    contention.settings.leg.as_secs_f64() * 2.0
}

fn figure(contention: &Contention) -> Figure {
    let most = contention.settings.clients.iter().copied().max().unwrap_or(1);
    let calls = |row: &Row| row.calls / f64::from(row.clients);
    let seconds = |row: &Row| row.seconds;
    Figure {
        title: "Many clients, one record: what waiting costs and what it saves".to_owned(),
        caption: "both axes upwards are logarithmic; less is better in both".to_owned(),
        x: Axis::up_to("clients", f64::from(most)),
        panels: vec![
            panel(contention, "Calls of each client", "calls", calls),
            panel(contention, "Until the last one is done", "time, s", seconds),
        ],
        columns: 2,
    }
}

fn panel(contention: &Contention, title: &str, unit: &str, value: impl Fn(&Row) -> f64) -> Panel {
    let series = contention.settings.waits.iter().map(|wait| {
        let rows = contention.rows.iter().filter(|row| row.wait == *wait);
        let points = rows.map(|row| (f64::from(row.clients), value(row)));
        Series { name: wait.name().to_owned(), colour: wait.colour(), marks: Marks::Line(points.collect()) }
    });
    let values = || contention.rows.iter().map(&value);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::MIN_POSITIVE, f64::max);
    Panel {
        title: title.to_owned(),
        note: String::new(),
        y: Axis::log(unit, 10_f64.powf(low.log10().floor()), high * 1.5),
        series: series.collect(),
        level: None,
    }
}
