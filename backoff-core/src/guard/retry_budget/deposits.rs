//! Deposits that requests make and that expire.

use core::fmt;
use core::time::Duration;

use super::{NOT_EXACT, Now, RetryTokens, TOKEN, Taken, thousandths};
use crate::guard::lock::Lock;
use crate::guard::setting::{is_at_most, setting};
use crate::guard::window::Window;

/// Every first attempt deposits a share of a retry, every retry withdraws one, and both are forgotten after a while: the
/// rule of Finagle's `RetryBudget`.
///
/// The default: a fifth of a retry for each request, for ten seconds, and a reserve of ten retries for each second, so
/// that a client with little traffic can retry at all. Unlike [`RetryBudget`](super::RetryBudget) it counts requests
/// and not successes, so in an outage it goes on allowing retries, at `ratio` of the requests. What a retry took that never
/// happened, because its run was dropped or cancelled, is not put back: like all withdrawals it is forgotten after `ttl`.
///
/// ```
/// use backoff_core::guard::{Moment, RetryDeposits, RetryTokens};
///
/// static DEPOSITS: RetryDeposits = RetryDeposits::new().ratio(0.5).reserve(0);
/// let now = &|| Moment::at(std::time::Duration::ZERO);
/// DEPOSITS.began(now);
/// assert!(DEPOSITS.take(now).is_none());
/// DEPOSITS.began(now);
/// assert!(DEPOSITS.take(now).is_some());
/// ```
pub struct RetryDeposits {
    window: Lock<Window<i64>>,
    ratio: u32,
    reserve: u32,
    ttl: Duration,
}

impl RetryDeposits {
    /// A fifth of a retry for each request, kept for ten seconds, and ten retries for each second.
    #[must_use]
    pub const fn new() -> Self {
        Self { window: Lock::new(Window::new(0)), ratio: TOKEN / 5, reserve: 10, ttl: Duration::from_secs(10) }
    }

    setting! {
        /// Sets the share of a retry that a request deposits: from 0 to 1,000 in steps of 0.001, by default 0.2.
        ///
        /// ```
        /// # use backoff_core::guard::RetryDeposits;
        /// assert!(RetryDeposits::new().try_ratio(f64::INFINITY).is_err());
        /// ```
        ratio / try_ratio(self, share: f64)
            if thousandths(share) != NOT_EXACT,
            else "`ratio` of retry deposits must be from 0 to 1,000, in steps of 0.001";
            self.ratio = thousandths(share)
    }

    setting! {
        /// Sets how many retries a second are allowed on top, on average over the time that deposits live: up to 1,000,000,
        /// by default 10.
        ///
        /// ```
        /// # use backoff_core::guard::RetryDeposits;
        /// static DEPOSITS: RetryDeposits = RetryDeposits::new().reserve(0);
        /// ```
        reserve / try_reserve(self, retries: u32)
            if retries <= 1_000_000, else "`reserve` of retry deposits must be at most 1,000,000 retries a second";
            self.reserve = retries
    }

    setting! {
        /// Sets how long a deposit lives: from 1 s to 60 s, by default 10 s.
        ///
        /// ```
        /// # use backoff_core::guard::RetryDeposits;
        /// assert!(RetryDeposits::new().try_ttl(std::time::Duration::ZERO).is_err());
        /// ```
        ttl / try_ttl(self, ttl: Duration)
            if ttl.as_secs() >= 1 && is_at_most(ttl, 60), else "`ttl` of retry deposits must be from 1s to 60s";
            self.ttl = ttl
    }

    /// How many retries there could be at that moment.
    ///
    /// ```
    /// # use backoff_core::guard::{Moment, RetryDeposits};
    /// assert_eq!(RetryDeposits::new().balance(Moment::now()), 100);
    /// ```
    #[must_use]
    pub fn balance(&self, now: super::Moment) -> u64 {
        let balance = self.thousandths(&self.window.lock(), now) / i64::from(TOKEN);
        u64::try_from(balance).unwrap_or(0)
    }

    fn thousandths(&self, window: &Window<i64>, now: super::Moment) -> i64 {
        let reserve = self.ttl.as_secs_f64() * f64::from(self.reserve) * f64::from(TOKEN);
        #[expect(clippy::cast_possible_truncation, reason = "at most 60 s of a million retries")]
        let reserve = reserve as i64;
        reserve + window.sum(now, self.ttl, 0)
    }

    fn add(&self, thousandths: i64, now: super::Moment) {
        self.window.lock().add(now, self.ttl, 0, thousandths);
    }
}

impl RetryTokens for RetryDeposits {
    fn began(&self, now: Now<'_>) {
        self.add(i64::from(self.ratio), now());
    }

    fn take(&self, now: Now<'_>) -> Option<Taken> {
        let now = now();
        let mut window = self.window.lock();
        if self.thousandths(&window, now) < i64::from(TOKEN) {
            return None;
        }
        window.add(now, self.ttl, 0, -i64::from(TOKEN));
        Some(Taken(TOKEN))
    }
}

impl Default for RetryDeposits {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for RetryDeposits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryDeposits").field("ratio", &self.ratio).field("ttl", &self.ttl).finish_non_exhaustive()
    }
}
