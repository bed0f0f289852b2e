//! How vendors write a wait: durations of Go, dates of RFC 3339, structured fields.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName};

use super::super::date::{Moment, Text};
use super::{number, number_in, trim};

/// The units of Go in nanoseconds; `ms` is tried before `m`.
const UNITS: [(&[u8], u64); 7] = [
    (b"h", 3_600_000_000_000),
    (b"ms", 1_000_000),
    (b"m", 60_000_000_000),
    (b"s", 1_000_000_000),
    (b"us", 1_000),
    ("µs".as_bytes(), 1_000),
    (b"ns", 1),
];

/// `6m0s`, `7.66s`, `76ms`: numbers, each with a unit. Fractions beyond nanoseconds are rounded up.
pub(super) fn go_duration(mut value: &[u8]) -> Option<Duration> {
    if value.is_empty() {
        return None;
    }
    let mut total = Duration::ZERO;
    while !value.is_empty() {
        let (part, rest) = go_part(value)?;
        total = total.saturating_add(part);
        value = rest;
    }
    Some(total)
}

/// One number with its unit, and what follows.
fn go_part(value: &[u8]) -> Option<(Duration, &[u8])> {
    let (whole, rest) = digits(value);
    let (fraction, rest) = match rest.strip_prefix(b".") {
        Some(rest) => digits(rest),
        None => (&rest[..0], rest),
    };
    let whole = number(whole)?;
    let (unit, rest) = UNITS.iter().find_map(|(name, unit)| Some((*unit, rest.strip_prefix(*name)?)))?;
    let count = u32::try_from(whole).ok();
    let part = count.and_then(|count| Duration::from_nanos(unit).checked_mul(count)).unwrap_or(Duration::MAX);
    Some((part.saturating_add(fraction_of(fraction, unit)), rest))
}

