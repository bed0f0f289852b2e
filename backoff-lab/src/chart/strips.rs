//! Counts over time: a strip for each series, eight levels high.

use console::measure_text_width as width_of;

use super::{Terminal, painted, part_of};
use crate::report::{Axis, Figure, Marks, Panel, Series};

const LEVELS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// So many lines for each strip: with more of them small counts can be seen beside large ones.
const LINES: usize = 2;

pub(super) fn draw(figure: &Figure, terminal: Terminal, text: &mut String) {
    let strips: Vec<Strip<'_>> = figure.panels.iter().flat_map(Strip::of).collect();
    let label = strips.iter().map(|strip| width_of(&strip.label)).max().unwrap_or(0);
    let note = strips.iter().map(|strip| width_of(strip.note)).max().unwrap_or(0);
    let room = terminal.width.saturating_sub(label + note + 5).max(8);
    for strip in &strips {
        if let Some(heading) = &strip.heading {
            text.extend([heading, "\n"]);
        }
        let heights = heights(strip, &figure.x, room);
        for line in (0..LINES).rev() {
            let blocks: String = heights.iter().map(|height| block(*height, line)).collect();
            if line > 0 && blocks.trim().is_empty() {
                continue;
            }
            let (name, note) = if line == 0 { (strip.label.as_str(), strip.note) } else { ("", "") };
            let gap = " ".repeat(label - width_of(name) + 2);
            let blocks = painted(blocks.trim_end(), strip.series.colour, terminal);
            let after = " ".repeat(room.saturating_sub(width_of(&blocks)) + 2);
            let whole = [name, &gap, &blocks, if note.is_empty() { "" } else { &after }, note].concat();
            text.extend([whole.trim_end(), "\n"]);
        }
    }
    axis(&figure.x, label + 2, room, text);
}

/// The part of a column that is in one of its lines, counted from below.
fn block(height: usize, line: usize) -> char {
    LEVELS[height.saturating_sub(line * 8).min(8)]
}

struct Strip<'a> {
    /// The panel, above the first of several series.
    heading: Option<String>,
    label: String,
    note: &'a str,
    y: &'a Axis,
    series: &'a Series,
}

impl<'a> Strip<'a> {
    fn of(panel: &'a Panel) -> impl Iterator<Item = Self> {
        let alone = panel.series.len() == 1;
        panel.series.iter().enumerate().map(move |(at, series)| Self {
            heading: (at == 0 && !alone).then(|| {
                let title = panel.title.clone();
                if panel.note.is_empty() { title } else { format!("{title}: {}", panel.note) }
            }),
            label: if alone { panel.title.clone() } else { series.name.clone() },
            note: if alone { &panel.note } else { "" },
            y: &panel.y,
            series,
        })
    }
}

/// The highest of each column, so that no peak is lost between two. Whatever is above zero leaves a trace.
fn heights(strip: &Strip<'_>, x: &Axis, columns: usize) -> Vec<usize> {
    let points = strip.series.marks.pairs();
    let width = match points.as_slice() {
        [(first, _), (second, _), ..] => second - first,
        _ => 0.0,
    };
    let mut heights = vec![0.0_f64; columns];
    for (at, y) in &points {
        let first = part_of(x.position(*at), columns).min(columns - 1);
        let end = match strip.series.marks {
            Marks::Area(_) => part_of(x.position(at + width), columns).clamp(first + 1, columns),
            _ => first + 1,
        };
        for height in &mut heights[first..end] {
            *height = height.max(*y);
        }
    }
    heights.iter().map(|height| part_of(strip.y.position(*height), 8 * LINES).max(usize::from(*height > 0.0))).collect()
}

fn axis(x: &Axis, indent: usize, room: usize, text: &mut String) {
    let mut line = String::new();
    let wanted = u32::try_from(room / 10).unwrap_or(4).clamp(1, 10);
    for tick in x.ticks(wanted) {
        let at = part_of(x.position(tick), room);
        let label = tick.to_string();
        if at >= line.len() && at + label.len() <= room + 2 {
            line.push_str(&" ".repeat(at - line.len()));
            line.push_str(&label);
        }
    }
    let indent = " ".repeat(indent);
    text.extend([&indent, line.as_str(), "\n", &indent, &x.label, "\n"]);
}
