//! Durations in text: `200ms`, `3.5s`, `1m 30s`.
//!
//! ```text
//! duration = part *( [" "] part )      largest unit first, each unit once
//! part     = 1*DIGIT ["." 1*DIGIT] unit      a fraction only on the last part
//! unit     = "h" / "m" / "s" / "ms" / "us" / "µs" / "μs" / "ns"
//! ```
//!
//! The value is exact in nanoseconds or it is refused: `0.1ns` is an error, not zero, and so is anything longer than
//! [`Duration::MAX`]. No sign, no exponent, nothing before or after. [`parse`] works in constants.

mod error;
mod format;
mod proposal;

use core::time::Duration;

pub use error::DurationError;
pub(crate) use format::write;
pub use format::{DurationText, text};

use error::Fault;

/// The units, largest first, with their length in nanoseconds. Both signs for micro are accepted.
const UNITS: [(&str, u128); 8] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ns", 1),
];

/// More digits than any exact fraction of an hour needs; the rest can only be zeros.
const FRACTION_DIGITS: usize = 18;

/// Reads a duration.
///
/// # Errors
/// When the text is not of the grammar above, not a whole number of nanoseconds, or longer than [`Duration::MAX`]. The
/// error quotes the faulty part and proposes what to write.
///
/// ```
/// use backoff_policy::duration::parse;
/// use core::time::Duration;
/// assert_eq!(parse("1m 30s"), Ok(Duration::from_secs(90)));
/// assert_eq!(parse("1.5h"), Ok(Duration::from_secs(5_400)));
/// assert_eq!(
///     parse("0.1ns").unwrap_err().to_string(),
///     "`0.1ns` is not a duration: `0.1ns` is not a whole number of nanoseconds, write fewer digits after the point"
/// );
/// ```
pub const fn parse(text: &str) -> Result<Duration, DurationError> {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return Err(DurationError::new(text, 0, 0, Fault::Empty));
    }
    let mut total: u128 = 0;
    let mut position = 0;
    let mut previous: Option<Part> = None;
    while position < bytes.len() {
        if bytes[position] == b' ' {
            let between = previous.is_some() && position + 1 < bytes.len() && bytes[position + 1] != b' ';
            if !between {
                return Err(DurationError::new(text, position, position + 1, Fault::Space));
            }
            position += 1;
        }
        let part = match read_part(text, position) {
            Ok(part) => part,
            Err(error) => return Err(error),
        };
        if let Some(previous) = &previous {
            if previous.has_fraction {
                return Err(DurationError::new(text, previous.start, previous.end, Fault::FractionNotLast));
            }
            if part.unit == previous.unit {
                return Err(DurationError::new(text, position, part.end, Fault::Repeated));
            }
            if part.unit > previous.unit {
                return Err(DurationError::new(text, position, part.end, Fault::Order));
            }
        }
        total = match total.checked_add(part.nanos) {
            Some(total) if total <= Duration::MAX.as_nanos() => total,
            _ => return Err(DurationError::new(text, 0, text.len(), Fault::TooLong)),
        };
        position = part.end;
        previous = Some(part);
    }
    Ok(from_nanos(total))
}

/// A duration of that many nanoseconds, at most [`Duration::MAX`].
///
/// ```
/// use backoff_policy::duration::from_nanos;
/// use core::time::Duration;
/// assert_eq!(from_nanos(1_500_000_000), Duration::from_millis(1_500));
/// assert_eq!(from_nanos(u128::MAX), Duration::MAX);
/// ```
#[must_use]
#[inline]
pub const fn from_nanos(nanos: u128) -> Duration {
    #[expect(clippy::cast_possible_truncation, reason = "each branch has checked that it fits")]
    if nanos <= u64::MAX as u128 {
        Duration::from_nanos(nanos as u64)
    } else if nanos <= Duration::MAX.as_nanos() {
        Duration::new((nanos / 1_000_000_000) as u64, (nanos % 1_000_000_000) as u32)
    } else {
        Duration::MAX
    }
}

struct Part {
    nanos: u128,
    unit: u128,
    has_fraction: bool,
    start: usize,
    end: usize,
}

