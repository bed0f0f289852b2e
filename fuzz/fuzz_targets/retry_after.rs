//! Whatever bytes stand behind `Retry-After`: no panic, no allocation, and a date is the one that `httpdate` reads.
#![no_main]

use std::time::{Duration, SystemTime};

use allocation_counter::measure;
use backoff_http::hint::parse_retry_after;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u32, &[u8])| {
    let (seconds, value) = input;
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.into());
    let mut hint = None;
    let allocated = measure(|| hint = parse_retry_after(value, now));
    assert_eq!(allocated.count_total, 0);
    if let Some(hint) = hint {
        // What is only digits is that many seconds, whatever the time is.
        let digits = value.trim_ascii();
        if digits.iter().all(u8::is_ascii_digit) {
            assert_eq!(parse_retry_after(value, SystemTime::UNIX_EPOCH), Some(hint));
        }
        // Where both take it for a date with four digits for the year.
        let date = std::str::from_utf8(digits).ok().filter(|text| !text.contains('-'));
        if let Some(date) = date.and_then(|text| httpdate::parse_http_date(text).ok()) {
            assert_eq!(hint.delay(), date.duration_since(now).unwrap_or_default(), "{date:?}");
        }
    }
});
