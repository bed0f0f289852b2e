//! Vendors' headers to the last digit: fractions, offsets, and quotas that are not used up.

use std::time::{Duration, SystemTime};

use backoff_http::hint::{Vendor, VendorHints};
use http::HeaderMap;

const NOW: Duration = Duration::from_secs(1_767_225_600);

/// How long to wait, by these headers, at 2026-01-01T00:00:00Z.
fn wait(headers: &[(&'static str, &str)]) -> Option<Duration> {
    let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
    let advice = VendorHints::all().read(&headers.collect::<HeaderMap>(), SystemTime::UNIX_EPOCH + NOW);
    advice.wait.map(backoff_core::RetryAfter::delay)
}

#[test]
fn a_fraction_is_rounded_up_and_only_where_something_is_left() {
    let read = |value: &str| wait(&[("x-ratelimit-reset-requests", value)]).map(|wait| wait.as_nanos());
    assert_eq!(read("1.5s"), Some(1_500_000_000));
    assert_eq!(read("1.000000000s"), Some(1_000_000_000));
    assert_eq!(read("1.0000000001s"), Some(1_000_000_001));
    // Eighteen digits are counted, and those beyond only looked at.
    assert_eq!(read("1.0000000000000000000000s"), Some(1_000_000_000));
    assert_eq!(read("1.0000000000000000000001s"), Some(1_000_000_001));
    assert_eq!(read("1h2m3s4ms5us6ns"), Some(3_723_004_005_006));
    assert_eq!(read("5µs"), Some(5_000));
    assert_eq!(
        (read(""), read("1"), read("s"), read("1s "), read("1 s")),
        (None, None, None, Some(1_000_000_000), None)
    );
}

#[test]
fn an_offset_is_less_than_a_day() {
    let read = |value: &str| wait(&[("anthropic-ratelimit-tokens-reset", value)]).map(|wait| wait.as_secs());
    assert_eq!(read("2026-01-01T00:01:30Z"), Some(90));
    assert_eq!(read("2026-01-01t01:00:00+00:59"), Some(60));
    assert_eq!(read("2025-12-31T00:02:00-23:59"), Some(60));
    assert_eq!(read("2026-01-02T00:00:00+23:59"), Some(60));
    for wrong in ["2026-01-02T00:00:00+24:00", "2026-01-02T00:00:00+00:60", "2026-01-02T00:00:00+24:60"] {
        assert_eq!(read(wrong), None, "{wrong}");
    }
    assert_eq!(read("2026-01-01T00:00:00"), None);
}

/// What says when a quota is full again, one value for it, and what says how much of it is left.
const QUOTAS: [(&str, &str, &str); 8] = [
    ("ratelimit-reset", "90", "ratelimit-remaining"),
    ("x-ratelimit-reset", "90", "x-ratelimit-remaining"),
    ("x-ratelimit-reset-requests", "1m30s", "x-ratelimit-remaining-requests"),
    ("x-ratelimit-reset-tokens", "1m30s", "x-ratelimit-remaining-tokens"),
    ("anthropic-ratelimit-requests-reset", "2026-01-01T00:01:30Z", "anthropic-ratelimit-requests-remaining"),
    ("anthropic-ratelimit-tokens-reset", "2026-01-01T00:01:30Z", "anthropic-ratelimit-tokens-remaining"),
    ("anthropic-ratelimit-input-tokens-reset", "2026-01-01T00:01:30Z", "anthropic-ratelimit-input-tokens-remaining"),
    ("anthropic-ratelimit-output-tokens-reset", "2026-01-01T00:01:30Z", "anthropic-ratelimit-output-tokens-remaining"),
];

#[test]
fn a_quota_that_is_not_used_up_asks_for_no_wait() {
    let right = Some(Duration::from_secs(90));
    for (reset, value, remaining) in QUOTAS {
        assert_eq!(wait(&[(reset, value)]), right, "{reset} alone");
        assert_eq!(wait(&[(reset, value), (remaining, "0")]), right, "{reset}");
        assert_eq!(wait(&[(reset, value), (remaining, "many")]), right, "{reset} beside nonsense");
        assert_eq!(wait(&[(reset, value), (remaining, "1")]), None, "{reset}");
    }
}

#[test]
fn every_quota_has_such_a_header() {
    let resets = VendorHints::all().iter().flat_map(Vendor::headers).filter(|name| name.contains("reset"));
    assert_eq!(resets.copied().collect::<Vec<_>>(), QUOTAS.map(|(reset, ..)| reset));
}
