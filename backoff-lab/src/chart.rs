//! Pictures for a terminal, in block characters.

mod bars;
mod strips;

use console::Style;

use crate::report::{Colour, Figure, Marks};

/// A terminal, as far as pictures are concerned.
///
/// ```
/// use backoff_lab::chart::Terminal;
/// let file = Terminal { width: 80, colours: false };
/// assert!(!file.colours);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// How many characters fit into a line.
    pub width: usize,
    /// Whether it understands codes for colours.
    pub colours: bool,
}

impl Terminal {
    /// What standard output is: as wide as its window, with colours unless `NO_COLOR` is set; or 100 characters without
    /// colours, if it is a file or a pipe.
    #[must_use]
    pub fn of_stdout() -> Self {
        let terminal = console::Term::stdout();
        let width = terminal.size_checked().map_or(100, |(_, columns)| usize::from(columns));
        Self { width: width.clamp(40, 160), colours: terminal.is_term() && console::colors_enabled() }
    }
}

/// A picture in characters. Counts over time become strips, few points become bars.
///
/// ```
/// use backoff_lab::chart::{self, Terminal};
/// use backoff_lab::report::{Axis, Colour, Figure, Marks, Panel, Series};
///
/// let waves = Marks::Area((0..14).map(|at| (f64::from(at), [10.0, 0.0, 5.0, 1.0][at as usize % 4])).collect());
/// let series = Series { name: "arrivals".into(), colour: Colour::Blue, marks: waves };
/// let y = Axis::linear("arrivals", 0.0, 10.0);
/// let panel = Panel { title: "full".into(), note: "peak 5".into(), y, series: vec![series], level: None };
/// let x = Axis::linear("time, s", 0.0, 14.0);
/// let figure = Figure { title: "Waves".into(), caption: String::new(), x, panels: vec![panel], columns: 1 };
/// let picture = chart::text(&figure, Terminal { width: 29, colours: false });
/// assert_eq!(picture, "\
/// Waves
///       █   █   █   █
/// full  █ █▂█ █▂█ █▂█   peak 5
///       0
///       time, s
/// ");
/// ```
#[must_use]
pub fn text(figure: &Figure, terminal: Terminal) -> String {
    let has_areas = figure
        .panels
        .iter()
        .flat_map(|panel| &panel.series)
        .any(|series| matches!(&series.marks, Marks::Area(points) | Marks::Line(points) if points.len() > 12));
    let has_ranges =
        figure.panels.iter().flat_map(|panel| &panel.series).any(|series| matches!(series.marks, Marks::Ranges(_)));
    let mut text = String::new();
    // The caption of ranges explains a picture that looks different here.
    let caption = if has_ranges { bars::SHADES } else { &figure.caption };
    for line in [&figure.title, caption] {
        if !line.is_empty() {
            text.push_str(&wrapped(line, terminal.width));
        }
    }
    if has_areas {
        strips::draw(figure, terminal, &mut text);
    } else {
        bars::draw(figure, terminal, &mut text);
    }
    text
}

/// A text in the colour of a series.
fn painted(text: &str, colour: Colour, terminal: Terminal) -> String {
    let number = match colour {
        Colour::Vermilion => 166,
        Colour::Blue => 32,
        Colour::Orange => 214,
        Colour::Green => 36,
        Colour::Purple => 170,
        Colour::Sky => 117,
        Colour::Grey => 245,
    };
    if terminal.colours {
        Style::new().color256(number).force_styling(true).apply_to(text).to_string()
    } else {
        text.to_owned()
    }
}

/// A number of characters out of so many.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share between 0 and 1, clamped before")]
fn part_of(share: f64, whole: usize) -> usize {
    let whole = u32::try_from(whole).unwrap_or(u32::MAX);
    (share.clamp(0.0, 1.0) * f64::from(whole)).round() as usize
}

/// Whole words in lines, those after the first indented.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut wrapped = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let needed = console::measure_text_width(word);
        if used > 0 && used + 1 + needed > width {
            wrapped.push_str("\n  ");
            used = 2;
        } else if used > 0 {
            wrapped.push(' ');
            used += 1;
        }
        wrapped.push_str(word);
        used += needed;
    }
    wrapped.push('\n');
    wrapped
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn words_stay_whole() {
        assert_eq!(wrapped("one two three", 8), "one two\n  three\n");
        assert_eq!(wrapped("a-long-word b", 4), "a-long-word\n  b\n");
    }
}
