//! Fields whose value is one of a few words.

use core::fmt;
use core::str::FromStr;

use crate::{ConfigError, Field};

/// How a sleep is spread inside its delay: `sleep = floor + draw(0..=width)`, in whole nanoseconds, both ends included.
///
/// | jitter | floor | width |
/// |---|---|---|
/// | `none` (default) | delay | 0 |
/// | `full` | 0 | delay |
/// | `equal` | delay / 2, rounded down | delay - floor |
///
/// The cap comes first, so a sleep is never longer than `max_delay`, and jitter keeps its full width at the cap. A
/// jittered sleep is at least 1 µs. After a server hint the floor is the hint and the width stays.
///
/// ```
/// use backoff_policy::Jitter;
/// assert_eq!("full".parse(), Ok(Jitter::Full));
/// assert_eq!(
///     "ful".parse::<Jitter>().unwrap_err().to_string(),
///     "`jitter` can't be `ful`: choose `none`, `full` or `equal`; did you mean `full`?"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Jitter {
    /// Every sleep is the whole delay.
    #[default]
    None,
    /// Anywhere between nothing and the delay: the widest spread.
    Full,
    /// Half of the delay for sure, the other half drawn.
    Equal,
}

/// What happens to a sleep that reaches the end of the budget or passes it. In every case the run ends after it.
///
/// The default is `spread` when there is jitter, and `trim` otherwise.
///
/// ```
/// use backoff_policy::FinalSleep;
/// assert_eq!("skip".parse(), Ok(FinalSleep::Skip));
/// assert_eq!(FinalSleep::Spread.to_string(), "spread");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FinalSleep {
    /// Sleep exactly what remains, then make one last attempt.
    Trim,
    /// Sleep half of what remains and a draw from the other half, so that clients which failed together do not make
    /// their last attempt together.
    Spread,
    /// No trimmed attempt: stop.
    Skip,
}

macro_rules! words {
    ($choice:ident, $field:ident, $($variant:ident = $word:literal),+) => {
        impl $choice {
            /// The words that name a value, in the order of the variants.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word that names this value.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl FromStr for $choice {
            type Err = ConfigError;

            fn from_str(text: &str) -> Result<Self, ConfigError> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(ConfigError::unknown_word(Field::$field, text)),
                }
            }
        }

        impl fmt::Display for $choice {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

words!(Jitter, Jitter, None = "none", Full = "full", Equal = "equal");
words!(FinalSleep, FinalSleep, Trim = "trim", Spread = "spread", Skip = "skip");
