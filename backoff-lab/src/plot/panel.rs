//! One panel: its frame, its axes and what is in it.

use super::canvas::{Align, Canvas};
use super::palette::Ink;
use super::text_width;
use crate::report::{Axis, Figure, Marks, Panel, Range, Series};

/// Where a panel stands, in pixels.
pub(super) struct Place {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    /// Above the upper axis.
    pub(super) head: i32,
    /// Whether the note has a line of its own.
    pub(super) note_below: bool,
    pub(super) has_y_label: bool,
    pub(super) has_x_ticks: bool,
}

/// For the numbers of the vertical axis.
const LEFT: i32 = 44;
/// For the half of the last number of the horizontal axis.
const RIGHT: i32 = 10;

/// The rectangle between the axes.
struct Frame<'a> {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: &'a Axis,
    y: &'a Axis,
}

impl Frame<'_> {
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x_of(x), self.y_of(y))
    }

    fn x_of(&self, x: f64) -> f64 {
        self.left + (self.right - self.left) * self.x.position(x)
    }

    fn y_of(&self, y: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * self.y.position(y)
    }
}

pub(super) fn draw(canvas: &mut Canvas, place: &Place, figure: &Figure, panel: &Panel) {
    let frame = Frame {
        left: f64::from(place.left + LEFT),
        right: f64::from(place.left + place.width - RIGHT),
        top: f64::from(place.top + place.head),
        bottom: f64::from(place.top + place.height - 26),
        x: &figure.x,
        y: &panel.y,
    };
    heading(canvas, place, panel);
    axes(canvas, place, &frame);
    for (at, series) in panel.series.iter().enumerate() {
        marks(canvas, &frame, series, at > 0);
    }
    if let Some((level, name)) = &panel.level {
        let y = frame.y_of(*level);
        dashes(canvas, (frame.left, frame.right), y);
        canvas.text((whole(frame.right), whole(y) - 15), name, 11, Ink::Strong, Align::Right);
    }
}

fn heading(canvas: &mut Canvas, place: &Place, panel: &Panel) {
    let left = place.left + LEFT;
    let right = place.left + place.width - RIGHT;
    let (room, note) = if place.note_below {
        (right - left, place.top + 20)
    } else {
        (room_for_title(panel, place.width), place.top + 4)
    };
    canvas.text((left, place.top + 2), &shortened(&panel.title, room, 13), 13, Ink::Strong, Align::Left);
    canvas.text((right, note), &panel.note, 11, Ink::Soft, Align::Right);
    if place.has_y_label {
        canvas.text((place.left, place.top + 20), &panel.y.label, 11, Ink::Soft, Align::Left);
    }
}

/// Whether title and note fit into one line.
pub(super) fn fits(panel: &Panel, width: i32) -> bool {
    text_width(&panel.title, 13) <= room_for_title(panel, width)
}

fn room_for_title(panel: &Panel, width: i32) -> i32 {
    width - LEFT - RIGHT - text_width(&panel.note, 11) - 8
}

/// As much of a text as fits.
fn shortened(text: &str, room: i32, size: i32) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let fitting = usize::try_from(room * 20 / (size * 11)).unwrap_or(0).saturating_sub(1);
    format!("{}…", text.chars().take(fitting).collect::<String>().trim_end_matches([' ', ',']))
}

fn axes(canvas: &mut Canvas, place: &Place, frame: &Frame<'_>) {
    for tick in frame.y.ticks(if place.height > 220 { 5 } else { 3 }) {
        let y = frame.y_of(tick);
        canvas.line(&[(frame.left, y), (frame.right, y)], Ink::Grid, 3);
        canvas.text((whole(frame.left) - 6, whole(y) - 6), &label(tick), 11, Ink::Soft, Align::Right);
    }
    canvas.line(&[(frame.left, frame.bottom), (frame.right, frame.bottom)], Ink::Soft, 4);
    for tick in frame.x.ticks(if place.width > 500 { 10 } else { 5 }) {
        let x = frame.x_of(tick);
        canvas.line(&[(x, frame.bottom), (x, frame.bottom + 4.0)], Ink::Soft, 4);
        if place.has_x_ticks {
            canvas.text((whole(x), whole(frame.bottom) + 7), &label(tick), 11, Ink::Soft, Align::Centre);
        }
    }
}

