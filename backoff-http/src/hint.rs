//! What a server says about when to come back: `Retry-After`, and the headers of vendors for those who ask for them.

mod date;
mod vendor;

use std::time::{Duration, SystemTime};

use backoff_core::RetryAfter;
use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};

pub use vendor::{Advice, Vendor, VendorHints};

/// No wish of a server is longer. A longer value is an accident, and counts as none.
const LONGEST: usize = 64;

/// Reads a value of `Retry-After`: a number of seconds, or one of the three dates of HTTP.
///
/// `now` is the present on the server's clock. Spaces and tabs around the value are ignored; anything else that RFC 9110
/// does not allow makes it none: signs, fractions, exponents, lists, other zones than GMT, and more than 64 bytes. A
/// number that is too large saturates, a date that has passed is a hint of zero. Never panics, never allocates.
///
/// ```
/// use backoff_http::hint::parse_retry_after;
/// use std::time::{Duration, SystemTime};
///
/// let epoch = SystemTime::UNIX_EPOCH;
/// let seconds = |value: &str| parse_retry_after(value.as_bytes(), epoch).map(|hint| hint.delay().as_secs());
/// assert_eq!(seconds("120"), Some(120));
/// assert_eq!(seconds("Thu, 01 Jan 1970 00:01:30 GMT"), Some(90));
/// assert_eq!(seconds("1.5"), None);
/// ```
#[must_use]
pub fn parse_retry_after(value: &[u8], now: SystemTime) -> Option<RetryAfter> {
    let value = trim(value);
    if value.len() > LONGEST {
        return None;
    }
    if let Some(seconds) = number(value) {
        return Some(RetryAfter::after(Duration::from_secs(seconds)));
    }
    Some(RetryAfter::until(date::parse(value, now)?, now))
}

/// The wish in the headers of a response: its `Retry-After`.
///
/// A date is compared with the response's own `Date`, if it has one: so a server whose clock is wrong, or whose zone is, is
/// still understood. Without it, `now` is what the time is here. Of several lines the longest wish counts.
///
/// ```
/// use backoff_http::hint::from_headers;
/// use http::HeaderMap;
/// use std::time::{Duration, SystemTime};
///
/// let mut headers = HeaderMap::new();
/// headers.insert("date", "Fri, 26 Jun 2020 04:28:00 GMT".parse().unwrap());
/// headers.insert("retry-after", "Fri, 26 Jun 2020 04:28:20 GMT".parse().unwrap());
/// let hint = from_headers(&headers, SystemTime::now()).unwrap();
/// assert_eq!(hint.delay(), Duration::from_secs(20));
/// ```
#[must_use]
pub fn from_headers(headers: &HeaderMap, now: SystemTime) -> Option<RetryAfter> {
    let now = server_time(headers, now);
    let wishes = headers.get_all(RETRY_AFTER).into_iter().filter_map(|value| parse_retry_after(value.as_bytes(), now));
    wishes.max_by_key(|hint| hint.delay())
}

/// What time the server says it has, or else `now`.
fn server_time(headers: &HeaderMap, now: SystemTime) -> SystemTime {
    headers.get(DATE).and_then(|value| date::parse(trim(value.as_bytes()), now)).unwrap_or(now)
}

/// Digits and nothing else, at least one; saturates.
pub(crate) fn number(value: &[u8]) -> Option<u64> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(value.iter().fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
}

/// Without the optional white space around it: spaces and tabs, no others.
fn trim(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}
