//! The decision machine: a failure and the time in, "sleep" or "stop" out.
//!
//! No clock, no sleep, no closure: every rule about retrying is decided here, once, and the drivers for threads and
//! futures, the attribute and the tests only carry out what [`Run::failed`] says.

mod facts;
mod next;
mod packed;

use core::time::Duration;

pub use facts::{Cut, Decision, Elapsed, Failure, Pause};
pub(crate) use packed::Packed;

use crate::ExponentialBackoff;
use crate::error::{Reason, Stop};
use crate::random::Random;

/// The state of one run: how many attempts have failed, how long it has slept, and whether the end is in sight.
///
/// Sixteen bytes; the policy stays outside, so that any number of runs share it.
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use backoff_core::random::NoRandom;
/// use backoff_core::run::{Decision, Elapsed, Failure, Run};
/// use std::time::Duration;
///
/// let policy = ExponentialBackoff::new();
/// let mut run = Run::new();
/// let elapsed = Elapsed::since_start(Duration::from_millis(30));
/// let Decision::Sleep(pause) = run.failed(&policy, Failure::transient(), elapsed, &NoRandom) else { panic!() };
/// assert_eq!(pause.sleep, Duration::from_millis(200));
/// assert_eq!(pause.remaining, Some(Duration::from_millis(3_470)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    slept: u64,
    failed: u32,
    /// Set by a sleep that reached the end: why the run is over after the attempt that follows it.
    ending: Option<Reason>,
}

/// The nearer of budget and deadline, counted from the start of the run.
#[derive(Clone, Copy)]
struct End {
    at: Duration,
    reason: Reason,
}

impl Run {
    /// A run before its first attempt.
    #[must_use]
    pub const fn new() -> Self {
        Self { slept: 0, failed: 0, ending: None }
    }