fn dashes(canvas: &mut Canvas, (left, right): (f64, f64), y: f64) {
    let mut x = left;
    while x < right {
        canvas.line(&[(x, y), ((x + 5.0).min(right), y)], Ink::Strong, 4);
        x += 9.0;
    }
}

fn marks(canvas: &mut Canvas, frame: &Frame<'_>, series: &Series, in_front: bool) {
    let ink = Ink::Series(series.colour);
    match &series.marks {
        Marks::Area(points) => area(canvas, frame, points, ink, in_front),
        Marks::Line(points) => {
            let places: Vec<_> = points.iter().map(|(x, y)| frame.at(*x, *y)).collect();
            canvas.line(&places, ink, 8);
            if points.len() <= 12 {
                for place in places {
                    dot(canvas, place, ink);
                }
            }
        }
        Marks::Ranges(ranges) => {
            for range in ranges {
                spread(canvas, frame, range, ink);
            }
        }
    }
}

/// Steps, because a count belongs to its whole interval. One in front of another hides it: colours that shine through would
/// need an explanation.
fn area(canvas: &mut Canvas, frame: &Frame<'_>, points: &[(f64, f64)], ink: Ink, in_front: bool) {
    let width = match points {
        [(first, _), (second, _), ..] => second - first,
        _ => return,
    };
    let mut outline = Vec::with_capacity(2 * points.len());
    for (at, (x, y)) in points.iter().enumerate() {
        // A level stretch needs its two ends only.
        let same = |other: Option<&(f64, f64)>| other.is_some_and(|(_, other)| other.total_cmp(y).is_eq());
        if !same(at.checked_sub(1).and_then(|before| points.get(before))) {
            outline.push(frame.at(*x, *y));
        }
        if !same(points.get(at + 1)) {
            outline.push(frame.at(x + width, *y));
        }
    }
    let mut filled = outline.clone();
    if let (Some((first, _)), Some((last, _))) = (outline.first().copied(), outline.last().copied()) {
        filled.push((last, frame.bottom));
        filled.push((first, frame.bottom));
    }
    if in_front {
        canvas.polygon(&filled, Ink::Paper, 1.0);
    }
    canvas.polygon(&filled, ink, 0.55);
    canvas.line(&outline, ink, 4);
}

fn dot(canvas: &mut Canvas, (x, y): (f64, f64), ink: Ink) {
    let corners: Vec<_> = (0..16)
        .map(|corner| {
            let angle = std::f64::consts::TAU * f64::from(corner) / 16.0;
            (x + 3.5 * angle.cos(), y + 3.5 * angle.sin())
        })
        .collect();
    canvas.polygon(&corners, ink, 1.0);
}

fn spread(canvas: &mut Canvas, frame: &Frame<'_>, range: &Range, ink: Ink) {
    let half = ((frame.x_of(range.x + 0.5) - frame.x_of(range.x)) * 0.55).clamp(2.0, 16.0);
    let x = frame.x_of(range.x);
    let box_of =
        |low: f64, high: f64, half: f64| ((x - half, frame.y_of(high) - 0.5), (x + half, frame.y_of(low) + 0.5));
    if range.high <= range.low {
        // Always the same: a plain bar up to it.
        let (from, to) = box_of(0.0, range.p50, half);
        canvas.rectangle(from, to, ink, 0.55);
    }
    let (from, to) = box_of(range.low, range.high, half * 0.18);
    canvas.rectangle(from, to, ink, 0.55);
    let (from, to) = box_of(range.p10, range.p90, half);
    canvas.rectangle(from, to, ink, 0.55);
    let y = frame.y_of(range.p50);
    canvas.line(&[(x - half, y), (x + half, y)], Ink::Strong, 8);
}

/// A number as an axis shows it.
fn label(value: f64) -> String {
    let size = value.abs();
    if size >= 1_000_000.0 {
        format!("{}M", trimmed(value / 1_000_000.0))
    } else if size >= 10_000.0 {
        format!("{}k", trimmed(value / 1_000.0))
    } else {
        trimmed(value)
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[expect(clippy::cast_possible_truncation, reason = "a cast from a float saturates, and pixels are few")]
fn whole(pixels: f64) -> i32 {
    pixels.round() as i32
}
