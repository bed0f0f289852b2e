use backoff_core::exponential_backoff;
use backoff_core::guard::{CircuitBreaker, Pacer, RetryBudget};

static BREAKER: CircuitBreaker = CircuitBreaker::new();
static BUDGET: RetryBudget = RetryBudget::new();
static PACER: Pacer = Pacer::new();
const COPIED: RetryBudget = RetryBudget::new();

#[exponential_backoff(max_attempts = 1, retry_budget = BUDGET)]
fn nothing_to_decide() -> Option<u8> {
    None
}

#[exponential_backoff(pacer = PACER, retry_queue = QUEUE)]
fn two_clocks() -> Option<u8> {
    None
}

#[exponential_backoff(breaker = "BREAKER")]
fn quoted() -> Option<u8> {
    None
}

#[exponential_backoff(retry_bugdet = BUDGET)]
fn misspelt() -> Option<u8> {
    None
}

#[exponential_backoff(breaker = BUDGET)]
fn the_wrong_guard() -> Option<u8> {
    None
}

#[exponential_backoff(retry_budget = BREAKER)]
fn no_rule_of_tokens() -> Option<u8> {
    None
}

#[exponential_backoff(retry_budget = COPIED)]
fn shared_with_nobody() -> Option<u8> {
    None
}

struct Down;

#[exponential_backoff(breaker = BREAKER)]
fn no_value_for_a_rejection() -> Result<u8, Down> {
    Err(Down)
}

#[exponential_backoff(breaker = BREAKER, until = |value: &u8| *value > 0)]
fn no_value_for_a_rejection_either() -> u8 {
    0
}

fn main() {}
