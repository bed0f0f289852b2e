//! What to write instead of a text that is not a duration.

use super::error::{DurationError, Fault};
use super::parse;
use crate::sentence::Sentence;
use crate::suggest;

/// Words that people write for a unit, and the unit.
const LONG_UNITS: &[(&str, &str)] = &[
    ("hr", "h"),
    ("hrs", "h"),
    ("hour", "h"),
    ("hours", "h"),
    ("min", "m"),
    ("mins", "m"),
    ("minute", "m"),
    ("minutes", "m"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("msec", "ms"),
    ("msecs", "ms"),
    ("milli", "ms"),
    ("millis", "ms"),
    ("millisecond", "ms"),
    ("milliseconds", "ms"),
    ("micros", "us"),
    ("microsecond", "us"),
    ("microseconds", "us"),
    ("nanos", "ns"),
    ("nanosecond", "ns"),
    ("nanoseconds", "ns"),
];

const SHORT_UNITS: &[&str] = &["ms", "us", "ns", "h", "m", "s"];

/// The units that a lone number most likely lacks, one with a fraction, and those that a number after another part does.
const FRACTION: &[&str] = &["s", "m", "h"];
const LONE: &[&str] = &["ms", "s", "m", "h"];
const AFTER_OTHERS: &[&str] = &["m", "s", "ms", "us", "ns"];

/// The text that was meant, if it is clear: always one that is a duration.
pub(super) const fn proposal(error: &DurationError, fault: Fault) -> Option<Sentence> {
    let Some((before, part, after)) = error.around() else { return None };
    match fault {
        Fault::EmptyFraction => duration([before, all_but_last(part), after, ""]),
        Fault::EmptyWhole => duration([before, "0", part, after]),
        Fault::NoUnit => {
            let units = if !before.is_empty() {
                AFTER_OTHERS
            } else if has_point(part) {
                FRACTION
            } else {
                LONE
            };
            first_duration(before, part, units, after)
        }
        Fault::Order => duration([part, " ", before.trim_ascii(), after]),
        Fault::Space => {
            let (before, after) = (before.trim_ascii(), after.trim_ascii());
            duration([before, if before.is_empty() || after.is_empty() { "" } else { " " }, after, ""])
        }
        Fault::SpaceBeforeUnit => match duration([before, after, "", ""]) {
            Some(text) => Some(text),
            None => with_unit(before, after, ""),
        },
        Fault::UnknownUnit => with_unit(before, part, after),
        _ => None,
    }
}

const fn has_point(number: &str) -> bool {
    let mut i = 0;
    while i < number.len() {
        if number.as_bytes()[i] == b'.' {
            return true;
        }
        i += 1;
    }
    false
}

/// The text without its last byte, which has to be an ASCII character.
const fn all_but_last(text: &str) -> &str {
    let (head, _) = text.as_bytes().split_at(text.len() - 1);
    match core::str::from_utf8(head) {
        Ok(head) => head,
        Err(_) => text,
    }
}

const fn duration(parts: [&str; 4]) -> Option<Sentence> {
    let text = Sentence::new().text(parts[0]).text(parts[1]).text(parts[2]).text(parts[3]);
    match parse(text.as_str()) {
        // No field accepts zero.
        Ok(duration) if !duration.is_zero() => Some(text),
        _ => None,
    }
}

const fn first_duration(before: &str, number: &str, units: &[&str], after: &str) -> Option<Sentence> {
    let mut i = 0;
    while i < units.len() {
        if let Some(text) = duration([before, number, units[i], after]) {
            return Some(text);
        }
        i += 1;
    }
    None
}

const fn with_unit(before: &str, word: &str, after: &str) -> Option<Sentence> {
    match unit_meant(word) {
        Some(unit) => duration([before, unit, after, ""]),
        None => None,
    }
}

const fn unit_meant(word: &str) -> Option<&'static str> {
    match word.as_bytes() {
        // a decimal comma, or digits in groups
        b"," => return Some("."),
        b"_" => return Some(""),
        // a list
        [.., b','] => return unit_meant(all_but_last(word)),
        _ => {}
    }
    let mut i = 0;
    while i < LONG_UNITS.len() {
        if suggest::same(word, LONG_UNITS[i].0) {
            return Some(LONG_UNITS[i].1);
        }
        i += 1;
    }
    let mut i = 0;
    while i < SHORT_UNITS.len() {
        if suggest::same(word, SHORT_UNITS[i]) {
            return Some(SHORT_UNITS[i]);
        }
        i += 1;
    }
    // Every single letter is one slip away from a unit.
    if word.len() > 1 { suggest::nearest(word, SHORT_UNITS) } else { None }
}
