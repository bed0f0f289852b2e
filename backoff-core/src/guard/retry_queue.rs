//! The retry queue: failed calls wait in line, and the service's own answers let the next ones go.

mod clock;
#[cfg(feature = "std")]
mod line;

pub use clock::{Settled, SuccessClock};
#[cfg(feature = "std")]
pub(crate) use line::Retry;
#[cfg(feature = "std")]
pub use line::{QueueSnapshot, RetryQueue};

use super::Moment;
use crate::random::Random;