/// The digits after the point, of a unit in nanoseconds; rounded up, so that no wait is too short.
fn fraction_of(digits: &[u8], unit: u64) -> Duration {
    let (counted, beyond) = digits.split_at(digits.len().min(18));
    let (part, whole) = counted
        .iter()
        .fold((0_u128, 1_u128), |(part, whole), digit| (part * 10 + u128::from(digit - b'0'), whole * 10));
    let nanos = (part * u128::from(unit)).div_ceil(whole) + u128::from(beyond.iter().any(|digit| *digit != b'0'));
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

fn digits(value: &[u8]) -> (&[u8], &[u8]) {
    value.split_at(value.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

/// `2026-01-01T00:01:30Z`, with or without a fraction and an offset.
pub(super) fn rfc3339(value: &[u8]) -> Option<SystemTime> {
    let mut text = Text(value);
    let year = text.digits(4)?;
    text.exactly(b"-")?;
    let month = text.digits(2)?;
    text.exactly(b"-")?;
    let day = text.digits(2)?;
    text.exactly(b"T").or_else(|| text.exactly(b"t"))?;
    let (hour, minute, second) = text.time_of_day()?;
    let moment = Moment { year, month, day, hour, minute, second };
    let mut fraction = Duration::ZERO;
    if text.exactly(b".").is_some() {
        let (digits, rest) = digits(text.0);
        if digits.is_empty() {
            return None;
        }
        fraction = fraction_of(digits, 1_000_000_000);
        text = Text(rest);
    }
    let offset = offset(&mut text)?;
    text.end()?;
    if !moment.is_possible() {
        return None;
    }
    let seconds = u64::try_from(moment.unix() - offset).unwrap_or(0);
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds) + fraction)
}

/// Seconds east of Greenwich.
fn offset(text: &mut Text<'_>) -> Option<i64> {
    if text.exactly(b"Z").or_else(|| text.exactly(b"z")).is_some() {
        return Some(0);
    }
    let sign = if text.exactly(b"+").is_some() { 1 } else { text.exactly(b"-").map(|()| -1)? };
    let hours = text.digits(2)?;
    text.exactly(b":")?;
    let minutes = text.digits(2)?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

/// `"default";r=0;t=90`, or several of them: the longest `t` among those that have nothing left.
pub(super) fn quota_reset(value: &[u8]) -> Option<u64> {
    value.split(|byte| *byte == b',').filter_map(quota).max()
}

fn quota(item: &[u8]) -> Option<u64> {
    let parameter = |name: &[u8]| {
        let mut parameters = item.split(|byte| *byte == b';').skip(1);
        parameters.find_map(|parameter| trim(parameter).strip_prefix(name).and_then(number))
    };
    let reset = parameter(b"t=")?;
    (parameter(b"r=").unwrap_or(0) == 0).then_some(reset)
}

/// Whether the quota that is reset is used up, as far as its sister header says.
pub(super) fn is_used_up(headers: &HeaderMap, reset: &str) -> bool {
    let sister = match reset {
        "ratelimit-reset" => HeaderName::from_static("ratelimit-remaining"),
        "x-ratelimit-reset" => HeaderName::from_static("x-ratelimit-remaining"),
        "x-ratelimit-reset-requests" => HeaderName::from_static("x-ratelimit-remaining-requests"),
        "x-ratelimit-reset-tokens" => HeaderName::from_static("x-ratelimit-remaining-tokens"),
        "anthropic-ratelimit-requests-reset" => HeaderName::from_static("anthropic-ratelimit-requests-remaining"),
        "anthropic-ratelimit-tokens-reset" => HeaderName::from_static("anthropic-ratelimit-tokens-remaining"),
        "anthropic-ratelimit-input-tokens-reset" => {
            HeaderName::from_static("anthropic-ratelimit-input-tokens-remaining")
        }
        "anthropic-ratelimit-output-tokens-reset" => {
            HeaderName::from_static("anthropic-ratelimit-output-tokens-remaining")
        }
        _ => return true,
    };
    number_in(headers, &sister).is_none_or(|remaining| remaining == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_of_go() {
        let parse = |value: &str| go_duration(value.as_bytes());
        assert_eq!(parse("6m0s"), Some(Duration::from_secs(360)));
        assert_eq!(parse("7.66s"), Some(Duration::from_millis(7_660)));
        assert_eq!(parse("76ms"), Some(Duration::from_millis(76)));
        assert_eq!(parse("1h2m3.5s"), Some(Duration::from_millis(3_723_500)));
        assert_eq!(parse("1.5µs"), Some(Duration::from_nanos(1_500)));
        assert_eq!(parse("0.0000000001s"), Some(Duration::from_nanos(1)), "rounded up");
        assert_eq!(parse("0.00000000000000000000001s"), Some(Duration::from_nanos(1)), "rounded up");
        assert_eq!(parse("0.123456789123h"), Some(Duration::from_nanos(444_444_440_843)), "rounded up");
        assert_eq!(parse("99999999999h"), Some(Duration::MAX));
        for value in ["", "6", "6m0", "m", "-1s", "1 s", "s1", "1..5s", ".5s", "1e3s"] {
            assert_eq!(parse(value), None, "{value}");
        }
    }

    #[test]
    fn dates_of_rfc_3339() {
        let unix = |value: &str| {
            rfc3339(value.as_bytes()).map(|at| at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis())
        };
        assert_eq!(unix("2026-01-01T00:01:30Z"), Some(1_767_225_690_000));
        assert_eq!(unix("2026-01-01T02:01:30.250+02:00"), Some(1_767_225_690_250));
        assert_eq!(unix("2025-12-31T23:31:30-00:30"), Some(1_767_225_690_000));
        for value in ["2026-01-01", "2026-01-01T00:01:30", "2026-13-01T00:01:30Z", "2026-01-01T00:01:30.Z"] {
            assert_eq!(unix(value), None, "{value}");
        }
    }

    #[test]
    fn quotas_that_have_something_left_ask_for_nothing() {
        assert_eq!(quota_reset(b"\"default\";r=0;t=90"), Some(90));
        assert_eq!(quota_reset(b"\"a\";r=5;t=90, \"b\";r=0; t=7, \"c\";t=3"), Some(7));
        assert_eq!(quota_reset(b"\"a\";r=5;t=90"), None);
        assert_eq!(quota_reset(b"90"), None);
    }
}
