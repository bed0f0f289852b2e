//! How a run ends without success.

mod chain;

use core::error::Error;
use core::fmt;
use core::time::Duration;

pub use backoff_policy::ConfigError;
pub use chain::{Sources, find_source, sources};

use backoff_policy::duration::{from_nanos, text};

/// Why a run ended without success. The list is closed.
///
/// ```
/// use backoff_core::{ExponentialBackoff, Reason};
/// let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
/// assert_eq!(error.reason(), Reason::Attempts);
/// assert_eq!(Reason::Attempts.to_string(), "no attempts left");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// `max_attempts` were made.
    Attempts,
    /// The budget is used up.
    Budget,
    /// The deadline from outside has come.
    Deadline,
    /// The failure is permanent: another attempt would not help.
    NotRetryable,
    /// The server asked for a longer wait than the budget or `max_hint` allows.
    Hint,
    /// The retry budget that many runs share has no tokens left.
    RetryBudget,
    /// The queue of waiting retries is full.
    RetryQueue,
    /// The circuit breaker is open.
    CircuitOpen,
    /// A [`CancelToken`](crate::CancelToken) cut the run short.
    Cancelled,
}

impl Reason {
    /// The name for logs and metrics, in snake case.
    ///
    /// ```
    /// assert_eq!(backoff_core::Reason::NotRetryable.name(), "not_retryable");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attempts => "attempts",
            Self::Budget => "budget",
            Self::Deadline => "deadline",
            Self::NotRetryable => "not_retryable",
            Self::Hint => "hint",
            Self::RetryBudget => "retry_budget",
            Self::RetryQueue => "retry_queue",
            Self::CircuitOpen => "circuit_open",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Attempts => "no attempts left",
            Self::Budget => "the budget is used up",
            Self::Deadline => "the deadline has come",
            Self::NotRetryable => "the failure is permanent",
            Self::Hint => "the server asked for too long a wait",
            Self::RetryBudget => "the shared retry budget is used up",
            Self::RetryQueue => "the queue of retries is full",
            Self::CircuitOpen => "the circuit is open",
            Self::Cancelled => "it was cancelled",
        })
    }
}

/// The end of a run that had no success: why, and what it took.
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
/// assert_eq!(error.stop().attempts, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Why the run ended.
    pub reason: Reason,
    /// The server hint, if that was the reason; or how long an open circuit asks to stay away.
    pub hint: Option<Duration>,
    /// How many attempts were made, the first included.
    pub attempts: u32,
    /// The time from just before the first attempt to the end of the last.
    pub elapsed: Duration,
    /// The sum of all sleeps.
    pub slept: Duration,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, attempts, .. } = self;
        let s = if *attempts == 1 { "" } else { "s" };
        write!(f, "gave up after {attempts} attempt{s} in {}: {reason}", text(readable(self.elapsed)))?;
        match self.hint {
            Some(rest) if *reason == Reason::CircuitOpen => write!(f, "; try again in {}", text(rest)),
            Some(hint) => write!(f, " ({})", text(hint)),
            None => Ok(()),
        }
    }
}

/// Whole milliseconds, from ten on: nobody reads the rest in a sentence, and [`Stop::elapsed`] has it.
const fn readable(elapsed: Duration) -> Duration {
    let millis = elapsed.as_millis();
    if millis < 10 { elapsed } else { from_nanos(millis * 1_000_000) }
}

/// A run that ended without success: the last failure itself, and why there was no further attempt.
///
/// `F` is the error for `Result`, [`NotYet`] for `Option`, and the value itself under `until`. It is moved here from the
/// operation, never turned into text: its own `source()` chain is intact behind [`source`](Error::source).
///
/// ```
/// use backoff_core::{ExponentialBackoff, Reason};
/// use std::error::Error as _;
///
/// let policy = ExponentialBackoff::new().max_attempts(1);
/// let error = policy.retry(|| "x".parse::<u8>()).unwrap_err();
/// assert_eq!(error.reason(), Reason::Attempts);
/// assert_eq!(error.source().unwrap().to_string(), "invalid digit found in string");
/// assert!(error.to_string().starts_with("gave up after 1 attempt in "));
/// assert!(error.to_string().ends_with(": no attempts left: invalid digit found in string"));
/// assert!(error.into_last().is_some());
/// ```
///
/// It is an [`Error`] itself if `F` is one. A boxed error and one of `anyhow` are not: where those are returned, hand the last
/// failure on, or turn it into text that says both.
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use std::error::Error;
///
/// fn load() -> Result<u8, Box<dyn Error>> {
///     let policy = ExponentialBackoff::new().max_attempts(1);
///     let load = || Err::<u8, Box<dyn Error>>("down".into());
///     Ok(policy.retry(load).map_err(|error| error.to_string())?)
/// }
/// assert!(load().unwrap_err().to_string().ends_with(": no attempts left: down"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryError<F> {
    last: Option<F>,
    stop: Stop,
}

