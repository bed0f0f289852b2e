//! Whatever bytes a server sends: no panic, and no allocation for what is refused.

use std::time::{Duration, SystemTime};

use allocation_counter::measure;
use backoff_http::hint::{Vendor, VendorHints, from_headers, parse_retry_after};
use http::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;

/// Whatever a header may hold, often nearly right.
fn value() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..80),
        "[ \t]?[-+]?[0-9]{0,25}([.,eEx][0-9]{0,3})?[smh]?[ \t]?".prop_map(String::into_bytes),
        "(Mon|Tue|Sunday|Friday|mon)?,? ?[0-9 ]{0,3}[- ]?(Jan|Feb|Dec|Foo)[- ][0-9]{1,5} [0-9]{2}:[0-9]{2}:[0-9]{2} ?(GMT|UTC|PST|[+]0000)?"
            .prop_map(String::into_bytes),
        "Thu, [0-3][0-9] Feb [0-9]{4} [0-2][0-9]:[0-6][0-9]:[0-6][0-9] GMT".prop_map(String::into_bytes),
        "Thursday, [0-3][0-9]-Feb-[0-9]{2} [0-2][0-9]:[0-6][0-9]:[0-6][0-9] GMT".prop_map(String::into_bytes),
        "\"[a-z]{0,3}\"(;[rtq]=[0-9]{0,4}){0,3}(, \"[a-z]\";t=[0-9]{0,22})?".prop_map(String::into_bytes),
        "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{0,12})?(Z|[+-][0-9]{2}:[0-9]{2})?"
            .prop_map(String::into_bytes),
        "([0-9]{0,22}([.][0-9]{0,25})?(h|m|s|ms|us|µs|ns)){1,4}".prop_map(String::into_bytes),
    ]
}

/// Any moment that a clock can show.
fn moment() -> impl Strategy<Value = SystemTime> {
    (0..u64::from(u32::MAX) * 60).prop_map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

/// A thousand cases, or as many as the environment asks for: `PROPTEST_CASES=1000000` is a fuzzer.
fn config() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(1_000), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn nothing_panics_and_nothing_is_allocated(value in value(), now in moment()) {
        let mut hint = None;
        let allocated = measure(|| hint = parse_retry_after(&value, now));
        prop_assert_eq!(allocated.count_total, 0);
        // What is accepted is digits or ends like a date.
        if hint.is_some() {
            let text = std::str::from_utf8(&value).unwrap().trim_matches([' ', '\t']);
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            prop_assert!(!text.is_empty() && (digits || text.ends_with(" GMT") || text.as_bytes()[3] == b' '));
        }
    }

    #[test]
    fn vendors_headers_neither(value in value(), date in value(), now in moment()) {
        let Ok(value) = HeaderValue::from_bytes(&value) else { return Ok(()) };
        let mut headers = HeaderMap::new();
        if let Ok(date) = HeaderValue::from_bytes(&date) {
            headers.insert("date", date);
        }
        for name in VendorHints::all().iter().flat_map(Vendor::headers) {
            let mut headers = headers.clone();
            headers.insert(HeaderName::from_static(name), value.clone());
            let allocated = measure(|| _ = VendorHints::all().read(&headers, now));
            prop_assert_eq!(allocated.count_total, 0);
        }
        headers.insert("retry-after", value);
        let allocated = measure(|| _ = from_headers(&headers, now));
        prop_assert_eq!(allocated.count_total, 0);
    }
}

#[test]
fn an_allocation_would_be_counted() {
    assert_eq!(measure(|| drop(std::hint::black_box(Box::new(7)))).count_total, 1);
}
