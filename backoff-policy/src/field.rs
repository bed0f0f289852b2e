//! The fields of a policy, by name.

use core::fmt;

/// One field of a policy.
///
/// ```
/// use backoff_policy::Field;
/// assert_eq!(Field::MaxDelay.name(), "max_delay");
/// assert_eq!(Field::from_name("budget"), Some(Field::Budget));
/// assert_eq!(Field::from_name("bugdet"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The delay before the second attempt.
    Initial,
    /// The total time of a run.
    Budget,
    /// What each delay is multiplied by to get the next one.
    Multiplier,
    /// The longest delay.
    MaxDelay,
    /// The most attempts, the first included.
    MaxAttempts,
    /// How a sleep is spread inside its delay.
    Jitter,
    /// What happens to a sleep that reaches the end of the budget.
    FinalSleep,
    /// The longest server hint that is obeyed.
    MaxHint,
    /// The longest time of one attempt. Not part of a policy: it needs a timer, so it belongs to the waiter.
    AttemptTimeout,
}

impl Field {
    /// Every field, in the order of the documentation; those of a policy first.
    pub const ALL: [Self; 9] = [
        Self::Initial,
        Self::Budget,
        Self::Multiplier,
        Self::MaxDelay,
        Self::MaxAttempts,
        Self::Jitter,
        Self::FinalSleep,
        Self::MaxHint,
        Self::AttemptTimeout,
    ];

    /// The names of the fields of a policy, in the order of [`Field::ALL`].
    pub const POLICY: [&'static str; 8] = {
        let mut names = [""; 8];
        let mut i = 0;
        while i < names.len() {
            names[i] = Self::NAMES[i];
            i += 1;
        }
        names
    };

    /// The names of every field, in the order of [`Field::ALL`].
    pub const NAMES: [&'static str; 9] = [
        "initial",
        "budget",
        "multiplier",
        "max_delay",
        "max_attempts",
        "jitter",
        "final_sleep",
        "max_hint",
        "attempt_timeout",
    ];

    /// The name as it is written in the attribute, in a file and in code.
    ///
    /// ```
    /// assert_eq!(backoff_policy::Field::Initial.name(), "initial");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The field of that name.
    ///
    /// ```
    /// assert_eq!(backoff_policy::Field::from_name("Initial"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
