//! A schedule as a report.

use std::fmt::Display;

use super::{Level, Schedule, advice};
use crate::quantiles::Quantiles;
use crate::report::{Axis, Cell, Colour, Figure, Marks, Panel, Range, Report, Series, Table, short};

/// Sleeps that fewer runs come to are left out of the picture.
const RARE: f64 = 0.01;

pub(super) fn report(schedule: &Schedule) -> Report {
    let many = schedule.levels.len() > 1;
    let mut report = Report::new(if many { "Nested policies, outermost first" } else { "What the policy does" });
    for level in &schedule.levels {
        let name = if many { format!("{}: ", level.named.name) } else { String::new() };
        report = report.sentence(format!("{name}{}", level.named.policy));
        report.sentences.extend(level.named.notes.iter().map(|note| format!("{name}{note}.")));
        report = report.sentence(format!("{name}{}", whole_run(level, schedule)));
    }
    if many {
        report = report.sentence(format!(
            "One call of the outermost level calls the operation {}.",
            spread(&schedule.calls, " times", |calls| Cell::Count(*calls).to_string())
        ));
    }
    if let Some(clients) = schedule.settings.clients.filter(|clients| *clients > 1) {
        report = report.sentence(format!(
            "{} clients that all fail make about {} calls.",
            Cell::Count(clients),
            Cell::Count(clients.saturating_mul(schedule.calls.p50))
        ));
    }
    if schedule.drawn < schedule.settings.draws {
        report = report.sentence(format!(
            "Only {} of {} runs were drawn, because they are long.",
            Cell::Count(schedule.drawn.into()),
            Cell::Count(schedule.settings.draws.into())
        ));
    }
    report.warnings = advice::warnings(schedule);
    for level in schedule.levels.iter().filter(|level| !level.rows.is_empty()) {
        report = report.table(sleeps(level, many));
    }
    for level in &schedule.levels {
        report = report.table(totals(level, many));
    }
    let panels: Vec<_> = schedule.levels.iter().filter(|level| !level.rows.is_empty()).map(panel).collect();
    if panels.is_empty() { report } else { report.figure(figure(panels)) }
}

fn whole_run(level: &Level, schedule: &Schedule) -> String {
    let operation = schedule.settings.operation;
    let when = if level == schedule.levels.last().unwrap_or(level) && !operation.is_zero() {
        format!("When every attempt fails after {}", short(operation))
    } else {
        "When every attempt fails".to_owned()
    };
    if level.endless {
        return format!(
            "{when}, a run goes on; it was followed for {} attempts.",
            Cell::Count(level.attempts.high.into())
        );
    }
    format!("{when}, a run makes {} and takes {}.", attempts(level), spread(&level.total, "", |total| short(*total)))
}

fn attempts(level: &Level) -> String {
    if level.attempts.high == 1 {
        "1 attempt".to_owned()
    } else {
        spread(&level.attempts, " attempts", ToString::to_string)
    }
}

/// One value with its unit, or the ends and the middle.
fn spread<T: PartialEq, D: Display>(quantiles: &Quantiles<T>, unit: &str, show: impl Fn(&T) -> D) -> String {
    if quantiles.low == quantiles.high {
        format!("{}{unit}", show(&quantiles.low))
    } else {
        format!("{} to {}{unit} (median {})", show(&quantiles.low), show(&quantiles.high), show(&quantiles.p50))
    }
}

fn titled(title: &str, level: &Level, many: bool) -> String {
    if many { format!("{title}: {}", level.named.name) } else { title.to_owned() }
}

fn sleeps(level: &Level, many: bool) -> Table {
    let columns = ["retry", "delay", "min", "p10", "p50", "p90", "max", "runs"];
    let mut table = Table::new(titled("Sleeps", level, many), columns);
    for row in &level.rows {
        let mut cells = vec![Cell::Count(row.retry.into()), Cell::Duration(row.delay)];
        cells.extend(five(&row.sleep, Cell::Duration));
        cells.push(Cell::Share(row.share));
        table.push(cells);
    }
    table
}

fn totals(level: &Level, many: bool) -> Table {
    let mut table = Table::new(titled("A whole run", level, many), ["of a run", "min", "p10", "p50", "p90", "max"]);
    let mut push = |name: &str, cells: [Cell; 5]| {
        let mut row = vec![Cell::from(name)];
        row.extend(cells);
        table.push(row);
    };
    push("attempts", five(&level.attempts, |attempts| Cell::Count(attempts.into())));
    push("slept", five(&level.slept, Cell::Duration));
    push("total", five(&level.total, Cell::Duration));
    table
}

fn five<T: Copy>(quantiles: &Quantiles<T>, cell: impl Fn(T) -> Cell) -> [Cell; 5] {
    let Quantiles { low, p10, p50, p90, high } = *quantiles;
    [low, p10, p50, p90, high].map(cell)
}

fn panel(level: &Level) -> Panel {
    let shown = || level.rows.iter().filter(|row| row.share >= RARE);
    let ranges = shown().map(|row| {
        let [low, p10, p50, p90, high] = [row.sleep.low, row.sleep.p10, row.sleep.p50, row.sleep.p90, row.sleep.high]
            .map(|sleep| sleep.as_secs_f64());
        Range { x: f64::from(row.retry), low, p10, p50, p90, high }
    });
    let highest = shown().map(|row| row.sleep.high).max().unwrap_or_default();
    let jitter = level.named.policy.get_jitter();
    Panel {
        title: level.named.policy.to_string(),
        note: attempts(level),
        y: Axis::up_to("sleep, s", highest.as_secs_f64().max(1e-9)),
        series: vec![Series {
            name: "sleep".to_owned(),
            colour: Colour::of(jitter),
            marks: Marks::Ranges(ranges.collect()),
        }],
        level: None,
    }
}

fn figure(panels: Vec<Panel>) -> Figure {
    let last = panels.iter().flat_map(|panel| &panel.series).flat_map(|series| series.marks.pairs());
    let last = last.map(|(x, _)| x).fold(1.0, f64::max);
    Figure {
        title: "How long each sleep lasts".to_owned(),
        caption: "thin: shortest to longest; thick: the middle 80 %; mark: median".to_owned(),
        x: Axis::numbers("retry", last),
        panels,
        columns: 1,
    }
}
