//! What an exponential-backoff policy may say.
//!
//! One table of fields, defaults and limits, one grammar for durations in text, and one set of sentences for whatever
//! is refused. The engine (`backoff-core`) and the attribute (`backoff-macros`) both ask here, so a wrong value is
//! answered with the same words by the compiler, by a constant, by a configuration file and by the builder.
//!
//! Everything works in constants, without `std`, without an allocator and without dependencies. Most users want
//! `backoff-core`, which re-exports what they need.
//!
//! ```
//! use backoff_policy::{duration, limits};
//! use core::time::Duration;
//!
//! const BUDGET: Duration = match duration::parse("3.5s") {
//!     Ok(budget) => budget,
//!     Err(_) => panic!("not a duration"),
//! };
//! assert_eq!(BUDGET, Duration::from_millis(3_500));
//! assert_eq!(
//!     limits::budget(Duration::ZERO).unwrap_err().to_string(),
//!     "`budget` can't be `0s`: it is the total time of a run, such as `3.5s`, or \"unlimited\""
//! );
//! ```
#![no_std]

pub mod choice;
pub mod duration;
pub mod error;
pub mod field;
pub mod limits;
pub mod sentence;
pub mod suggest;

pub use choice::{FinalSleep, Jitter};
pub use duration::DurationError;
pub use error::ConfigError;
pub use field::Field;
