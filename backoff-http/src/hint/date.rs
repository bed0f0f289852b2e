//! The three dates of HTTP (RFC 9110, section 5.6.7), to the letter and without allocation.

use std::time::{Duration, SystemTime};

const MONTHS: [&[u8]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];
const SHORT_DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
const LONG_DAYS: [&[u8]; 7] = [b"Monday", b"Tuesday", b"Wednesday", b"Thursday", b"Friday", b"Saturday", b"Sunday"];
const SECONDS_OF_A_DAY: i64 = 86_400;

/// The moment that a date names; one before 1970 becomes 1970. `now` tells which century two digits of a year mean.
///
/// The name of the day has to be one, but need not be the right one: a date with a wrong name still says when.
pub(super) fn parse(value: &[u8], now: SystemTime) -> Option<SystemTime> {
    let moment = fixdate(value).or_else(|| rfc850(value, now)).or_else(|| asctime(value))?;
    moment.is_possible().then(|| moment.time())
}

/// A date and a time of day, in UTC. The order of the fields is the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
    pub(super) hour: i64,
    pub(super) minute: i64,
    /// 60 is a leap second.
    pub(super) second: i64,
}

impl Moment {
    pub(super) fn is_possible(&self) -> bool {
        let leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        let days = match self.month {
            4 | 6 | 9 | 11 => 30,
            2 => 28 + i64::from(leap),
            _ => 31,
        };
        (1..=12).contains(&self.month)
            && (1..=days).contains(&self.day)
            && self.hour < 24
            && self.minute < 60
            && self.second <= 60
    }

    /// Seconds since 1970; negative before.
    pub(super) fn unix(&self) -> i64 {
        // Years that begin in March put the leap day last, so that the days before a month follow one formula.
        let year = self.year - i64::from(self.month <= 2);
        let month = (self.month + 9) % 12;
        let days = 365 * year + year.div_euclid(4) - year.div_euclid(100)
            + year.div_euclid(400)
            + (153 * month + 2) / 5
            + self.day
            - 1
            - 719_468;
        days * SECONDS_OF_A_DAY + self.hour * 3_600 + self.minute * 60 + self.second
    }

