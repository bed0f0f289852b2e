//! A picture as data: panels beside each other, each with its axis and its series.

use backoff_core::Jitter;

/// A picture: one panel, or many small ones that are read side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What there is to see.
    pub title: String,
    /// How to read it, in a sentence.
    pub caption: String,
    /// The horizontal axis, the same in every panel.
    pub x: Axis,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// How many panels stand in a row where there is room.
    pub columns: usize,
}

/// One panel of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What is shown in it.
    pub title: String,
    /// A number to remember, or nothing.
    pub note: String,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first at the back.
    pub series: Vec<Series>,
    /// A horizontal line with its name, such as the capacity of a server.
    pub level: Option<(f64, String)>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures, with the unit.
    pub label: String,
    /// How it grows.
    pub scale: Scale,
    /// Its ends; on a logarithmic scale both above zero.
    pub range: (f64, f64),
}

/// How an axis grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// In equal steps.
    Linear,
    /// In equal steps, and only whole numbers are marked.
    Whole,
    /// In equal factors.
    Log,
}

/// One set of points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is called in a legend.
    pub name: String,
    /// Its colour, the same wherever the same thing is shown.
    pub colour: Colour,
    /// The points and how they are drawn.
    pub marks: Marks,
}

/// How points are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Counts in consecutive intervals; `x` is where an interval begins.
    Area(Vec<(f64, f64)>),
    /// A line through points.
    Line(Vec<(f64, f64)>),
    /// A bar for each `x` that shows how values are spread.
    Ranges(Vec<Range>),
}

/// How values are spread at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The place.
    pub x: f64,
    /// The smallest value.
    pub low: f64,
    /// A tenth of the values are below.
    pub p10: f64,
    /// Half of them are below.
    pub p50: f64,
    /// A tenth of them are above.
    pub p90: f64,
    /// The largest value.
    pub high: f64,
}

/// Colours that keep their meaning through every picture, and that colour-blind people can tell apart (Okabe and Ito).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// What goes wrong: no jitter, refused requests.
    Vermilion,
    /// What this library would choose: full jitter, served requests.
    Blue,
    /// Half of the way: equal jitter.
    Orange,
    /// For comparison: another rule.
    Green,
    /// Plain exponential backoff.
    Purple,
    /// One more.
    Sky,
    /// What is only context.
    Grey,
}

impl Colour {
    /// The colour of a jitter in every picture.
    ///
    /// ```
    /// use backoff_core::Jitter;
    /// use backoff_lab::report::Colour;
    /// assert_eq!(Colour::of(Jitter::Full), Colour::Blue);
    /// ```
    #[must_use]
    pub const fn of(jitter: Jitter) -> Self {
        match jitter {
            Jitter::None => Self::Vermilion,
            Jitter::Equal => Self::Orange,
            Jitter::Full => Self::Blue,
        }
    }
}

impl Axis {
    /// From `low` to `high` in equal steps.
    ///
    /// ```
    /// use backoff_lab::report::Axis;
    /// assert_eq!(Axis::linear("time, s", 0.0, 3.5).position(1.75), 0.5);
    /// ```
    #[must_use]
    pub fn linear(label: impl Into<String>, low: f64, high: f64) -> Self {
        Self { label: label.into(), scale: Scale::Linear, range: (low, high) }
    }

    /// Numbered things from 1 to `last`, with half a step of room at both ends.
    ///
    /// ```
    /// use backoff_lab::report::Axis;
    /// assert_eq!(Axis::numbers("retry", 3.0).ticks(10), [1.0, 2.0, 3.0]);
    /// ```
    #[must_use]
    pub fn numbers(label: impl Into<String>, last: f64) -> Self {
        Self { label: label.into(), scale: Scale::Whole, range: (0.5, last + 0.5) }
    }

    /// From zero to `high`, and on to the next round number.
    ///
    /// ```
    /// use backoff_lab::report::Axis;
    /// assert_eq!(Axis::up_to("sleep, s", 1.93).range, (0.0, 2.0));
    /// ```
    #[must_use]
    pub fn up_to(label: impl Into<String>, high: f64) -> Self {
        let step = round_step(high / 4.0);
        Self::linear(label, 0.0, (high / step - 1e-9).ceil().max(1.0) * step)
    }

    /// From `low` to `high` in equal factors.
    ///
    /// ```
    /// use backoff_lab::report::Axis;
    /// assert_eq!(Axis::log("time, s", 0.1, 10.0).position(1.0), 0.5);
    /// ```
    #[must_use]
    pub fn log(label: impl Into<String>, low: f64, high: f64) -> Self {
        Self { label: label.into(), scale: Scale::Log, range: (low, high) }
    }

    /// Where a value stands, from 0 at the lower end to 1 at the upper; values beyond an end stand at it.
    #[must_use]
    pub fn position(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        let share = match self.scale {
            Scale::Linear | Scale::Whole => (value - low) / (high - low),
            Scale::Log => (value.max(low) / low).ln() / (high / low).ln(),
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The values to mark, about `wanted` of them: round numbers, or powers of ten.
    ///
    /// ```
    /// use backoff_lab::report::Axis;
    /// assert_eq!(Axis::linear("", 0.0, 3.5).ticks(4), [0.0, 1.0, 2.0, 3.0]);
    /// assert_eq!(Axis::log("", 0.5, 200.0).ticks(4), [1.0, 10.0, 100.0]);
    /// ```
    #[must_use]
    pub fn ticks(&self, wanted: u32) -> Vec<f64> {
        let (low, high) = self.range;
        match self.scale {
            Scale::Log => decades(low, high),
            Scale::Linear | Scale::Whole => {
                let step = round_step((high - low) / f64::from(wanted.max(1)));
                let step = if self.scale == Scale::Whole { step.max(1.0) } else { step };
                let first = (low / step).ceil();
                let ticks = (0..=2 * wanted).map(|n| (first + f64::from(n)) * step);
                ticks.take_while(|tick| *tick <= high + step * 1e-9).collect()
            }
        }
    }
}

/// One, two or five times a power of ten, the nearest above `least`.
fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// Powers of ten; and where there are two of them or fewer, their doubles and fives as well.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let first = low.log10().ceil();
    let powers = (0_u32..40).map(|n| 10_f64.powf(first + f64::from(n)));
    let powers: Vec<f64> = powers.take_while(|power| *power <= high * (1.0 + 1e-9)).collect();
    if powers.len() > 2 {
        return powers;
    }
    let between =
        (0_u32..4).flat_map(|n| [1.0, 2.0, 5.0].map(|factor| factor * 10_f64.powf(first - 1.0 + f64::from(n))));
    between.filter(|tick| (low..=high * (1.0 + 1e-9)).contains(tick)).collect()
}

impl Marks {
    /// The points as pairs; of ranges, the middle.
    #[must_use]
    pub fn pairs(&self) -> Vec<(f64, f64)> {
        match self {
            Self::Area(points) | Self::Line(points) => points.clone(),
            Self::Ranges(ranges) => ranges.iter().map(|range| (range.x, range.p50)).collect(),
        }
    }
}
