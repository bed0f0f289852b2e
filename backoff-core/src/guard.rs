//! What many runs share: retry budget, circuit breaker, retry queue, pacer.

#[cfg(feature = "std")]
mod lock;
mod moment;
mod retry_budget;
mod setting;
#[cfg(feature = "std")]
mod window;

pub use moment::{Moment, Origin};
#[cfg(feature = "std")]
pub use retry_budget::{AdaptiveThrottle, RetryDeposits};
#[cfg(target_has_atomic = "32")]
pub use retry_budget::{AtCost, BudgetSnapshot, RetryBudget, RetryQuota};
pub use retry_budget::{Now, RetryTokens, Taken};
pub use setting::SettingError;