    fn time(&self) -> SystemTime {
        let seconds = u64::try_from(self.unix()).unwrap_or(0);
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    /// The inverse of [`unix`](Self::unix), for times from 1970 on.
    fn of(time: SystemTime) -> Self {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
        let days = seconds / SECONDS_OF_A_DAY + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        let second = seconds % SECONDS_OF_A_DAY;
        Self { year, month, day, hour: second / 3_600, minute: second / 60 % 60, second: second % 60 }
    }
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`
fn fixdate(value: &[u8]) -> Option<Moment> {
    let mut text = Text(value);
    text.one_of(&SHORT_DAYS)?;
    text.exactly(b", ")?;
    let day = text.digits(2)?;
    text.exactly(b" ")?;
    let month = text.month()?;
    text.exactly(b" ")?;
    let year = text.digits(4)?;
    text.exactly(b" ")?;
    let (hour, minute, second) = text.time_of_day()?;
    text.exactly(b" GMT")?;
    text.end()?;
    Some(Moment { year, month, day, hour, minute, second })
}

/// `Sunday, 06-Nov-94 08:49:37 GMT`
fn rfc850(value: &[u8], now: SystemTime) -> Option<Moment> {
    let mut text = Text(value);
    text.one_of(&LONG_DAYS)?;
    text.exactly(b", ")?;
    let day = text.digits(2)?;
    text.exactly(b"-")?;
    let month = text.month()?;
    text.exactly(b"-")?;
    let year = text.digits(2)?;
    text.exactly(b" ")?;
    let (hour, minute, second) = text.time_of_day()?;
    text.exactly(b" GMT")?;
    text.end()?;
    Some(in_its_century(Moment { year, month, day, hour, minute, second }, now))
}

/// The latest year with these two digits that is not more than 50 years ahead.
fn in_its_century(moment: Moment, now: SystemTime) -> Moment {
    let now = Moment::of(now);
    let limit = Moment { year: now.year + 50, ..now };
    let latest = limit.year - (limit.year - moment.year).rem_euclid(100);
    let moment = Moment { year: latest, ..moment };
    if moment > limit { Moment { year: latest - 100, ..moment } } else { moment }
}

/// `Sun Nov  6 08:49:37 1994`
fn asctime(value: &[u8]) -> Option<Moment> {
    let mut text = Text(value);
    text.one_of(&SHORT_DAYS)?;
    text.exactly(b" ")?;
    let month = text.month()?;
    text.exactly(b" ")?;
    let day = if text.exactly(b" ").is_some() { text.digits(1)? } else { text.digits(2)? };
    text.exactly(b" ")?;
    let (hour, minute, second) = text.time_of_day()?;
    text.exactly(b" ")?;
    let year = text.digits(4)?;
    text.end()?;
    Some(Moment { year, month, day, hour, minute, second })
}

/// What is left of a text that is read from the left.
#[derive(Clone, Copy)]
pub(super) struct Text<'a>(pub(super) &'a [u8]);

impl Text<'_> {
    pub(super) fn exactly(&mut self, text: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    /// Exactly that many digits.
    pub(super) fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let number = digits
            .iter()
            .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))?;
        self.0 = rest;
        Some(number)
    }

    pub(super) fn end(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }

    /// The place of the first of the names that stands here.
    fn one_of(&mut self, names: &[&[u8]]) -> Option<usize> {
        let (place, rest) =
            names.iter().enumerate().find_map(|(place, name)| Some((place, self.0.strip_prefix(*name)?)))?;
        self.0 = rest;
        Some(place)
    }

    fn month(&mut self) -> Option<i64> {
        i64::try_from(self.one_of(&MONTHS)? + 1).ok()
    }

    pub(super) fn time_of_day(&mut self) -> Option<(i64, i64, i64)> {
        let hour = self.digits(2)?;
        self.exactly(b":")?;
        let minute = self.digits(2)?;
        self.exactly(b":")?;
        Some((hour, minute, self.digits(2)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    /// 2026-01-01T00:00:00Z
    const NOW: u64 = 1_767_225_600;

    #[track_caller]
    fn unix(value: &str, now: u64) -> Option<u64> {
        parse(value.as_bytes(), at(now)).map(|time| time.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs())
    }

    #[test]
    fn the_example_of_the_standard_in_all_three_forms() {
        for value in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(unix(value, NOW), Some(784_111_777), "{value}");
        }
        assert_eq!(unix("Sun Nov 16 08:49:37 1994", NOW), Some(784_111_777 + 10 * 86_400));
    }

    #[test]
    fn every_day_of_eight_centuries_survives_the_way_there_and_back() {
        for day in 0..365 * 800 {
            let moment = Moment::of(at(day * 86_400 + 86_399));
            assert_eq!(moment.unix(), i64::try_from(day * 86_400 + 86_399).unwrap());
            assert!(moment.is_possible());
        }
    }

    #[test]
    fn two_digits_mean_at_most_fifty_years_ahead() {
        let half = "Wednesday, 01-Jan-76 00:00:00 GMT";
        assert_eq!(unix(half, NOW), Some(3_345_062_400), "2076, fifty years ahead to the second");
        assert_eq!(unix("Wednesday, 01-Jan-76 00:00:01 GMT", NOW), Some(189_302_401), "1976");
        // At the end of a century, 05 is the next one.
        let turn = 4_070_908_800; // 2099-01-01
        assert_eq!(unix("Thursday, 01-Jan-05 00:00:00 GMT", turn), Some(4_260_211_200));
    }

    #[test]
    fn a_leap_second_is_the_next_one_and_an_impossible_date_is_none() {
        assert_eq!(unix("Sat, 31 Dec 2016 23:59:60 GMT", NOW), Some(1_483_228_800));
        assert_eq!(unix("Thu, 29 Feb 2024 00:00:00 GMT", NOW), Some(1_709_164_800));
        for value in [
            "Sat, 31 Dec 2016 23:59:61 GMT",
            "Sat, 31 Dec 2016 24:00:00 GMT",
            "Sat, 31 Dec 2016 23:60:00 GMT",
            "Wed, 29 Feb 2023 00:00:00 GMT",
            "Thu, 31 Apr 2026 00:00:00 GMT",
            "Thu, 00 Apr 2026 00:00:00 GMT",
            "Monday, 29-Feb-23 00:00:00 GMT",
            "Thu, 01 Foo 2026 00:00:00 GMT",
            "thu, 01 Jan 2026 00:00:00 GMT",
            "Thu, 1 Jan 2026 00:00:00 GMT",
            "Thu, 01 Jan 2026 00:00:00 UTC",
            "Thu, 01 Jan 2026 00:00:00",
            "Thu, 01 Jan 2026 00:00:00 GMT ",
            "Thu, 01 Jan 20266 00:00:00 GMT",
            "Thu, 01 Jan +026 00:00:00 GMT",
            "Thu Jan 1 00:00:00 2026",
            "Thu Jan  1 00:00:00 2026 GMT",
            "Thursday, 01-Jan-2026 00:00:00 GMT",
            "2026-01-01T00:00:00Z",
        ] {
            assert_eq!(unix(value, NOW), None, "{value}");
        }
    }

    #[test]
    fn before_1970_is_1970() {
        assert_eq!(unix("Thu, 01 Jan 1903 00:00:00 GMT", NOW), Some(0));
        assert_eq!(unix("Fri Jan  1 00:00:00 0000", NOW), Some(0));
        assert_eq!(unix("Fri, 31 Dec 9999 23:59:59 GMT", NOW), Some(253_402_300_799));
    }
}