impl<F> RetryError<F> {
    pub(crate) const fn new(last: Option<F>, stop: Stop) -> Self {
        Self { last, stop }
    }

    /// The last failure. None if no attempt was made, or if the last attempt was cut by its timeout.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
    /// assert_eq!(error.last(), Some(&"down"));
    /// ```
    #[must_use]
    pub const fn last(&self) -> Option<&F> {
        self.last.as_ref()
    }

    /// The last failure, moved out.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
    /// assert_eq!(error.into_last(), Some("down"));
    /// ```
    #[must_use]
    pub fn into_last(self) -> Option<F> {
        self.last
    }

    /// Changes the last failure into something else, for instance to give it a type of your own.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
    /// assert_eq!(error.map_last(str::len).into_last(), Some(4));
    /// ```
    pub fn map_last<G>(self, map: impl FnOnce(F) -> G) -> RetryError<G> {
        RetryError { last: self.last.map(map), stop: self.stop }
    }

    /// Everything but the failure.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Reason};
    /// # let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
    /// assert_eq!(error.stop().reason, Reason::Attempts);
    /// ```
    #[must_use]
    pub const fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Why the run ended.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Reason};
    /// # let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
    /// assert_eq!(error.reason(), Reason::Attempts);
    /// ```
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.stop.reason
    }

    /// How many attempts were made, the first included. Zero if the run was cancelled, or rejected by a guard, before it began.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
    /// assert_eq!(error.attempts(), 1);
    /// ```
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.stop.attempts
    }

    /// The time from just before the first attempt to the end of the last.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
    /// assert!(error.elapsed().as_secs() < 3);
    /// ```
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.stop.elapsed
    }

    /// The sum of all sleeps, up to 584 years.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
    /// assert!(error.slept().is_zero());
    /// ```
    #[must_use]
    pub const fn slept(&self) -> Duration {
        self.stop.slept
    }

    /// The wait that the server asked for, if that was why the run ended; or how long an open circuit asks to stay away.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # let error = ExponentialBackoff::new().max_attempts(1).retry(|| Err::<(), _>("down")).unwrap_err();
    /// assert_eq!(error.hint(), None);
    /// ```
    #[must_use]
    pub const fn hint(&self) -> Option<Duration> {
        self.stop.hint
    }
}

impl<F: fmt::Display> fmt::Display for RetryError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.stop, f)?;
        match &self.last {
            Some(last) => write!(f, ": {last}"),
            None if self.stop.attempts > 0 => write!(f, ": {AttemptTimeout}"),
            None => Ok(()),
        }
    }
}

impl<F: Error + 'static> Error for RetryError<F> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.last.as_ref().map(|last| last as _)
    }
}

/// What an `Option` says when it is `None`: not there yet.
///
/// ```
/// use backoff_core::{ExponentialBackoff, NotYet};
/// let error = ExponentialBackoff::new().max_attempts(1).wait(|| None::<u8>).unwrap_err();
/// assert_eq!(error.last(), Some(&NotYet));
/// assert_eq!(NotYet.to_string(), "the operation returned `None`");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NotYet;

impl fmt::Display for NotYet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("the operation returned `None`")
    }
}

impl Error for NotYet {}

/// An attempt that was cut by `attempt_timeout`.
///
/// An annotated function returns its own type, so a cut attempt becomes one: `None` for an `Option`, and for a `Result`
/// an error made from this by `From`. `std::io::Error`, `String`, `Box<dyn Error>` and `anyhow::Error` can be.
///
/// ```
/// use backoff_core::AttemptTimeout;
/// let error = std::io::Error::from(AttemptTimeout);
/// assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AttemptTimeout;

impl fmt::Display for AttemptTimeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("the attempt was cut by its timeout")
    }
}

impl Error for AttemptTimeout {}

#[cfg(feature = "std")]
impl From<AttemptTimeout> for std::io::Error {
    fn from(timeout: AttemptTimeout) -> Self {
        Self::new(std::io::ErrorKind::TimedOut, timeout)
    }
}

#[cfg(feature = "std")]
impl From<AttemptTimeout> for std::string::String {
    fn from(timeout: AttemptTimeout) -> Self {
        std::string::ToString::to_string(&timeout)
    }
}
