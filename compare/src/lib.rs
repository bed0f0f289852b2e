//! What COMPARE.md claims, as tests: `cargo test --manifest-path compare/Cargo.toml`.
//!
//! The peers run on tokio's paused clock where they allow it, so that a figure is exact. What does not compile is a
//! documentation test, next to a twin that does.

pub mod attributes;

use std::cell::RefCell;
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// When each attempt of a run started, on tokio's clock.
pub struct Log {
    started: Instant,
    attempts: RefCell<Vec<Duration>>,
}

impl Default for Log {
    fn default() -> Self {
        Self { started: Instant::now(), attempts: RefCell::default() }
    }
}

impl Log {
    /// An attempt that takes that long and fails.
    pub async fn fail_after(&self, time: Duration) {
        self.attempt();
        sleep(time).await;
    }

    /// Writes down an attempt.
    pub fn attempt(&self) {
        self.attempts.borrow_mut().push(self.started.elapsed());
    }

    /// The starts of all attempts, in milliseconds.
    pub fn starts(&self) -> Vec<u128> {
        self.attempts.borrow().iter().copied().map(in_ms).collect()
    }

    /// The time since the start, in milliseconds.
    pub fn now(&self) -> u128 {
        in_ms(self.started.elapsed())
    }
}

/// To the last ten: tokio rounds a sleep up to its next millisecond.
fn in_ms(time: Duration) -> u128 {
    time.as_millis() / 10 * 10
}

/// Milliseconds.
pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Seconds.
pub const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// The clock that the crate `backoff` reads, driven by tokio's.
pub struct TokioClock {
    std: std::time::Instant,
    tokio: Instant,
}

impl Default for TokioClock {
    fn default() -> Self {
        Self { std: std::time::Instant::now(), tokio: Instant::now() }
    }
}

impl backoff::Clock for TokioClock {
    fn now(&self) -> std::time::Instant {
        self.std + self.tokio.elapsed()
    }
}
