//! What a run is told, and what it answers.

use core::time::Duration;

use crate::error::Stop;

/// What is known of a failed attempt.
///
/// ```
/// use backoff_core::run::Failure;
/// use std::time::Duration;
/// assert!(!Failure::permanent().transient);
/// assert_eq!(Failure::transient().hint(Some(Duration::from_secs(1))).hint, Some(Duration::from_secs(1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Whether another attempt may help.
    pub transient: bool,
    /// How long the server asked to wait. Zero counts as none.
    pub hint: Option<Duration>,
}

impl Failure {
    /// A failure that another attempt may mend.
    #[must_use]
    pub const fn transient() -> Self {
        Self { transient: true, hint: None }
    }

    /// A failure that no attempt will mend.
    #[must_use]
    pub const fn permanent() -> Self {
        Self { transient: false, hint: None }
    }

    /// The same failure with a server hint.
    #[must_use]
    pub const fn hint(self, hint: Option<Duration>) -> Self {
        Self { hint, ..self }
    }
}

/// Where a run stands in time, as measured by whoever drives it.
///
/// ```
/// use backoff_core::run::Elapsed;
/// use std::time::Duration;
/// let elapsed = Elapsed::since_start(Duration::from_secs(1)).deadline(Some(Duration::from_secs(5)));
/// assert_eq!(elapsed.deadline, Some(Duration::from_secs(5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elapsed {
    /// The time since just before the first attempt.
    pub elapsed: Duration,
    /// A deadline from outside, counted from the same moment.
    pub deadline: Option<Duration>,
}

impl Elapsed {
    /// That long since the run started, without a deadline.
    #[must_use]
    pub const fn since_start(elapsed: Duration) -> Self {
        Self { elapsed, deadline: None }
    }

    /// The same with a deadline, counted from the start of the run.
    #[must_use]
    pub const fn deadline(self, deadline: Option<Duration>) -> Self {
        Self { deadline, ..self }
    }
}

/// What to do after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a decision has to be carried out"]
pub enum Decision {
    /// Sleep, then make another attempt.
    Sleep(Pause),
    /// The run is over.
    Stop(Stop),
}

/// A sleep between two attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// How long to sleep: what is handed to the clock, in one piece.
    pub sleep: Duration,
    /// The number of the attempt that failed, from 1.
    pub attempt: u32,
    /// The time since the start of the run, as it was given.
    pub elapsed: Duration,
    /// What remains of budget and deadline before the sleep; none if there is neither.
    pub remaining: Option<Duration>,
}

/// A sleep that was cut short.
///
/// ```
/// use backoff_core::run::Cut;
/// use std::time::Duration;
/// let cut = Cut { planned: Duration::from_secs(10), slept: Duration::from_millis(300) };
/// assert!(cut.slept < cut.planned);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What was to be slept.
    pub planned: Duration,
    /// What was slept.
    pub slept: Duration,
}
