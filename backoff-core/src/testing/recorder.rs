//! What a run told its observers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::error::Stop;
use crate::event::{GiveUp, Retry, Success};
use crate::waiter::Observer;

/// Writes down what a run tells its observers. Clones share one record.
///
/// ```
/// use backoff_core::testing::{Recorded, Recorder, VirtualTime};
/// use backoff_core::ExponentialBackoff;
/// use std::time::Duration;
///
/// let recorder = Recorder::new();
/// let policy = ExponentialBackoff::new().max_attempts(2).time(VirtualTime::new());
/// let _ = policy.observe(recorder.clone()).wait(|| None::<u8>);
/// assert_eq!(recorder.retries(), [(1, Duration::from_millis(200))]);
/// assert!(matches!(recorder.events()[1], Recorded::GiveUp(stop) if stop.attempts == 2));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<Vec<Recorded>>>);

/// An event without its failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// Another attempt followed.
    Retry {
        /// The number of the attempt that failed.
        attempt: u32,
        /// The sleep that was decided.
        delay: Duration,
        /// The time since the start.
        elapsed: Duration,
        /// What remained before the sleep.
        remaining: Option<Duration>,
    },
    /// The run ended without success.
    GiveUp(Stop),
    /// The run ended with a success.
    Success {
        /// How many attempts it took.
        attempts: u32,
    },
}

impl Recorder {
    /// An empty record.
    ///
    /// ```
    /// assert!(backoff_core::testing::Recorder::new().events().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Everything so far, in order.
    ///
    /// ```
    /// assert!(backoff_core::testing::Recorder::new().events().is_empty());
    /// ```
    #[must_use]
    pub fn events(&self) -> Vec<Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The attempt number and the sleep of every retry so far.
    ///
    /// ```
    /// assert!(backoff_core::testing::Recorder::new().retries().is_empty());
    /// ```
    #[must_use]
    pub fn retries(&self) -> Vec<(u32, Duration)> {
        let retry = |event| match event {
            Recorded::Retry { attempt, delay, .. } => Some((attempt, delay)),
            _ => None,
        };
        self.events().into_iter().filter_map(retry).collect()
    }

    fn push(&self, event: Recorded) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }
}

impl<F> Observer<F> for Recorder {
    fn retry(&mut self, event: &Retry<'_, F>) {
        let Retry { attempt, delay, elapsed, remaining, .. } = *event;
        self.push(Recorded::Retry { attempt, delay, elapsed, remaining });
    }

    fn give_up(&mut self, event: &GiveUp<'_, F>) {
        self.push(Recorded::GiveUp(event.stop));
    }

    fn success(&mut self, event: &Success) {
        self.push(Recorded::Success { attempts: event.attempts });
    }
}
