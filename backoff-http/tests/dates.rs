//! Dates of `Retry-After` beside a calendar: leap days, the ends of months, the ends of the range.

use std::time::{Duration, SystemTime};

use backoff_http::hint::parse_retry_after;

/// Seconds from 1970 to a date, on a server whose clock stands there.
fn seconds(date: &str) -> Option<u64> {
    parse_retry_after(date.as_bytes(), SystemTime::UNIX_EPOCH).map(|hint| hint.delay().as_secs())
}

#[test]
fn dates_are_as_far_from_1970_as_the_calendar_says() {
    for (date, right) in [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 31 Dec 1970 23:59:59 GMT", 31_535_999),
        ("Tue, 29 Feb 1972 12:00:00 GMT", 68_212_800),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 946_684_799),
        ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
        ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
        ("Tue, 28 Feb 2023 23:59:59 GMT", 1_677_628_799),
        ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
        ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Tue, 31 Dec 2024 00:00:01 GMT", 1_735_603_201),
        ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
        ("Thu, 30 Apr 2099 01:02:03 GMT", 4_081_194_123),
        ("Sun, 28 Feb 2100 00:00:00 GMT", 4_107_456_000),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
        ("Tue, 29 Feb 2400 00:00:00 GMT", 13_574_563_200),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ] {
        assert_eq!(seconds(date), Some(right), "{date}");
    }
}

#[test]
fn a_year_before_1970_has_passed() {
    assert_eq!(seconds("Wed, 31 Dec 1969 23:59:59 GMT"), Some(0));
    assert_eq!(seconds("Mon, 01 Jan 0001 00:00:00 GMT"), Some(0));
}

#[test]
fn months_have_as_many_days_as_they_have() {
    let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    for (month, days) in months.into_iter().zip(days) {
        for day in 0..=32 {
            let date = format!("Mon, {day:02} {month} 2024 00:00:00 GMT");
            assert_eq!(seconds(&date).is_some(), (1..=days).contains(&day), "{date}");
        }
    }
    for (year, is_leap) in [(1900, false), (2000, true), (2004, true), (2023, false), (2100, false), (2400, true)] {
        assert_eq!(seconds(&format!("Mon, 29 Feb {year} 00:00:00 GMT")).is_some(), is_leap, "{year}");
    }
}

#[test]
fn a_day_ends_at_midnight_but_for_a_leap_second() {
    let at = |time: &str| seconds(&format!("Thu, 01 Jan 1970 {time} GMT"));
    assert_eq!((at("23:59:59"), at("23:59:60")), (Some(86_399), Some(86_400)));
    assert_eq!((at("24:00:00"), at("00:60:00"), at("00:00:61")), (None, None, None));
}

#[test]
fn two_digits_of_a_year_are_at_most_fifty_years_ahead() {
    // 2026-01-01T00:00:00Z; the limit is that moment of 2076.
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let wait = |date: &str| parse_retry_after(date.as_bytes(), now).map(|hint| hint.delay().as_secs());
    assert_eq!(wait("Thursday, 01-Jan-26 00:00:07 GMT"), Some(7));
    assert_eq!(wait("Wednesday, 01-Jan-76 00:00:00 GMT"), Some(1_577_836_800), "fifty years to the second");
    assert_eq!(wait("Wednesday, 01-Jan-76 00:00:01 GMT"), Some(0), "1976");
    assert_eq!(wait("Friday, 31-Dec-99 23:59:59 GMT"), Some(0), "1999");
}

#[test]
fn fifty_years_are_counted_from_any_moment_to_the_second() {
    for (now, last, wait, next) in [
        (1_783_168_496, "Saturday, 04-Jul-76 12:34:56 GMT", 1_577_923_200, "Saturday, 04-Jul-76 12:34:57 GMT"),
        (1_930_089_601, "Saturday, 01-Mar-81 00:00:01 GMT", 1_577_923_200, "Saturday, 01-Mar-81 00:00:02 GMT"),
        (2_240_611_198, "Sunday, 31-Dec-90 23:59:58 GMT", 1_577_836_800, "Sunday, 31-Dec-90 23:59:59 GMT"),
        (1_759_986_367, "Wednesday, 09-Oct-75 05:06:07 GMT", 1_577_836_800, "Wednesday, 09-Oct-75 05:06:08 GMT"),
        (2_466_467_940, "Friday, 28-Feb-98 01:59:00 GMT", 1_577_923_200, "Friday, 28-Feb-98 01:59:01 GMT"),
        (949_348_859, "Monday, 31-Jan-50 20:00:59 GMT", 1_577_923_200, "Monday, 31-Jan-50 20:01:00 GMT"),
        (938_686_210, "Thursday, 30-Sep-49 10:10:10 GMT", 1_577_923_200, "Thursday, 30-Sep-49 10:10:11 GMT"),
        // The last day of four hundred years.
        (951_825_600, "Monday, 28-Feb-50 12:00:00 GMT", 1_577_836_800, "Tuesday, 01-Mar-50 00:00:00 GMT"),
    ] {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(now);
        let read = |date: &str| parse_retry_after(date.as_bytes(), now).map(|hint| hint.delay().as_secs());
        assert_eq!((read(last), read(next)), (Some(wait), Some(0)), "{last}");
    }
}
