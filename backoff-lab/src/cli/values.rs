//! Values of flags.

use std::ops::RangeInclusive;
use std::time::Duration;

use backoff_policy::duration;

/// A time, such as `30ms`, as everywhere else.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    duration::parse(text).map_err(|error| error.to_string())
}

/// A time that is not zero.
pub(super) fn some_time(text: &str) -> Result<Duration, String> {
    match time(text) {
        Ok(Duration::ZERO) => Err("it must be longer than zero, such as `10ms`".to_owned()),
        parsed => parsed,
    }
}

/// A number.
pub(super) fn number(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| "it takes a number, such as `0.9`".to_owned())
}

/// A whole number in a range.
pub(super) fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("it takes a whole number, from {} to {}", range.start(), range.end()))
    }
}

/// How many of something. Few are refused here: how many there may be is decided where they are used.
pub(super) fn count(text: &str) -> Result<u32, String> {
    let number = text.parse();
    number.map_err(|_| format!("it takes a whole number of at most {}, such as `100`", u32::MAX))
}
