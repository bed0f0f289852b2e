//! Refusals in proportion to how much the service rejects.

use core::fmt;
use core::time::Duration;

use super::{Now, RetryTokens, Taken};
use crate::guard::lock::Lock;
use crate::guard::setting::setting;
use crate::guard::window::Window;

/// Refuses retries by the share of requests that the service does not accept: adaptive throttling, from the chapter on
/// overload of the book *Site Reliability Engineering*.
///
/// With `requests` and `accepts` over the last two minutes, a retry is refused with probability
/// `(requests - k * accepts) / (requests + 1)`, where that is above zero. What is due is refused evenly and not by
/// chance: of a hundred retries at 0.3, thirty. Unlike in the book, first attempts always pass.
///
/// ```
/// use backoff_core::guard::AdaptiveThrottle;
/// assert_eq!(AdaptiveThrottle::probability(100, 20, 2.0), 60.0 / 101.0);
/// ```
pub struct AdaptiveThrottle {
    state: Lock<State>,
    k: f64,
}

struct State {
    /// Both at most a window of two minutes of them.
    requests: Window<u64>,
    accepts: Window<u64>,
    /// The part of a refusal that is due and was not made yet.
    due: f64,
}

const LENGTH: Duration = Duration::from_secs(120);

impl AdaptiveThrottle {
    /// Refuses from half of the requests on that are not accepted: `k` is 2.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: Lock::new(State { requests: Window::new(0), accepts: Window::new(0), due: 0.0 }), k: 2.0 }
    }

    setting! {
        /// Sets how many requests there may be for each that is accepted, before retries are refused: from 1 to 1,000, by
        /// default 2. The lower, the stricter.
        ///
        /// ```
        /// # use backoff_core::guard::AdaptiveThrottle;
        /// static THROTTLE: AdaptiveThrottle = AdaptiveThrottle::new().requests_per_accept(1.1);
        /// ```
        requests_per_accept / try_requests_per_accept(self, k: f64)
            if matches!(k, 1.0..=1_000.0), else "`requests_per_accept` of an adaptive throttle must be from 1 to 1,000";
            self.k = k
    }

    /// The probability of a refusal.
    ///
    /// ```
    /// # use backoff_core::guard::AdaptiveThrottle;
    /// assert_eq!(AdaptiveThrottle::probability(10, 5, 2.0), 0.0);
    /// ```
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of two minutes")]
    pub fn probability(requests: u64, accepts: u64, k: f64) -> f64 {
        ((requests as f64 - k * accepts as f64) / (requests as f64 + 1.0)).max(0.0)
    }
}

impl RetryTokens for AdaptiveThrottle {
    fn began(&self, now: Now<'_>) {
        self.state.lock().requests.add(now(), LENGTH, 0, 1);
    }

    fn take(&self, now: Now<'_>) -> Option<Taken> {
        let now = now();
        let mut state = self.state.lock();
        let (requests, accepts) = (state.requests.sum(now, LENGTH, 0), state.accepts.sum(now, LENGTH, 0));
        // A retry that is refused counts as well, or a client without first attempts would never calm down.
        state.requests.add(now, LENGTH, 0, 1);
        state.due += Self::probability(requests, accepts, self.k);
        if state.due >= 1.0 {
            state.due -= 1.0;
            return None;
        }
        Some(Taken(0))
    }

    fn succeeded(&self, _: Option<Taken>, now: Now<'_>) {
        self.state.lock().accepts.add(now(), LENGTH, 0, 1);
    }
}

impl Default for AdaptiveThrottle {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for AdaptiveThrottle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdaptiveThrottle").field("k", &self.k).finish_non_exhaustive()
    }
}
