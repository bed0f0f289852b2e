//! Values of constant expressions, accepted or no compilation.

use backoff_policy::limits;
use core::time::Duration;

macro_rules! checked {
    ($($field:ident: $type:ty;)+) => {$(
        #[must_use]
        pub const fn $field(value: $type) -> $type {
            match limits::$field(value) {
                Ok(value) => value,
                Err(error) => error.sentence().refuse(),
            }
        }
    )+};
}

checked! {
    initial: Duration;
    budget: Duration;
    multiplier: f64;
    max_delay: Duration;
    max_attempts: u32;
    max_hint: Duration;
    attempt_timeout: Duration;
}
