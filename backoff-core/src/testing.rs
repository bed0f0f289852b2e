//! Tests without real time: virtual clocks, scripted draws, a recorder.
//!
//! By hand, pass a [`VirtualTime`] with `.time(&time)` and [`Draws`] with `.random(&draws)`. Annotated functions, and
//! everything else that runs on the default time, run in virtual time inside [`VirtualTime::enter`] (this thread) or
//! [`VirtualTime::scope`] (this future, wherever it is polled).
//!
//! ```
//! use backoff_core::exponential_backoff;
//! use backoff_core::testing::VirtualTime;
//! use std::time::Duration;
//!
//! #[exponential_backoff]
//! fn record() -> Option<u8> {
//!     None
//! }
//!
//! let time = VirtualTime::new();
//! let _guard = time.enter();
//! assert_eq!(record(), None);
//! assert_eq!(time.sleeps(), [200, 400, 800, 1600, 500].map(Duration::from_millis));
//! ```

mod draws;
mod guard;
mod recorder;
mod virtual_time;

pub use draws::Draws;
pub use guard::Guard;
pub(crate) use guard::entered;
#[cfg(not(target_os = "unknown"))]
pub(crate) use guard::scripted_draw;
pub use recorder::{Recorded, Recorder};
pub use virtual_time::{VirtualSleep, VirtualTime};
