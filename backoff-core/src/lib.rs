#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
mod cancel;
pub mod clock;
#[cfg(feature = "std")]
pub mod deadline;
mod delay;
pub mod error;
pub mod event;
pub mod guard;
pub mod hint;
mod jitter;
#[cfg(feature = "metrics")]
pub mod metrics;
pub mod outcome;
pub mod policy;
pub mod random;
pub mod run;
#[cfg(feature = "testing")]
pub mod testing;
pub mod waiter;

#[cfg(feature = "std")]
pub use cancel::{CancelToken, Cancellable, CancellableSleep};
pub use error::{AttemptTimeout, ConfigError, NotYet, Reason, RetryError, Stop};
pub use hint::RetryAfter;
pub use policy::{ExponentialBackoff, FinalSleep, Jitter};
pub use waiter::{Attempt, Waiter};

#[cfg(feature = "macros")]
pub use backoff_macros::exponential_backoff;

#[doc(hidden)]
pub mod __private;
