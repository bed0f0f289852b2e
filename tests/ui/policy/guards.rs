use backoff_core::guard::{CircuitBreaker, Pacer, RetryBudget, RetryDeposits};
use std::time::Duration;

static NO_TOKENS: RetryBudget = RetryBudget::new().max_tokens(0);
static NOT_A_NUMBER: RetryBudget = RetryBudget::new().ratio(f64::NAN);
static NO_REST: CircuitBreaker = CircuitBreaker::new().open_for(Duration::ZERO);
static TOO_MANY: CircuitBreaker = CircuitBreaker::new().failure_rate(0.5, 257);
static UPWARDS: Pacer = Pacer::new().down(1.5);
static TOO_SHORT: RetryDeposits = RetryDeposits::new().ttl(Duration::from_millis(1));

fn main() {}
