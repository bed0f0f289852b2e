//! The fallible way to a policy, for values that are only known at run time.

use core::time::Duration;

use super::{ExponentialBackoff, FinalSleep, Jitter};
use crate::ConfigError;
use backoff_policy::limits;

/// Collects the fields of a policy and checks them all in [`build`](PolicyBuilder::build). Made by
/// [`ExponentialBackoff::builder`].
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use std::time::Duration;
///
/// fn from_flags(initial: u64, attempts: u32) -> Result<ExponentialBackoff, backoff_core::ConfigError> {
///     ExponentialBackoff::builder().initial(Duration::from_millis(initial)).max_attempts(attempts).build()
/// }
/// assert!(from_flags(100, 3).is_ok());
/// assert_eq!(
///     from_flags(0, 3).unwrap_err().to_string(),
///     "`initial` can't be `0s`: the first delay must be longer than zero, such as `200ms`"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "call `build` to get the policy"]
pub struct PolicyBuilder {
    /// Not checked yet, hence never handed out.
    fields: ExponentialBackoff,
}

/// Defines a setter that only stores; [`PolicyBuilder::build`] checks.
macro_rules! store {
    ($(#[$doc:meta])* $name:ident: $type:ty => $wrap:expr) => {
        $(#[$doc])*
        pub const fn $name(mut self, value: $type) -> Self {
            self.fields.$name = $wrap(value);
            self
        }
    };
}

/// Returns the error if there is a value and the table rejects it.
macro_rules! check {
    ($name:ident, $value:expr) => {
        if let Some(value) = $value {
            if let Err(error) = limits::$name(value) {
                return Err(error);
            }
        }
    };
}

const fn same<T: Copy>(value: T) -> T {
    value
}

impl PolicyBuilder {
    pub(super) const fn new() -> Self {
        Self { fields: ExponentialBackoff::new() }
    }

    store! {
        /// As [`ExponentialBackoff::initial`].
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// # use std::time::Duration;
        /// assert!(ExponentialBackoff::builder().initial(Duration::ZERO).build().is_err());
        /// ```
        initial: Duration => same
    }
    store! {
        /// As [`ExponentialBackoff::budget`]; `None` for no budget at all.
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// # use std::time::Duration;
        /// assert!(ExponentialBackoff::builder().budget(Some(Duration::ZERO)).build().is_err());
        /// assert!(ExponentialBackoff::builder().budget(None).build().is_ok());
        /// ```
        budget: Option<Duration> => same
    }
    store! {
        /// As [`ExponentialBackoff::multiplier`].
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// assert!(ExponentialBackoff::builder().multiplier(f64::NAN).build().is_err());
        /// ```
        multiplier: f64 => same
    }
    store! {
        /// As [`ExponentialBackoff::max_delay`].
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// # use std::time::Duration;
        /// assert!(ExponentialBackoff::builder().max_delay(Duration::ZERO).build().is_err());
        /// ```
        max_delay: Duration => Some
    }
    store! {
        /// As [`ExponentialBackoff::max_attempts`].
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// assert!(ExponentialBackoff::builder().max_attempts(0).build().is_err());
        /// ```
        max_attempts: u32 => Some
    }
    store! {
        /// As [`ExponentialBackoff::jitter`].
        ///
        /// ```
        /// # use backoff_core::{ExponentialBackoff, Jitter};
        /// assert!(ExponentialBackoff::builder().jitter(Jitter::Full).build().is_ok());
        /// ```
        jitter: Jitter => same
    }
    store! {
        /// As [`ExponentialBackoff::final_sleep`].
        ///
        /// ```
        /// # use backoff_core::{ExponentialBackoff, FinalSleep};
        /// assert!(ExponentialBackoff::builder().final_sleep(FinalSleep::Skip).build().is_ok());
        /// ```
        final_sleep: FinalSleep => Some
    }
    store! {
        /// As [`ExponentialBackoff::max_hint`].
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// # use std::time::Duration;
        /// assert!(ExponentialBackoff::builder().max_hint(Duration::ZERO).build().is_err());
        /// ```
        max_hint: Duration => same
    }

    /// Checks every field and gives the policy.
    ///
    /// # Errors
    /// The first field that is not accepted, in the order of the table at [`ExponentialBackoff`], in the same words as
    /// the attribute and a constant use.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::builder().build(), Ok(ExponentialBackoff::new()));
    /// ```
    pub const fn build(self) -> Result<ExponentialBackoff, ConfigError> {
        let fields = &self.fields;
        check!(initial, Some(fields.initial));
        check!(budget, fields.budget);
        check!(multiplier, Some(fields.multiplier));
        check!(max_delay, fields.max_delay);
        check!(max_attempts, fields.max_attempts);
        check!(max_hint, Some(fields.max_hint));
        Ok(self.fields)
    }
}
