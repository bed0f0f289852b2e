//! Values of flags.

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
