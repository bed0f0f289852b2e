//! A run in which every attempt fails, played through without waiting.

use std::time::Duration;

use backoff_core::ExponentialBackoff;
use backoff_core::error::Stop;
use backoff_core::random::Random;
use backoff_core::run::{Decision, Elapsed, Failure, Pause, Run};

/// A run of the engine in which every attempt fails. Time is a number here.
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use backoff_core::random::NoRandom;
/// use backoff_lab::failing::FailingRun;
/// use std::time::Duration;
///
/// let mut run = FailingRun::new(ExponentialBackoff::new());
/// let mut starts = vec![run.now().as_millis()];
/// while run.fail(Duration::ZERO, &NoRandom).is_some() {
///     starts.push(run.now().as_millis());
/// }
/// assert_eq!(starts, [0, 200, 600, 1_400, 3_000, 3_500]);
/// ```
#[derive(Clone, Debug)]
pub struct FailingRun {
    policy: ExponentialBackoff,
    run: Run,
    now: Duration,
    stop: Option<Stop>,
}

impl FailingRun {
    /// A run whose first attempt starts now.
    #[must_use]
    pub const fn new(policy: ExponentialBackoff) -> Self {
        Self { policy, run: Run::new(), now: Duration::ZERO, stop: None }
    }

    /// The time since the start: when the attempt under way started, or when the run ended.
    #[must_use]
    pub const fn now(&self) -> Duration {
        self.now
    }

    /// How the run ended, once it has.
    #[must_use]
    pub const fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// The attempt under way fails after `operation`. Returns the sleep before the next, or none if the run is over.
    pub fn fail<R: Random>(&mut self, operation: Duration, random: &R) -> Option<Pause> {
        if self.stop.is_some() {
            return None;
        }
        self.now = self.now.saturating_add(operation);
        match self.run.failed(&self.policy, Failure::transient(), Elapsed::since_start(self.now), random) {
            Decision::Sleep(pause) => {
                self.now = self.now.saturating_add(pause.sleep);
                Some(pause)
            }
            Decision::Stop(stop) => {
                self.stop = Some(stop);
                None
            }
        }
    }
}
