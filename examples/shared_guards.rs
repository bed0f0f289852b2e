//! A breaker and a retry budget that two functions share, because they call the same service: what one learns, the other knows.
//!
//! ```sh
//! cargo run --example shared_guards
//! ```

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use backoff_core::exponential_backoff;
use backoff_core::guard::{Circuit, CircuitBreaker, Moment, Rejected, RetryBudget};
use backoff_core::testing::VirtualTime;

static BREAKER: CircuitBreaker = CircuitBreaker::new()
    .name("billing")
    .failures(4)
    .open_for(Duration::from_secs(30))
    .on_change(|change| println!("    [{}: {} -> {}]", change.name, change.from.name(), change.to.name()));

static BUDGET: RetryBudget = RetryBudget::new();

/// How many requests reached the service.
static REQUESTS: AtomicU32 = AtomicU32::new(0);

#[derive(Debug)]
enum BillingError {
    Down,
    /// Nothing was sent: the breaker said no.
    Rejected(Rejected),
}

impl From<Rejected> for BillingError {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}

#[exponential_backoff(max_attempts = 4, breaker = BREAKER, retry_budget = BUDGET)]
fn charge(service: &Service) -> Result<u32, BillingError> {
    service.request()
}

#[exponential_backoff(max_attempts = 4, breaker = BREAKER, retry_budget = BUDGET)]
fn refund(service: &Service) -> Result<u32, BillingError> {
    service.request()
}

struct Service {
    is_up: bool,
}

impl Service {
    fn request(&self) -> Result<u32, BillingError> {
        let number = REQUESTS.fetch_add(1, Ordering::Relaxed);
        if self.is_up { Ok(number) } else { Err(BillingError::Down) }
    }
}

fn tell(what: &str, result: &Result<u32, BillingError>, requests: u32) {
    let said = match result {
        Ok(_) => "ok".to_owned(),
        Err(BillingError::Down) => "the service is down".to_owned(),
        Err(BillingError::Rejected(rejected)) => rejected.to_string(),
    };
    println!("  {what}: {requests} requests, {said}");
}

fn main() {
    // Minutes pass in no time.
    let time = VirtualTime::new();
    let _virtual = time.enter();
    let called = |what, call: fn(&Service) -> Result<u32, BillingError>, is_up| {
        let before = REQUESTS.load(Ordering::Relaxed);
        let result = call(&Service { is_up });
        tell(what, &result, REQUESTS.load(Ordering::Relaxed) - before);
        result.is_ok()
    };

    println!("the service is down; four calls, each of which may make four attempts:");
    called("charge", charge, false);
    called("refund", refund, false);
    called("charge", charge, false);
    called("refund", refund, false);
    let budget = BUDGET.snapshot();
    println!("  the retry budget allowed {} retries and refused {}", budget.allowed, budget.refused);

    println!("the breaker keeps everyone away:");
    called("charge", charge, false);
    called("refund", refund, false);

    println!("30 s later the service is up again:");
    time.pass(Duration::from_secs(30));
    let served = called("refund", refund, true) && called("charge", charge, true);
    assert!(served && BREAKER.snapshot(Moment::now()).circuit == Circuit::Closed);
}
