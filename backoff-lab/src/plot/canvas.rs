//! A sheet to draw on, in pixels, a quarter of one fine.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::element::{PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontStyle, ShapeStyle, TextStyle};

use super::palette::{self, Ink};

/// The backend knows whole numbers only, so it draws four times as large as the picture is shown.
const FINE: i32 = 4;
/// The backend shrinks fonts by this.
const FONT: f64 = 1.24;
const FAMILY: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

pub(super) type Problem = DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>;

/// Where a text stands against its point, which is at its top.
#[derive(Clone, Copy)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// The sheet. What is drawn is kept until [`Canvas::finish`], because the backend borrows its buffer.
pub(super) struct Canvas {
    width: i32,
    height: i32,
    shapes: Vec<Shape>,
}

enum Shape {
    Text(Text<'static, (i32, i32), String>),
    Rectangle(Rectangle<(i32, i32)>),
    Path(PathElement<(i32, i32)>),
    Polygon(Polygon<(i32, i32)>),
}

impl Canvas {
    pub(super) const fn new(width: i32, height: i32) -> Self {
        Self { width, height, shapes: Vec::new() }
    }

    pub(super) fn text(&mut self, at: (i32, i32), text: &str, size: i32, ink: Ink, align: Align) {
        let position = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let weight = if size > 12 { FontStyle::Bold } else { FontStyle::Normal };
        let mut style =
            TextStyle::from((FAMILY, f64::from(size * FINE) * FONT, weight)).pos(Pos::new(position, VPos::Top));
        style.color = ink.light().to_backend_color();
        self.shapes.push(Shape::Text(Text::new(text.to_owned(), fine(at), style)));
    }

    pub(super) fn rectangle(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink, opacity: f64) {
        self.shapes.push(Shape::Rectangle(Rectangle::new([exact(from), exact(to)], filled(ink, opacity))));
    }

    pub(super) fn line(&mut self, points: &[(f64, f64)], ink: Ink, width: u32) {
        let style = ink.light().stroke_width(width);
        self.shapes.push(Shape::Path(PathElement::new(points.iter().copied().map(exact).collect::<Vec<_>>(), style)));
    }

    pub(super) fn polygon(&mut self, points: &[(f64, f64)], ink: Ink, opacity: f64) {
        let points: Vec<_> = points.iter().copied().map(exact).collect();
        self.shapes.push(Shape::Polygon(Polygon::new(points, filled(ink, opacity))));
    }

    /// The picture as text, at its own size.
    pub(super) fn finish(self) -> Result<String, Problem> {
        let Self { width, height, shapes } = self;
        let (fine_width, fine_height) = ((width * FINE).unsigned_abs(), (height * FINE).unsigned_abs());
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, (fine_width, fine_height)).into_drawing_area();
            area.fill(&Ink::Paper.light())?;
            for shape in &shapes {
                match shape {
                    Shape::Text(text) => area.draw(text)?,
                    Shape::Rectangle(rectangle) => area.draw(rectangle)?,
                    Shape::Path(path) => area.draw(path)?,
                    Shape::Polygon(polygon) => area.draw(polygon)?,
                }
            }
            area.present()?;
        }
        let large = format!("<svg width=\"{fine_width}\" height=\"{fine_height}\"");
        Ok(text.replacen(&large, &format!("<svg width=\"{width}\" height=\"{height}\""), 1).replacen(
            ">\n",
            &format!(">\n{}\n", palette::dark()),
            1,
        ))
    }
}

fn filled(ink: Ink, opacity: f64) -> ShapeStyle {
    ink.light().mix(opacity).filled()
}

const fn fine((x, y): (i32, i32)) -> (i32, i32) {
    (x * FINE, y * FINE)
}

fn exact((x, y): (f64, f64)) -> (i32, i32) {
    #[expect(clippy::cast_possible_truncation, reason = "a cast from a float saturates, and pixels are few")]
    let whole = |pixels: f64| (pixels * f64::from(FINE)).round() as i32;
    (whole(x), whole(y))
}