    /// The number of the attempt that is next or under way, from 1.
    ///
    /// ```
    /// assert_eq!(backoff_core::run::Run::new().attempt(), 1);
    /// ```
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.failed.saturating_add(1)
    }

    /// Whether the next attempt is the last whatever the clock says, because the sleep before it was trimmed.
    ///
    /// ```
    /// assert!(!backoff_core::run::Run::new().is_last());
    /// ```
    #[must_use]
    pub const fn is_last(&self) -> bool {
        self.ending.is_some()
    }

    /// The sum of all sleeps, up to 584 years.
    ///
    /// ```
    /// assert!(backoff_core::run::Run::new().slept().is_zero());
    /// ```
    #[must_use]
    pub const fn slept(&self) -> Duration {
        Duration::from_nanos(self.slept)
    }

    /// How long the run may still last: the nearer end of budget and deadline less what has passed, or none if it has
    /// neither.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, run::{Elapsed, Run}};
    /// # use std::time::Duration;
    /// let elapsed = Elapsed::since_start(Duration::from_secs(9));
    /// assert_eq!(Run::remaining(&ExponentialBackoff::new(), elapsed), Some(Duration::ZERO));
    /// ```
    #[must_use]
    pub fn remaining(policy: &ExponentialBackoff, elapsed: Elapsed) -> Option<Duration> {
        end(policy, elapsed.deadline).map(|end| end.at.saturating_sub(elapsed.elapsed))
    }

    /// Decides what follows a failed attempt. Call it once for each.
    ///
    /// The rules, in this order: a permanent failure ends the run; so do the last of `max_attempts`, the attempt after a
    /// trimmed sleep, the end of the budget or deadline, and a hint that is too long or does not fit. Otherwise the
    /// delay is spread by jitter, on top of the hint if there is one, and trimmed if it reaches the end.
    #[inline]
    pub fn failed<R: Random>(
        &mut self,
        policy: &ExponentialBackoff,
        failure: Failure,
        time: Elapsed,
        random: &R,
    ) -> Decision {
        let k = self.failed;
        self.failed = self.attempt();
        if !failure.transient {
            return self.stop(Reason::NotRetryable, time);
        }
        if policy.get_max_attempts().is_some_and(|most| self.failed >= most) {
            return self.stop(Reason::Attempts, time);
        }
        if let Some(reason) = self.ending {
            return self.stop(reason, time);
        }
        if failure.hint.is_none() {
            if let Ok(decision) = self.next::<u64, R>(policy, k, None, time, random) {
                return decision;
            }
        }
        self.next_in_128_bits(policy, k, failure, time, random)
    }

    /// Ends the run because it was cancelled, before its first attempt or after `slept` of the sleep that was decided
    /// last.
    ///
    /// ```
    /// use backoff_core::Reason;
    /// use backoff_core::run::{Elapsed, Run};
    /// use std::time::Duration;
    /// let stop = Run::new().cancelled(None, Elapsed::since_start(Duration::ZERO));
    /// assert_eq!((stop.reason, stop.attempts), (Reason::Cancelled, 0));
    /// ```
    #[must_use]
    pub fn cancelled(&mut self, cut: Option<Cut>, time: Elapsed) -> Stop {
        if let Some(Cut { planned, slept }) = cut {
            self.correct(planned, slept.min(planned));
        }
        self.stopped(Reason::Cancelled, None, time)
    }

    /// Ends the run instead of the sleep that was decided last, because a guard refuses the retry.
    ///
    /// ```
    /// use backoff_core::random::NoRandom;
    /// use backoff_core::run::{Decision, Elapsed, Failure, Run};
    /// use backoff_core::{ExponentialBackoff, Reason};
    /// use std::time::Duration;
    ///
    /// let (mut run, time) = (Run::new(), Elapsed::since_start(Duration::ZERO));
    /// let decision = run.failed(&ExponentialBackoff::new(), Failure::transient(), time, &NoRandom);
    /// let Decision::Sleep(pause) = decision else { panic!() };
    /// let stop = run.refused(Reason::RetryBudget, &pause, time);
    /// assert_eq!((stop.reason, stop.attempts, stop.slept), (Reason::RetryBudget, 1, Duration::ZERO));
    /// ```
    #[must_use]
    pub fn refused(&mut self, reason: Reason, pause: &Pause, time: Elapsed) -> Stop {
        self.correct(pause.sleep, Duration::ZERO);
        self.stopped(reason, None, time)
    }

    /// Ends the run because what it waits for lies behind its end: the nearer one of budget and deadline is the reason.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Reason, run::{Elapsed, Run}};
    /// # use std::time::Duration;
    /// let stop = Run::new().over(&ExponentialBackoff::new(), None, Elapsed::since_start(Duration::ZERO));
    /// assert_eq!(stop.reason, Reason::Budget);
    /// ```
    #[must_use]
    pub fn over(&mut self, policy: &ExponentialBackoff, cut: Option<Cut>, time: Elapsed) -> Stop {
        if let Some(Cut { planned, slept }) = cut {
            self.correct(planned, slept);
        }
        self.stopped(end(policy, time.deadline).map_or(Reason::Budget, |end| end.reason), None, time)
    }

    /// Corrects the sum of all sleeps, if guards made the sleep that was decided last a longer or shorter one.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, random::NoRandom, run::{Decision, Elapsed, Failure, Run}};
    /// # use std::time::Duration;
    /// let (mut run, time) = (Run::new(), Elapsed::since_start(Duration::ZERO));
    /// let decision = run.failed(&ExponentialBackoff::new(), Failure::transient(), time, &NoRandom);
    /// let Decision::Sleep(pause) = decision else { panic!() };
    /// run.rested(&pause, Duration::from_secs(1));
    /// assert_eq!(run.slept(), Duration::from_secs(1));
    /// ```
    pub fn rested(&mut self, pause: &Pause, slept: Duration) {
        self.correct(pause.sleep, slept);
    }

    fn correct(&mut self, planned: Duration, slept: Duration) {
        let before = self.slept.saturating_sub(in_u64(planned.as_nanos()));
        self.slept = before.saturating_add(in_u64(slept.as_nanos()));
    }

    #[cold]
    fn stop(&self, reason: Reason, time: Elapsed) -> Decision {
        Decision::Stop(self.stopped(reason, None, time))
    }

    #[cold]
    fn stop_for_hint(&self, hint: Duration, time: Elapsed) -> Decision {
        Decision::Stop(self.stopped(Reason::Hint, Some(hint), time))
    }

    fn stopped(&self, reason: Reason, hint: Option<Duration>, time: Elapsed) -> Stop {
        Stop { reason, hint, attempts: self.failed, elapsed: time.elapsed, slept: self.slept() }
    }
}

#[inline]
fn end(policy: &ExponentialBackoff, deadline: Option<Duration>) -> Option<End> {
    let budget = policy.get_budget().map(|at| End { at, reason: Reason::Budget });
    let deadline = deadline.map(|at| End { at, reason: Reason::Deadline });
    match (budget, deadline) {
        (Some(budget), Some(deadline)) => Some(if deadline.at < budget.at { deadline } else { budget }),
        (budget, deadline) => budget.or(deadline),
    }
}

fn in_u64(nanos: u128) -> u64 {
    u64::try_from(nanos).unwrap_or(u64::MAX)
}
