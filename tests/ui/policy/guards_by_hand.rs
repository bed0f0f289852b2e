use backoff_core::ExponentialBackoff;
use backoff_core::clock::{Clock, Sleep};
use backoff_core::guard::CircuitBreaker;
use std::time::Duration;

static BREAKER: CircuitBreaker = CircuitBreaker::new();

/// Counts in a type that guards know nothing of.
struct Signed;

impl Clock for Signed {
    type Instant = i64;

    fn now(&self) -> i64 {
        0
    }

    fn elapsed(&self, _: i64, _: i64) -> Duration {
        Duration::ZERO
    }
}

impl Sleep for Signed {
    fn sleep(&self, _: Duration) {}
}

fn main() {
    let _run = ExponentialBackoff::new().breaker(&BREAKER).start_blocking();
    let _ = ExponentialBackoff::new().time(Signed).breaker(&BREAKER).wait(|| Some(7));
    let _ = ExponentialBackoff::new().retry_budget(&BREAKER).wait(|| Some(7));
}
