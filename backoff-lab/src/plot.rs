//! Pictures as SVG, for light and dark surroundings.

mod canvas;
mod palette;
mod panel;

use crate::Error;
use crate::report::{Figure, Panel, Series};
use canvas::{Align, Canvas};
use palette::Ink;

const MARGIN: i32 = 14;
/// Below this width panels stand one under the other, as on a phone.
const NARROW: i32 = 560;

/// Draws a picture in so many pixels of width; the height follows from what is in it.
///
/// ```
/// use backoff_lab::herd::{Settings, herd};
/// let report = herd(&Settings { clients: 10, ..Settings::default() })?.report();
/// let svg = backoff_lab::plot::svg(&report.figure.unwrap(), 860)?;
/// assert!(svg.starts_with("<svg width=\"860\""));
/// # Ok::<_, backoff_lab::Error>(())
/// ```
///
/// # Errors
/// When the picture can't be drawn, which would be a defect of this crate.
pub fn svg(figure: &Figure, width: u16) -> Result<String, Error> {
    draw(figure, i32::from(width.max(240)))
        .map_err(|problem| Error::Setting(format!("the picture can't be drawn: {problem}")))
}

fn draw(figure: &Figure, width: i32) -> Result<String, canvas::Problem> {
    let grid = Grid::new(figure, width);
    let legend = legend(figure);
    let title = wrapped(&figure.title, width - 2 * MARGIN, 16);
    let caption = wrapped(&figure.caption, width - 2 * MARGIN, 12);
    let caption_top = MARGIN + 4 + 20 * height(title.len());
    let mut top = caption_top + 17 * height(caption.len());
    let legend_lines = legend_lines(&legend, width - 2 * MARGIN);
    let legend_top = top + 6;
    if !legend.is_empty() {
        top += 8 + 18 * height(legend_lines.len());
    }
    top += 8;
    let mut canvas = Canvas::new(width, top + grid.height() + 24);
    for (row, line) in title.iter().enumerate() {
        canvas.text((MARGIN, MARGIN + 20 * height(row)), line, 16, Ink::Strong, Align::Left);
    }
    for (row, line) in caption.iter().enumerate() {
        canvas.text((MARGIN, caption_top + 17 * height(row)), line, 12, Ink::Soft, Align::Left);
    }
    for (row, entries) in legend_lines.iter().enumerate() {
        let mut x = MARGIN;
        for series in entries {
            let y = legend_top + 18 * height(row);
            let (left, upper) = (f64::from(x), f64::from(y));
            canvas.rectangle((left, upper + 2.0), (left + 14.0, upper + 11.0), Ink::Series(series.colour), 1.0);
            canvas.text((x + 20, y), &series.name, 12, Ink::Strong, Align::Left);
            x += entry_width(series);
        }
    }
    for (at, panel) in figure.panels.iter().enumerate() {
        let place = grid.place(figure, at, top);
        panel::draw(&mut canvas, &place, figure, panel);
    }
    let bottom = top + grid.height() + 2;
    canvas.text((width / 2, bottom), &figure.x.label, 12, Ink::Soft, Align::Centre);
    canvas.finish()
}

/// Where panels stand.
struct Grid {
    columns: i32,
    panel_width: i32,
    /// From the upper axis to the lower, with the numbers below.
    body: i32,
    /// Above the upper axis, row by row: more where the vertical axis is named.
    heads: Vec<i32>,
    note_below: bool,
}

impl Grid {
    fn new(figure: &Figure, width: i32) -> Self {
        let panels = figure.panels.len();
        let columns = if width < NARROW { 1 } else { figure.columns.clamp(1, panels.max(1)) };
        let rows = panels.div_ceil(columns);
        let body = match (columns, rows) {
            (1, 1) if width >= NARROW => 260,
            (1, 1) => 220,
            (1, _) if width >= NARROW => 160,
            (1, _) => 116,
            (_, 1) => 250,
            (2, _) => 170,
            _ => 134,
        };
        let panel_width = (width - 2 * MARGIN) / height(columns);
        let note_below = !figure.panels.iter().all(|panel| panel::fits(panel, panel_width));
        let heads = (0..rows)
            .map(|row| {
                let named = (row * columns..(row + 1) * columns).any(|at| is_named(figure, at));
                if named || note_below { 40 } else { 26 }
            })
            .collect();
        Self { columns: height(columns), panel_width, body, heads, note_below }
    }

    /// All rows together.
    fn height(&self) -> i32 {
        self.heads.iter().map(|head| head + self.body).sum()
    }

    fn place(&self, figure: &Figure, at: usize, top: i32) -> panel::Place {
        let columns = self.columns.unsigned_abs() as usize;
        let (row, column) = (at / columns, at % columns);
        let above: i32 = self.heads.iter().take(row).map(|head| head + self.body).sum();
        let head = self.heads.get(row).copied().unwrap_or_default();
        panel::Place {
            left: MARGIN + height(column) * self.panel_width,
            top: top + above,
            width: self.panel_width,
            height: head + self.body,
            head,
            note_below: self.note_below,
            has_y_label: is_named(figure, at),
            has_x_ticks: at + columns >= figure.panels.len() || columns == 1,
        }
    }
}

/// Whether the vertical axis of a panel is named: the same name is not written twice in a row.
fn is_named(figure: &Figure, at: usize) -> bool {
    let label = |at: usize| figure.panels.get(at).map(|panel| &panel.y.label);
    label(at).is_some() && (at == 0 || label(at) != label(at - 1))
}

/// The series to explain: none if every panel has one, which its title names.
fn legend(figure: &Figure) -> Vec<&Series> {
    let mut found: Vec<&Series> = Vec::new();
    if figure.panels.iter().all(|panel: &Panel| panel.series.len() < 2) {
        return found;
    }
    for series in figure.panels.iter().flat_map(|panel| &panel.series) {
        if !found.iter().any(|known| known.name == series.name) {
            found.push(series);
        }
    }
    found
}

fn entry_width(series: &Series) -> i32 {
    20 + text_width(&series.name, 12) + 20
}

fn legend_lines<'a>(legend: &[&'a Series], width: i32) -> Vec<Vec<&'a Series>> {
    let mut lines: Vec<Vec<&Series>> = Vec::new();
    let mut used = width + 1;
    for series in legend {
        let needed = entry_width(series);
        if used + needed > width {
            lines.push(Vec::new());
            used = 0;
        }
        used += needed;
        if let Some(line) = lines.last_mut() {
            line.push(series);
        }
    }
    lines
}

fn wrapped(text: &str, width: i32, size: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(word, size) + 4 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// About how wide a text is: no font is at hand.
fn text_width(text: &str, size: i32) -> i32 {
    height(text.chars().count()) * size * 11 / 20
}

/// A small number of things, for arithmetic with pixels.
fn height(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 4096)
}
