//! What an observer is told. Observers return nothing and can't change how a run ends.

use core::time::Duration;

use crate::error::Stop;
use crate::run::Pause;

/// Another attempt will follow: told before each sleep.
///
/// ```
/// use backoff_core::{ExponentialBackoff, event::Retry};
/// use std::time::Duration;
///
/// let mut planned = Vec::new();
/// let mut left = 1;
/// let value = ExponentialBackoff::new()
///     .initial(Duration::from_millis(1))
///     .on_retry(|retry: &Retry<'_, &str>| planned.push((retry.attempt, retry.delay)))
///     .retry(|| if left > 0 { left -= 1; Err("down") } else { Ok(7) });
/// assert_eq!(value, Ok(7));
/// assert_eq!(planned, [(1, Duration::from_millis(1))]);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Retry<'a, F> {
    /// The name of the operation; empty if it has none.
    pub name: &'static str,
    /// The number of the attempt that failed, from 1.
    pub attempt: u32,
    /// How long the run will sleep now.
    pub delay: Duration,
    /// The time since just before the first attempt.
    pub elapsed: Duration,
    /// What remains of budget and deadline, before this sleep; none if the run has neither.
    pub remaining: Option<Duration>,
    /// The failure; none if the attempt was cut by its timeout.
    pub failure: Option<&'a F>,
}

/// The run ends without success: told once.
///
/// ```
/// use backoff_core::{ExponentialBackoff, Reason, event::GiveUp};
///
/// let mut reasons = Vec::new();
/// let _ = ExponentialBackoff::new()
///     .max_attempts(1)
///     .on_give_up(|end: &GiveUp<'_, &str>| reasons.push(end.stop.reason))
///     .retry(|| Err::<(), _>("down"));
/// assert_eq!(reasons, [Reason::Attempts]);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct GiveUp<'a, F> {
    /// The name of the operation; empty if it has none.
    pub name: &'static str,
    /// Why, after how many attempts, and how long it took.
    pub stop: Stop,
    /// The last failure; none if no attempt was made, or the last was cut by its timeout.
    pub failure: Option<&'a F>,
}

/// The run ends with a success: told once.
///
/// ```
/// use backoff_core::{ExponentialBackoff, event::Success};
///
/// let mut attempts = Vec::new();
/// let _ = ExponentialBackoff::new()
///     .on_success(|success: &Success| attempts.push(success.attempts))
///     .retry(|| Ok::<_, &str>(7));
/// assert_eq!(attempts, [1]);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Success {
    /// The name of the operation; empty if it has none.
    pub name: &'static str,
    /// How many attempts it took, the first included.
    pub attempts: u32,
    /// The sum of all sleeps.
    pub slept: Duration,
}

impl Pause {
    /// The event of a retry.
    pub(crate) fn event<'a, F>(&self, name: &'static str, failure: Option<&'a F>) -> Retry<'a, F> {
        let Self { sleep, attempt, elapsed, remaining } = *self;
        Retry { name, attempt, delay: sleep, elapsed, remaining, failure }
    }
}

impl Stop {
    /// The event of giving up.
    pub(crate) fn event<'a, F>(&self, name: &'static str, failure: Option<&'a F>) -> GiveUp<'a, F> {
        GiveUp { name, stop: *self, failure }
    }
}