const fn read_part(text: &str, start: usize) -> Result<Part, DurationError> {
    let bytes = text.as_bytes();
    let point = digits_end(bytes, start);
    if point == start {
        return Err(no_number(text, start));
    }
    let mut number_end = point;
    let has_fraction = point < bytes.len() && bytes[point] == b'.';
    if has_fraction {
        number_end = digits_end(bytes, point + 1);
        if number_end == point + 1 {
            return Err(DurationError::new(text, start, number_end, Fault::EmptyFraction));
        }
    }
    let end = unit_end(bytes, number_end);
    let Some(unit) = find_unit(bytes, number_end, end) else {
        return Err(no_unit(text, start, number_end, end));
    };
    let whole = match number(bytes, start, point) {
        Some(whole) => whole.checked_mul(unit),
        None => None,
    };
    let Some(whole) = whole else {
        return Err(DurationError::new(text, start, end, Fault::TooLong));
    };
    let fraction = if has_fraction { fraction(bytes, point + 1, number_end, unit) } else { Some(0) };
    let Some(fraction) = fraction else {
        return Err(DurationError::new(text, start, end, Fault::TooFine));
    };
    match whole.checked_add(fraction) {
        Some(nanos) => Ok(Part { nanos, unit, has_fraction, start, end }),
        None => Err(DurationError::new(text, start, end, Fault::TooLong)),
    }
}

const fn digits_end(bytes: &[u8], mut position: usize) -> usize {
    while position < bytes.len() && bytes[position].is_ascii_digit() {
        position += 1;
    }
    position
}

/// A unit ends where the next number, a space or a point begins.
const fn unit_end(bytes: &[u8], mut position: usize) -> usize {
    while position < bytes.len() && !bytes[position].is_ascii_digit() && !matches!(bytes[position], b' ' | b'.') {
        position += 1;
    }
    position
}

const fn find_unit(bytes: &[u8], start: usize, end: usize) -> Option<u128> {
    let mut i = 0;
    while i < UNITS.len() {
        if equal(bytes, start, end, UNITS[i].0.as_bytes()) {
            return Some(UNITS[i].1);
        }
        i += 1;
    }
    None
}

const fn equal(bytes: &[u8], start: usize, end: usize, word: &[u8]) -> bool {
    if end - start != word.len() {
        return false;
    }
    let mut i = 0;
    while i < word.len() {
        if bytes[start + i] != word[i] {
            return false;
        }
        i += 1;
    }
    true
}

const fn number(bytes: &[u8], start: usize, end: usize) -> Option<u128> {
    let mut number: u128 = 0;
    let mut i = start;
    while i < end {
        number = match number.checked_mul(10) {
            Some(tens) => tens + (bytes[i] - b'0') as u128,
            None => return None,
        };
        if number > Duration::MAX.as_nanos() {
            return None;
        }
        i += 1;
    }
    Some(number)
}

/// The digits after the point in nanoseconds, or nothing if that is not a whole number.
const fn fraction(bytes: &[u8], start: usize, mut end: usize, unit: u128) -> Option<u128> {
    while end > start && bytes[end - 1] == b'0' {
        end -= 1;
    }
    if end - start > FRACTION_DIGITS {
        return None;
    }
    let mut scale: u128 = 1;
    let mut i = start;
    while i < end {
        scale *= 10;
        i += 1;
    }
    let Some(digits) = number(bytes, start, end) else { return None };
    let nanos = digits * unit;
    if nanos % scale == 0 { Some(nanos / scale) } else { None }
}

const fn no_number(text: &str, start: usize) -> DurationError {
    let bytes = text.as_bytes();
    match bytes[start] {
        b'-' => DurationError::new(text, start, text.len(), Fault::Negative),
        b'+' => DurationError::new(text, start, text.len(), Fault::Plus),
        b'.' => DurationError::new(text, start, text.len(), Fault::EmptyWhole),
        _ => {
            let end = unit_end(bytes, start);
            DurationError::new(text, start, end, Fault::NoNumber)
        }
    }
}

const fn no_unit(text: &str, start: usize, number_end: usize, end: usize) -> DurationError {
    let bytes = text.as_bytes();
    if end == number_end {
        let then_space = end < bytes.len() && bytes[end] == b' ';
        if then_space && end + 1 < bytes.len() && !bytes[end + 1].is_ascii_digit() {
            return DurationError::new(text, end, end + 1, Fault::SpaceBeforeUnit);
        }
        if end < bytes.len() && bytes[end] == b'.' {
            return DurationError::new(text, start, digits_end(bytes, end + 1), Fault::SecondPoint);
        }
        return DurationError::new(text, start, end, Fault::NoUnit);
    }
    if matches!(bytes[number_end], b'e' | b'E') && end < bytes.len() && bytes[end].is_ascii_digit() {
        return DurationError::new(text, start, text.len(), Fault::Exponent);
    }
    DurationError::new(text, number_end, end, Fault::UnknownUnit)
}
