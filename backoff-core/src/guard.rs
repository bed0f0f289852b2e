//! What many runs share: retry budget, circuit breaker, retry queue, pacer.

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
