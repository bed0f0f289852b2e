//! The table: the default of each field and what it rejects.

use core::time::Duration;

use crate::error::{ConfigError, Problem};
use crate::{Field, duration};

/// `initial` unless said otherwise: 200 ms.
pub const INITIAL: Duration = Duration::from_millis(200);
/// `budget` unless said otherwise: 3.5 s.
pub const BUDGET: Duration = Duration::from_millis(3_500);
/// `multiplier` unless said otherwise.
pub const MULTIPLIER: f64 = 2.0;
/// `max_hint` unless said otherwise: 5 min.
pub const MAX_HINT: Duration = Duration::from_secs(300);
/// The word for a budget without end.
pub const UNLIMITED: &str = "unlimited";

macro_rules! nonzero_duration {
    ($(#[$doc:meta])* $name:ident, $field:ident) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// When it is zero.
        pub const fn $name(value: Duration) -> Result<Duration, ConfigError> {
            if value.is_zero() {
                Err(ConfigError::new(Field::$field, Problem::Zero))
            } else {
                Ok(value)
            }
        }
    };
}

nonzero_duration!(
    /// Checks `initial`.
    ///
    /// ```
    /// # use core::time::Duration;
    /// assert!(backoff_policy::limits::initial(Duration::from_nanos(1)).is_ok());
    /// ```
    initial,
    Initial
);
nonzero_duration!(
    /// Checks `budget`. No budget at all is not a duration: see [`budget_text`].
    ///
    /// ```
    /// # use core::time::Duration;
    /// assert!(backoff_policy::limits::budget(Duration::ZERO).is_err());
    /// ```
    budget,
    Budget
);
nonzero_duration!(
    /// Checks `max_delay`. Shorter than `initial` is allowed: the cap wins.
    ///
    /// ```
    /// # use core::time::Duration;
    /// assert!(backoff_policy::limits::max_delay(Duration::MAX).is_ok());
    /// ```
    max_delay,
    MaxDelay
);
nonzero_duration!(
    /// Checks `max_hint`.
    ///
    /// ```
    /// # use core::time::Duration;
    /// assert!(backoff_policy::limits::max_hint(Duration::from_secs(60)).is_ok());
    /// ```
    max_hint,
    MaxHint
);
nonzero_duration!(
    /// Checks `attempt_timeout`.
    ///
    /// ```
    /// # use core::time::Duration;
    /// assert!(backoff_policy::limits::attempt_timeout(Duration::from_secs(5)).is_ok());
    /// ```
    attempt_timeout,
    AttemptTimeout
);

/// Checks `multiplier`.
///
/// # Errors
/// When it is not finite or not greater than one.
///
/// ```
/// use backoff_policy::limits::multiplier;
/// assert!(multiplier(1.000_000_1).is_ok());
/// assert_eq!(
///     multiplier(1.0).unwrap_err().to_string(),
///     "`multiplier` can't be `1`: it must be a finite number greater than 1, such as `2.0`; \
///      for a constant delay set `max_delay` equal to `initial`"
/// );
/// ```
pub const fn multiplier(value: f64) -> Result<f64, ConfigError> {
    if value.is_finite() && value > 1.0 {
        Ok(value)
    } else {
        Err(ConfigError::new(Field::Multiplier, Problem::Multiplier(value)))
    }
}

/// Checks `max_attempts`.
///
/// # Errors
/// When it is zero.
///
/// ```
/// assert!(backoff_policy::limits::max_attempts(1).is_ok());
/// assert!(backoff_policy::limits::max_attempts(0).is_err());
/// ```
pub const fn max_attempts(value: u32) -> Result<u32, ConfigError> {
    if value == 0 { Err(ConfigError::new(Field::MaxAttempts, Problem::Zero)) } else { Ok(value) }
}

/// Reads the text of a field that is a duration, and checks it.
///
/// # Errors
/// When the text is not a duration, or the duration is rejected.
///
/// # Panics
/// Never, if `field` is one of the four durations; for the others the text is refused as an unknown word.
///
/// ```
/// use backoff_policy::{limits, Field};
/// assert_eq!(
///     limits::duration_text(Field::Initial, "200mz").unwrap_err().to_string(),
///     "`initial` can't be `200mz`: unknown unit `mz`, use h, m, s, ms, us or ns; did you mean `200ms`?"
/// );
/// ```
pub const fn duration_text(field: Field, text: &str) -> Result<Duration, ConfigError> {
    let value = match duration::parse(text) {
        Ok(value) => value,
        Err(error) => return Err(ConfigError::new(field, Problem::Duration(error))),
    };
    match field {
        Field::Initial => initial(value),
        Field::Budget => budget(value),
        Field::MaxDelay => max_delay(value),
        Field::MaxHint => max_hint(value),
        Field::AttemptTimeout => attempt_timeout(value),
        _ => Err(ConfigError::unknown_word(field, text)),
    }
}

/// Reads the text of `budget`: a duration, or `unlimited` for none.
///
/// # Errors
/// As [`duration_text`].
///
/// ```
/// use backoff_policy::limits::budget_text;
/// assert_eq!(budget_text("unlimited"), Ok(None));
/// assert!(budget_text("0s").is_err());
/// assert!(budget_text("unlimted").unwrap_err().to_string().ends_with("did you mean `unlimited`?"));
/// assert_eq!(
///     budget_text("none").unwrap_err().to_string(),
///     "`budget` can't be `none`: it is the total time of a run, such as `3.5s`, or \"unlimited\""
/// );
/// ```
pub fn budget_text(text: &str) -> Result<Option<Duration>, ConfigError> {
    if text == UNLIMITED {
        Ok(None)
    } else if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        Err(ConfigError::unknown_word(Field::Budget, text))
    } else {
        duration_text(Field::Budget, text).map(Some)
    }
}
