//! The other direction: a duration as text that [`parse`](super::parse) reads back.

use core::fmt;
use core::time::Duration;

use crate::sentence::Sentence;

/// A duration that prints in the grammar of [`parse`](super::parse), exact to the nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationText(Duration);

/// Wraps a duration so that it prints as `200ms`, `3.5s` or `1m 30s`.
///
/// ```
/// use backoff_policy::duration::text;
/// use core::time::Duration;
/// assert_eq!(text(Duration::from_millis(3_500)).to_string(), "3.5s");
/// assert_eq!(text(Duration::from_nanos(1_012_500)).to_string(), "1.0125ms");
/// assert_eq!(text(Duration::from_secs(5_400)).to_string(), "1h 30m");
/// ```
#[must_use]
pub const fn text(duration: Duration) -> DurationText {
    DurationText(duration)
}

impl fmt::Display for DurationText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&write(Sentence::new(), self.0), f)
    }
}

pub(crate) const fn write(sentence: Sentence, duration: Duration) -> Sentence {
    let seconds = duration.as_secs();
    let nanos = duration.subsec_nanos() as u128;
    if seconds == 0 {
        return match nanos {
            0 => sentence.text("0s"),
            1..1_000 => sentence.number(nanos).text("ns"),
            1_000..1_000_000 => sentence.decimal(nanos / 1_000, nanos % 1_000, 3).text("us"),
            _ => sentence.decimal(nanos / 1_000_000, nanos % 1_000_000, 6).text("ms"),
        };
    }
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let mut sentence = sentence;
    if hours > 0 {
        sentence = sentence.number(hours as u128).text("h");
    }
    if minutes > 0 {
        sentence = if hours > 0 { sentence.text(" ") } else { sentence };
        sentence = sentence.number(minutes as u128).text("m");
    }
    if rest > 0 || nanos > 0 {
        sentence = if seconds >= 60 { sentence.text(" ") } else { sentence };
        sentence = sentence.decimal(rest as u128, nanos, 9).text("s");
    }
    sentence
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use alloc::string::ToString as _;
    use core::time::Duration;

    use super::text;
    use crate::duration::parse;

    #[test]
    fn every_text_reads_back_as_the_same_duration() {
        let cases = [
            (Duration::ZERO, "0s"),
            (Duration::from_nanos(1), "1ns"),
            (Duration::from_nanos(999), "999ns"),
            (Duration::from_nanos(1_001), "1.001us"),
            (Duration::from_micros(250), "250us"),
            (Duration::from_nanos(1_000_001), "1.000001ms"),
            (Duration::from_millis(200), "200ms"),
            (Duration::from_millis(1_500), "1.5s"),
            (Duration::new(60, 1), "1m 0.000000001s"),
            (Duration::from_secs(300), "5m"),
            (Duration::from_secs(3_661), "1h 1m 1s"),
            (Duration::from_secs(3_601), "1h 1s"),
            (Duration::MAX, "5124095576030431h 15.999999999s"),
        ];
        for (duration, expected) in cases {
            assert_eq!(text(duration).to_string(), expected);
            assert_eq!(parse(expected), Ok(duration), "{expected}");
        }
    }
}
