//! Tables and curves as CSV, as RFC 4180 has it: full precision, times in seconds.

use crate::report::{Cell, Figure, Marks, Table};

/// A table as CSV.
///
/// ```
/// use backoff_lab::report::{Cell, Table};
/// use std::time::Duration;
/// let mut table = Table::new("", ["jitter", "sleep"]);
/// table.push([Cell::from("full, spread"), Cell::Duration(Duration::from_millis(1_500))]);
/// assert_eq!(backoff_lab::csv::table(&table), "jitter,sleep (s)\r\n\"full, spread\",1.5\r\n");
/// ```
#[must_use]
pub fn table(table: &Table) -> String {
    let names: Vec<_> = table.columns.iter().enumerate().map(|(at, name)| named(table, at, name)).collect();
    let head = line(names.iter().map(String::as_str));
    let rows = table.rows.iter().map(|row| {
        let cells: Vec<_> = row.iter().map(Cell::exact).collect();
        line(cells.iter().map(String::as_str))
    });
    std::iter::once(head).chain(rows).collect()
}

/// The name of a column, with the unit of times.
fn named(table: &Table, column: usize, name: &str) -> String {
    let is_time = table.rows.iter().any(|row| matches!(row.get(column), Some(Cell::Duration(_))));
    if is_time { format!("{name} (s)") } else { name.to_owned() }
}

/// The points of a picture as CSV, one in each row: panel, series, x, y; of ranges all five values.
///
/// ```
/// use backoff_lab::herd::{Settings, herd};
/// let report = herd(&Settings { clients: 10, ..Settings::default() })?.report();
/// let text = backoff_lab::csv::points(&report.figure.unwrap());
/// assert!(text.starts_with("panel,series,\"time since the failure, s\",y\r\n"), "{text}");
/// # Ok::<_, backoff_lab::Error>(())
/// ```
#[must_use]
pub fn points(figure: &Figure) -> String {
    let has_ranges =
        figure.panels.iter().flat_map(|panel| &panel.series).any(|series| matches!(series.marks, Marks::Ranges(_)));
    let values: &[&str] = if has_ranges { &["min", "p10", "p50", "p90", "max"] } else { &["y"] };
    let mut text = line(["panel", "series", figure.x.label.as_str()].into_iter().chain(values.iter().copied()));
    for panel in &figure.panels {
        for series in &panel.series {
            let rows: Vec<(f64, Vec<f64>)> = match &series.marks {
                Marks::Area(points) | Marks::Line(points) => points.iter().map(|(x, y)| (*x, vec![*y])).collect(),
                Marks::Ranges(ranges) => {
                    ranges.iter().map(|at| (at.x, vec![at.low, at.p10, at.p50, at.p90, at.high])).collect()
                }
            };
            for (x, values) in rows {
                let numbers: Vec<_> = std::iter::once(x).chain(values).map(|number| number.to_string()).collect();
                let names = [panel.title.as_str(), series.name.as_str()];
                text.push_str(&line(names.into_iter().chain(numbers.iter().map(String::as_str))));
            }
        }
    }
    text
}

fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cells: Vec<_> = cells.map(quoted).collect();
    format!("{}\r\n", cells.join(","))
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}
