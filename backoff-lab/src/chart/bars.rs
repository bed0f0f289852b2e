//! Few points: a horizontal bar for each.

use console::measure_text_width as width_of;

use super::{Terminal, painted, part_of};
use crate::report::{Axis, Cell, Figure, Marks, Panel, Range, Series};

/// What the shades of a bar mean.
pub(super) const SHADES: &str = "█ nine in ten are longer, ▓ one in ten is longer, ░ the longest";

pub(super) fn draw(figure: &Figure, terminal: Terminal, text: &mut String) {
    for panel in &figure.panels {
        if !panel.title.is_empty() {
            text.extend([panel.title.as_str(), ": ", &panel.y.label, "\n"]);
        }
        let rows = rows(figure, panel);
        let label = rows.iter().map(|row| width_of(&row.label)).max().unwrap_or(0);
        let value = rows.iter().map(|row| width_of(&row.value)).max().unwrap_or(0);
        let room = terminal.width.saturating_sub(label + value + 4).clamp(8, 80);
        for row in &rows {
            let gap = " ".repeat(label - width_of(&row.label));
            let bar = painted(&bar(&row.range, &panel.y, room), row.series.colour, terminal);
            text.extend([&gap, row.label.as_str(), "  ", &bar, " ", &row.value, "\n"]);
        }
    }
}

struct Row<'a> {
    label: String,
    range: Range,
    value: String,
    series: &'a Series,
}

/// All series at one place of the horizontal axis stand together, because they are what is compared.
fn rows<'a>(figure: &Figure, panel: &'a Panel) -> Vec<Row<'a>> {
    let mut places: Vec<f64> = panel.series.iter().flat_map(|series| series.marks.pairs()).map(|(x, _)| x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let mut rows = Vec::new();
    for place in places {
        for series in &panel.series {
            let Some(range) = at(&series.marks, place) else { continue };
            let alone = panel.series.len() == 1;
            let name = figure.x.label.split(',').next().unwrap_or_default();
            let label = if alone { format!("{name} {place}") } else { format!("{place} {name}, {}", series.name) };
            rows.push(Row { label, range, value: Cell::Number(range.high).to_string(), series });
        }
    }
    rows
}

fn at(marks: &Marks, place: f64) -> Option<Range> {
    let same = |x: f64| x.total_cmp(&place).is_eq();
    match marks {
        Marks::Ranges(ranges) => ranges.iter().find(|range| same(range.x)).copied(),
        Marks::Area(points) | Marks::Line(points) => points.iter().find(|(x, _)| same(*x)).map(|(x, y)| Range {
            x: *x,
            low: *y,
            p10: *y,
            p50: *y,
            p90: *y,
            high: *y,
        }),
    }
}

/// Solid up to the tenth, shaded up to nine tenths, light up to the longest.
fn bar(range: &Range, y: &Axis, room: usize) -> String {
    let [solid, shaded, light] = [range.p10, range.p90, range.high].map(|value| part_of(y.position(value), room));
    let light = light.max(1);
    (0..light)
        .map(|at| {
            if at < solid {
                '█'
            } else if at < shaded {
                '▓'
            } else {
                '░'
            }
        })
        .collect()
}
