//! The policy in one line.

use core::fmt;

use super::{ExponentialBackoff, Jitter};
use backoff_policy::duration::text;
use backoff_policy::limits;

/// One line, with every field that decides something: `200ms x2, full jitter, budget 3.5s, spread`.
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use std::time::Duration;
/// let policy = ExponentialBackoff::new().unlimited().max_delay(Duration::from_secs(1)).max_attempts(1);
/// assert_eq!(policy.to_string(), "200ms x2 up to 1s, no jitter, no budget, trim, 1 attempt");
/// ```
impl fmt::Display for ExponentialBackoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x{}", text(self.initial), self.multiplier)?;
        if let Some(max_delay) = self.max_delay {
            write!(f, " up to {}", text(max_delay))?;
        }
        match self.jitter {
            Jitter::None => f.write_str(", no jitter")?,
            jitter => write!(f, ", {jitter} jitter")?,
        }
        match self.budget {
            Some(budget) => write!(f, ", budget {}", text(budget))?,
            None => f.write_str(", no budget")?,
        }
        write!(f, ", {}", self.get_final_sleep())?;
        match self.max_attempts {
            Some(1) => f.write_str(", 1 attempt")?,
            Some(attempts) => write!(f, ", {attempts} attempts")?,
            None => {}
        }
        if self.max_hint != limits::MAX_HINT {
            write!(f, ", hints up to {}", text(self.max_hint))?;
        }
        Ok(())
    }
}
