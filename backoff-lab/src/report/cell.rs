//! One value of a table: short for a reader, exact for a file.

use std::fmt;
use std::time::Duration;

use backoff_policy::duration::{self, text};

/// A value in a table.
///
/// Prints short; [`Cell::exact`] is what a CSV file holds.
///
/// ```
/// use backoff_lab::report::Cell;
/// use std::time::Duration;
/// let cell = Cell::Duration(Duration::from_nanos(183_271_844));
/// assert_eq!(cell.to_string(), "183ms");
/// assert_eq!(cell.exact(), "0.183271844");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A number, shown with two decimals below ten and fewer above.
    Number(f64),
    /// A part of one, shown in per cent.
    Share(f64),
    /// A time, shown with three significant digits; in a file, in seconds.
    Duration(Duration),
    /// Nothing: there is no such value.
    Empty,
}

impl Cell {
    /// The value as it goes into a file: times in seconds, shares as parts of one, nothing as an empty field.
    #[must_use]
    pub fn exact(&self) -> String {
        match self {
            Self::Text(words) => words.clone(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) | Self::Share(number) => number.to_string(),
            Self::Duration(duration) => seconds(*duration),
            Self::Empty => String::new(),
        }
    }

    /// Whether it stands at the left of its column, as words do.
    #[must_use]
    pub const fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// A time if there is one.
    #[must_use]
    pub fn duration(duration: Option<Duration>) -> Self {
        duration.map_or(Self::Empty, Self::Duration)
    }
}

impl From<&str> for Cell {
    fn from(words: &str) -> Self {
        Self::Text(words.to_owned())
    }
}

impl From<String> for Cell {
    fn from(words: String) -> Self {
        Self::Text(words)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(words) => f.pad(words),
            Self::Count(count) => f.pad(&grouped(*count)),
            Self::Number(number) if number.abs() < 10.0 => f.pad(&format!("{number:.2}")),
            Self::Number(number) if number.abs() < 100.0 => f.pad(&format!("{number:.1}")),
            Self::Number(number) => f.pad(&format!("{number:.0}")),
            Self::Share(share) => f.pad(&format!("{:.1} %", share * 100.0)),
            Self::Duration(duration) => f.pad(&short(*duration)),
            Self::Empty => f.pad("-"),
        }
    }
}

/// A time with three significant digits, or from a minute on to the tenth of a second, and from an hour on to the second.
///
/// ```
/// use backoff_lab::report::short;
/// use std::time::Duration;
/// assert_eq!(short(Duration::from_nanos(1_234_567)), "1.23ms");
/// assert_eq!(short(Duration::from_millis(59_960)), "1m");
/// ```
#[must_use]
pub fn short(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let digits = nanos.checked_ilog10().map_or(1, |log| log + 1);
    let step = match duration.as_secs() {
        0..60 => 10_u128.pow(digits.saturating_sub(3)),
        60..3_600 => 100_000_000,
        _ => 1_000_000_000,
    };
    text(duration::from_nanos((nanos + step / 2) / step * step)).to_string()
}

/// Thousands apart, so that a million is not mistaken for a hundred thousand.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Seconds without loss and without zeros that say nothing.
fn seconds(duration: Duration) -> String {
    let all = format!("{}.{:09}", duration.as_secs(), duration.subsec_nanos());
    all.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Cell, grouped};
    use std::time::Duration;

    #[test]
    fn numbers_are_short_for_a_reader_and_whole_in_a_file() {
        for (cell, shown, exact) in [
            (Cell::Count(1_234_567), "1,234,567", "1234567"),
            (Cell::Number(7.951), "7.95", "7.951"),
            (Cell::Number(24.1362), "24.1", "24.1362"),
            (Cell::Number(496.4), "496", "496.4"),
            (Cell::Share(0.9665), "96.7 %", "0.9665"),
            (Cell::Duration(Duration::ZERO), "0s", "0"),
            (Cell::Duration(Duration::from_millis(64_025)), "1m 4s", "64.025"),
            (Cell::Duration(Duration::from_millis(5_025_550)), "1h 23m 46s", "5025.55"),
            (Cell::Empty, "-", ""),
        ] {
            assert_eq!((cell.to_string().as_str(), cell.exact().as_str()), (shown, exact));
        }
        assert_eq!(grouped(100), "100");
    }
}
