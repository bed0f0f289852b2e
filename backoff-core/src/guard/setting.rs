//! What a guard refuses to be set to.

use core::error::Error;
use core::fmt;
#[cfg(feature = "std")]
use core::time::Duration;

/// A value that a setting of a guard can't have.
///
/// ```
/// use backoff_core::guard::RetryBudget;
/// let error = RetryBudget::new().try_max_tokens(0).unwrap_err();
/// assert_eq!(error.to_string(), "`max_tokens` of a retry budget must be from 1 to 1,000");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingError {
    sentence: &'static str,
}

impl SettingError {
    pub(super) const fn new(sentence: &'static str) -> Self {
        Self { sentence }
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.sentence)
    }
}

impl Error for SettingError {}

/// Whether a time is at most so many seconds, to the nanosecond.
#[cfg(feature = "std")]
pub(super) const fn is_at_most(time: Duration, seconds: u64) -> bool {
    time.as_nanos() <= Duration::from_secs(seconds).as_nanos()
}

/// Defines a setter for constants, which panics, and its twin for values that are known at run time only.
macro_rules! setting {
    (
        $(#[$doc:meta])*
        $name:ident / $try_name:ident($self:ident, $($value:ident: $type:ty),+)
            if $accepted:expr, else $sentence:literal;
            $store:stmt
    ) => {
        $(#[$doc])*
        ///
        /// # Panics
        #[doc = concat!("In a constant, a compile error: ", $sentence, ".")]
        #[must_use]
        #[track_caller]
        pub const fn $name(mut $self, $($value: $type),+) -> Self {
            if !$accepted {
                panic!($sentence);
            }
            $store
            $self
        }

        #[doc = concat!("As [`", stringify!($name), "`](Self::", stringify!($name), "), for a value that is known at run time only.")]
        ///
        /// # Errors
        #[doc = concat!("When the value is not accepted: ", $sentence, ".")]
        pub fn $try_name(mut $self, $($value: $type),+) -> Result<Self, $crate::guard::SettingError> {
            if !$accepted {
                return Err($crate::guard::SettingError::new($sentence));
            }
            $store
            Ok($self)
        }
    };
}
pub(super) use setting;
