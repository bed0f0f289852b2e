//! A clock that stands still.

use std::cell::Cell;
use std::time::Duration;

use backoff_core::clock::{Clock, Sleep};

/// Stands still, and its sleeps take no time: they are counted. A thousand of them are a run that never ends.
#[derive(Default)]
pub(crate) struct Stopped(pub(crate) Cell<u32>);

impl Clock for Stopped {
    type Instant = u64;

    fn now(&self) -> u64 {
        0
    }

    fn elapsed(&self, _: u64, _: u64) -> Duration {
        Duration::ZERO
    }
}

impl Sleep for Stopped {
    fn sleep(&self, _: Duration) {
        self.0.set(self.0.get() + 1);
        assert!(self.0.get() < 1_000, "the run does not end");
    }
}
