//! Every row of the vectors of `Retry-After` and of the vendors' headers.

use std::time::{Duration, SystemTime};

use backoff_core::RetryAfter;
use backoff_http::hint::{Advice, Vendor, VendorHints, from_headers};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

/// 2026-01-01T00:00:00Z, the `now` of the vectors.
const NOW: Duration = Duration::from_secs(1_767_225_600);

/// 2075-12-31T23:59:00Z.
const END_OF_2075: Duration = Duration::from_secs(3_345_062_340);

fn expected(value: &Value) -> Advice {
    let wait = |wait| Advice { wait: Some(RetryAfter::after(wait)), retry: None };
    match value {
        Value::Null => Advice::default(),
        Value::Number(number) => wait(Duration::from_millis(number.as_u64().unwrap())),
        Value::String(text) => match &**text {
            "DO_NOT_RETRY" => Advice { wait: None, retry: Some(false) },
            "RETRY" => Advice { wait: None, retry: Some(true) },
            "saturate to the configured maximum" => wait(Duration::from_secs(u64::MAX)),
            "date 2075-12-31 or 1975 by the 50-year rule" => wait(END_OF_2075.saturating_sub(NOW)),
            other => panic!("a new kind of row: {other}"),
        },
        other => panic!("a new kind of row: {other}"),
    }
}

fn headers(name: &str, value: &str) -> HeaderMap {
    let name: HeaderName = name.parse().unwrap();
    HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
}

#[test]
fn every_row() {
    let file: Value = serde_json::from_str(include_str!("data/retry_after.json")).unwrap();
    assert_eq!(file["now"], "2026-01-01T00:00:00Z");
    let now = SystemTime::UNIX_EPOCH + NOW;
    let rows = file["vectors"].as_array().unwrap();
    assert_eq!(rows.len(), 33);
    for row in rows {
        let (name, value) = (row["header"].as_str().unwrap(), row["value"].as_str().unwrap());
        let headers = headers(name, value);
        let expected = expected(&row["expected_ms"]);
        assert_eq!(VendorHints::all().read(&headers, now), expected, "{row}");

        // Without asking, only `Retry-After` is read; and asking for one vendor is enough.
        let standard = if name == "Retry-After" { expected } else { Advice::default() };
        assert_eq!(VendorHints::none().read(&headers, now), standard, "{row}");
        assert_eq!(from_headers(&headers, now), standard.wait, "{row}");
        for vendor in VendorHints::all().iter() {
            let theirs = vendor.headers().contains(&name);
            let seen = VendorHints::none().and(vendor).read(&headers, now);
            assert_eq!(seen, if theirs { expected } else { standard }, "{vendor:?}: {row}");
        }
    }
}

#[test]
fn the_longest_of_several_waits_counts_and_a_no_outweighs_a_yes() {
    let now = SystemTime::UNIX_EPOCH + NOW;
    let read = |lines: &[(&'static str, &'static str)]| {
        let lines = lines.iter().map(|(n, v)| (HeaderName::from_static(n), HeaderValue::from_static(v)));
        VendorHints::all().read(&lines.collect::<HeaderMap>(), now)
    };
    let wait = |seconds| Some(RetryAfter::after(Duration::from_secs(seconds)));
    assert_eq!(read(&[("retry-after", "1"), ("retry-after-ms", "500")]).wait, wait(1));
    assert_eq!(read(&[("retry-after", "1"), ("retry-after-ms", "3000")]).wait, wait(3));
    assert_eq!(read(&[("x-should-retry", "true"), ("grpc-retry-pushback-ms", "-1")]).retry, Some(false));
    // A quota counts only if nothing says when to come back, and only if it is used up.
    assert_eq!(read(&[("retry-after", "1"), ("x-ratelimit-reset", "90")]).wait, wait(1));
    assert_eq!(read(&[("x-ratelimit-reset", "90"), ("x-ratelimit-remaining", "0")]).wait, wait(90));
    assert_eq!(read(&[("x-ratelimit-reset", "90"), ("x-ratelimit-remaining", "4")]).wait, None);
    assert_eq!(
        read(&[
            ("x-ratelimit-reset-requests", "1s"),
            ("x-ratelimit-remaining-requests", "59"),
            ("x-ratelimit-reset-tokens", "6m0s"),
            ("x-ratelimit-remaining-tokens", "0"),
        ])
        .wait,
        wait(360)
    );
    // The server's clock is used here too.
    let by_date = [("date", "Thu, 01 Jan 2026 05:00:00 GMT"), ("x-ratelimit-reset", "1767243660")];
    assert_eq!(read(&by_date).wait, wait(60));
}

#[test]
fn what_a_vendor_s_header_may_not_say_is_ignored() {
    let now = SystemTime::UNIX_EPOCH + NOW;
    for vendor in VendorHints::all().iter().filter(|vendor| *vendor != Vendor::Grpc) {
        for name in vendor.headers() {
            for value in ["", "-1", "soon", "1.5", "TRUE", "0x10"] {
                assert_eq!(VendorHints::all().read(&headers(name, value), now), Advice::default(), "{name}: {value}");
            }
        }
    }
}
