//! What is left of a budget, in a header: so that a service does not work on for a caller that has given up.
//!
//! The time that is left travels, not the moment at which it ends: two machines need not agree on what time it is.

use std::fmt::Write as _;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};

/// Units of `grpc-timeout`, the finest first, in nanoseconds.
const UNITS: [(char, u128); 6] =
    [('n', 1), ('u', 1_000), ('m', 1_000_000), ('S', 1_000_000_000), ('M', 60_000_000_000), ('H', 3_600_000_000_000)];

/// No `grpc-timeout` has more digits.
const DIGITS: usize = 8;

/// A header that tells a service how much time is left for it.
///
/// ```
/// use backoff_http::deadline::DeadlineHeader;
/// use http::HeaderMap;
/// use std::time::Duration;
///
/// const HEADER: DeadlineHeader = DeadlineHeader::millis("x-time-left-ms");
/// let mut headers = HeaderMap::new();
/// HEADER.write(&mut headers, Duration::from_millis(1_500));
/// assert_eq!(headers["x-time-left-ms"], "1500");
/// assert_eq!(HEADER.read(&headers), Some(Duration::from_millis(1_500)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadlineHeader {
    name: &'static str,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Millis,
    Grpc,
}

impl DeadlineHeader {
    /// `grpc-timeout`, as gRPC has it: up to eight digits and a unit.
    ///
    /// ```
    /// # use backoff_http::deadline::DeadlineHeader;
    /// # use http::HeaderMap;
    /// # use std::time::Duration;
    /// let mut headers = HeaderMap::new();
    /// DeadlineHeader::grpc().write(&mut headers, Duration::from_secs(100));
    /// assert_eq!(headers["grpc-timeout"], "100000m");
    /// ```
    #[must_use]
    pub const fn grpc() -> Self {
        Self { name: "grpc-timeout", format: Format::Grpc }
    }

    /// A header of this name, in lower case, with whole milliseconds.
    ///
    /// ```
    /// # use backoff_http::deadline::DeadlineHeader;
    /// assert_eq!(DeadlineHeader::millis("x-time-left-ms").name(), "x-time-left-ms");
    /// ```
    #[must_use]
    pub const fn millis(name: &'static str) -> Self {
        Self { name, format: Format::Millis }
    }

    /// The name of the header.
    ///
    /// ```
    /// # use backoff_http::deadline::DeadlineHeader;
    /// assert_eq!(DeadlineHeader::grpc().name(), "grpc-timeout");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Writes the time that is left, rounded down, in place of what was there. Nothing left is written as the shortest time
    /// there is: to some servers, zero means no limit.
    ///
    /// # Panics
    /// If the name is not one that a header can have, in lower case.
    ///
    /// ```
    /// # use backoff_http::deadline::DeadlineHeader;
    /// # use http::HeaderMap;
    /// # use std::time::Duration;
    /// let mut headers = HeaderMap::new();
    /// DeadlineHeader::grpc().write(&mut headers, Duration::ZERO);
    /// assert_eq!(headers["grpc-timeout"], "1n");
    /// ```
    pub fn write(self, headers: &mut HeaderMap, left: Duration) {
        let mut text = String::new();
        let written = match self.format {
            Format::Millis => write!(text, "{}", left.as_millis().max(1)),
            Format::Grpc => {
                let (count, unit) = grpc(left.as_nanos().max(1));
                write!(text, "{count}{unit}")
            }
        };
        written.expect("a string can be written to");
        let value = HeaderValue::try_from(text).expect("digits and a letter are a header value");
        headers.insert(HeaderName::from_static(self.name), value);
    }

    /// The time that is left, for the service that was called. None if there is no such header or it makes no sense. Never
    /// panics.
    ///
    /// ```
    /// # use backoff_http::deadline::DeadlineHeader;
    /// # use http::HeaderMap;
    /// # use std::time::Duration;
    /// let mut headers = HeaderMap::new();
    /// headers.insert("grpc-timeout", "90S".parse().unwrap());
    /// assert_eq!(DeadlineHeader::grpc().read(&headers), Some(Duration::from_secs(90)));
    /// ```
    #[must_use]
    pub fn read(self, headers: &HeaderMap) -> Option<Duration> {
        let value = headers.get(self.name)?.as_bytes();
        match self.format {
            Format::Millis => crate::hint::number(value).map(Duration::from_millis),
            Format::Grpc => {
                let (unit, digits) = value.split_last()?;
                let unit = UNITS.iter().find(|(name, _)| *name == char::from(*unit))?.1;
                let count = crate::hint::number(digits).filter(|_| digits.len() <= DIGITS)?;
                let nanos = u128::from(count) * unit;
                Some(Duration::new(
                    u64::try_from(nanos / 1_000_000_000).ok()?,
                    u32::try_from(nanos % 1_000_000_000).ok()?,
                ))
            }
        }
    }
}

/// The finest unit in which the time fits, and how many of it.
fn grpc(nanos: u128) -> (u128, char) {
    const MOST: u128 = 10_u128.pow(8) - 1;
    let fits = UNITS.iter().find(|(_, unit)| nanos / unit <= MOST);
    fits.map_or((MOST, 'H'), |(name, unit)| (nanos / unit, *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grpc_timeouts_are_as_fine_as_eight_digits_allow() {
        for (left, text) in [
            (Duration::from_nanos(1), "1n"),
            (Duration::from_nanos(99_999_999), "99999999n"),
            (Duration::from_millis(100), "100000u"),
            (Duration::from_millis(3_500), "3500000u"),
            (Duration::from_nanos(3_500_000_999), "3500000u"),
            (Duration::from_secs(99_999_999), "99999999S"),
            (Duration::from_secs(100_000_000), "1666666M"),
            (Duration::MAX, "99999999H"),
        ] {
            let mut headers = HeaderMap::new();
            DeadlineHeader::grpc().write(&mut headers, left);
            assert_eq!(headers["grpc-timeout"], text);
            assert!(DeadlineHeader::grpc().read(&headers).unwrap() <= left);
        }
    }

    #[test]
    fn every_unit_is_read_as_what_it_is() {
        for (text, nanos) in [
            ("7H", 25_200_000_000_000),
            ("7M", 420_000_000_000),
            ("7S", 7_000_000_000),
            ("1500m", 1_500_000_000),
            ("7u", 7_000),
            ("7n", 7),
        ] {
            let headers = HeaderMap::from_iter([("grpc-timeout".parse().unwrap(), HeaderValue::from_static(text))]);
            assert_eq!(DeadlineHeader::grpc().read(&headers), Some(Duration::from_nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn whole_milliseconds_are_written_and_read_under_the_name_that_was_given() {
        let header = DeadlineHeader::millis("x-time-left-ms");
        assert_eq!((header.name(), DeadlineHeader::grpc().name()), ("x-time-left-ms", "grpc-timeout"));
        let mut headers = HeaderMap::new();
        for (nanos, text) in [(0, "1"), (1_999_999, "1"), (1_500_000_000, "1500")] {
            header.write(&mut headers, Duration::from_nanos(nanos));
            assert_eq!(headers["x-time-left-ms"], text);
        }
        assert_eq!(header.read(&headers), Some(Duration::from_millis(1_500)));
    }

    #[test]
    fn what_makes_no_sense_is_none() {
        for text in ["", "S", "9", "123456789S", "-1S", "1s", "1.5S", "1 S"] {
            let headers = HeaderMap::from_iter([("grpc-timeout".parse().unwrap(), HeaderValue::from_static(text))]);
            assert_eq!(DeadlineHeader::grpc().read(&headers), None, "{text}");
        }
    }
}
