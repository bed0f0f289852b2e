//! A run that a guard did not let begin.

use core::error::Error;
use core::fmt;
use core::time::Duration;

use backoff_policy::duration::text;

use crate::error::{Reason, Stop};

/// No attempt was made, because a guard did not allow one: the circuit is open, or the pacer's turn lies behind the end of the
/// run.
///
/// An annotated function returns its own type, so a rejection becomes one: `None` for an `Option`, and for a `Result` an error
/// made from this by `From`. `std::io::Error` and `String` can be, and so can every boxed error; for others write the `From`, or say
/// with `exhausted` what to return.
///
/// ```
/// use backoff_core::guard::{CircuitBreaker, Moment};
/// let breaker = CircuitBreaker::new().failures(1);
/// let _ = breaker.call(|| Err::<(), _>("down"));
/// let rejected = breaker.call(|| Ok::<_, ()>(7)).unwrap_err();
/// assert!(rejected.retry_after().is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejected {
    reason: Reason,
    retry_after: Option<Duration>,
}

impl Rejected {
    #[cfg(feature = "std")]
    pub(super) const fn circuit_open(retry_after: Duration) -> Self {
        Self { reason: Reason::CircuitOpen, retry_after: Some(retry_after) }
    }

    pub(crate) const fn of(stop: &Stop) -> Self {
        Self { reason: stop.reason, retry_after: stop.hint }
    }

    /// The end of a run that was rejected after so much time.
    pub(crate) const fn stop(&self, elapsed: Duration) -> Stop {
        Stop { reason: self.reason, hint: self.retry_after, attempts: 0, elapsed, slept: Duration::ZERO }
    }

    /// Why: [`CircuitOpen`](Reason::CircuitOpen), or the end of the run that the pacer's turn lies behind.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// How long to stay away, if that is known.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl Stop {
    /// What kept the run from its first attempt. None if there was an attempt, or if the run was cancelled.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_core::guard::CircuitBreaker;
    /// let breaker = CircuitBreaker::new().failures(1);
    /// let call = || ExponentialBackoff::new().max_attempts(1).breaker(&breaker).retry(|| Err::<(), _>("down"));
    /// assert_eq!(call().unwrap_err().stop().rejection(), None);
    /// assert!(call().unwrap_err().stop().rejection().is_some());
    /// ```
    #[must_use]
    pub const fn rejection(&self) -> Option<Rejected> {
        if self.attempts == 0 && !matches!(self.reason, Reason::Cancelled) { Some(Rejected::of(self)) } else { None }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no attempt was made: {}", self.reason)?;
        match self.retry_after {
            Some(retry_after) => write!(f, "; try again in {}", text(retry_after)),
            None => Ok(()),
        }
    }
}

impl Error for Rejected {}

#[cfg(feature = "std")]
impl From<Rejected> for std::io::Error {
    fn from(rejected: Rejected) -> Self {
        Self::new(std::io::ErrorKind::ConnectionRefused, rejected)
    }
}

#[cfg(feature = "std")]
impl From<Rejected> for std::string::String {
    fn from(rejected: Rejected) -> Self {
        std::string::ToString::to_string(&rejected)
    }
}
