//! Values of constant expressions, accepted or no compilation.

use backoff_policy::limits;
use core::time::Duration;

use crate::policy::settings::{Time, time};

macro_rules! checked {
    ($($field:ident: $type:ty => $settings:ty, $convert:expr;)+) => {$(
        #[must_use]
        pub const fn $field(value: $type) -> $settings {
            match limits::$field(value) {
                Ok(value) => $convert(value),
                Err(error) => error.sentence().refuse(),
            }
        }
    )+};
}

checked! {
    initial: Duration => Time, time;
    budget: Duration => Time, time;
    multiplier: f64 => f64, same;
    max_delay: Duration => Time, time;
    max_attempts: u32 => u32, same;
    max_hint: Duration => Time, time;
    attempt_timeout: Duration => Time, time;
}

const fn same<T: Copy>(value: T) -> T {
    value
}
