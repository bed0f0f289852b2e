//! What many runs share: retry budget, circuit breaker, retry queue, pacer.
//!
//! One client with perfect backoff is still part of a crowd. A guard is what the crowd knows together: most often a `static`,
//! named in the attribute or handed to a [`Waiter`](crate::Waiter), and shared by every call of the same service.
//!
//! | guard | asked | decides | for |
//! |---|---|---|---|
//! | [`CircuitBreaker`] | before the first attempt | whether the run begins at all | failing fast while a service is down |
//! | [`Pacer`] | before each attempt | when it begins | a service that limits how often it is called |
//! | [`RetryBudget`] | before each retry | whether it is made | keeping retries a fraction of the requests |
//! | [`RetryQueue`] | before each retry | when it is made | an outage that many calls should survive; experimental |
//!
//! A run asks in that order. Beside [`RetryBudget`] there are other published rules of [`RetryTokens`], and [`Patient`] makes a run
//! wait where a rule would refuse it. None is on unless asked for: a budget gives up, in an outage, what it does not let retry.
//!
//! ```
//! use backoff_core::exponential_backoff;
//! use backoff_core::guard::{CircuitBreaker, Rejected, RetryBudget};
//!
//! static BREAKER: CircuitBreaker = CircuitBreaker::new();
//! static BUDGET: RetryBudget = RetryBudget::new();
//!
//! #[derive(Debug)]
//! enum BillingError {
//!     Down,
//!     Rejected(Rejected),
//! }
//!
//! impl From<Rejected> for BillingError {
//!     fn from(rejected: Rejected) -> Self {
//!         Self::Rejected(rejected)
//!     }
//! }
//!
//! #[exponential_backoff(jitter = "full", breaker = BREAKER, retry_budget = BUDGET)]
//! fn charge(cents: u64) -> Result<u64, BillingError> {
//!     Ok(cents)
//! }
//!
//! #[exponential_backoff(jitter = "full", breaker = BREAKER, retry_budget = BUDGET)]
//! fn refund(cents: u64) -> Result<u64, BillingError> {
//!     Ok(cents)
//! }
//! # assert!(charge(1).is_ok() && refund(1).is_ok());
//! ```
//!
//! Every guard decides by rules that know neither clock nor lock, and is told the time as a [`Moment`]; so all of them are
//! deterministic in tests, and a simulation can drive them as they are. Locks are held for a few instructions, never across a sleep
//! or anybody else's code. What a run has got from its guards goes back when the run is dropped, is cancelled or panics. Without
//! `std` there are the rules of tokens that need no lock, on targets with 32-bit atomics, and [`SuccessClock`].

#[cfg(feature = "std")]
mod circuit_breaker;
#[cfg(feature = "std")]
mod line;
#[cfg(feature = "std")]
mod lock;
mod moment;
#[cfg(feature = "std")]
mod pacer;
mod rejected;
mod retry_budget;
mod retry_queue;
mod setting;
#[cfg(any(feature = "std", target_has_atomic = "32"))]
mod shared;
#[cfg(feature = "std")]
mod stamp;
#[cfg(feature = "std")]
mod window;
#[cfg(target_has_atomic = "32")]
mod word;

#[cfg(feature = "std")]
pub use circuit_breaker::{BreakerSnapshot, Circuit, CircuitBreaker, CircuitChange, Permit};
#[cfg(feature = "std")]
pub(crate) use line::Waited;
pub use moment::{Moment, Origin};
#[cfg(feature = "std")]
pub use pacer::{Pacer, PacerMode, PacerSnapshot, Slot};
pub use rejected::Rejected;
#[cfg(feature = "std")]
pub use retry_budget::{AdaptiveThrottle, RetryDeposits};
#[cfg(target_has_atomic = "32")]
pub use retry_budget::{AtCost, BudgetSnapshot, RetryBudget, RetryQuota};
pub use retry_budget::{Now, Patient, RetryTokens, Taken};
#[cfg(feature = "std")]
pub use retry_queue::{QueueSnapshot, RetryQueue};
pub use retry_queue::{Settled, SuccessClock};
pub use setting::SettingError;
#[cfg(feature = "std")]
pub(crate) use {line::Place, retry_queue::Retry};
