use backoff_core::ExponentialBackoff;
use std::time::Duration;

const INITIAL: ExponentialBackoff = ExponentialBackoff::new().initial(Duration::ZERO);
const BUDGET: ExponentialBackoff = ExponentialBackoff::new().budget(Duration::ZERO);
const MULTIPLIER: ExponentialBackoff = ExponentialBackoff::new().multiplier(1.0);
const NOT_A_NUMBER: ExponentialBackoff = ExponentialBackoff::new().multiplier(f64::NAN);
const MAX_DELAY: ExponentialBackoff = ExponentialBackoff::new().max_delay(Duration::ZERO);
const MAX_ATTEMPTS: ExponentialBackoff = ExponentialBackoff::new().max_attempts(0);
const MAX_HINT: ExponentialBackoff = ExponentialBackoff::new().max_hint(Duration::ZERO);

fn main() {
    let _ = [INITIAL, BUDGET, MULTIPLIER, NOT_A_NUMBER, MAX_DELAY, MAX_ATTEMPTS, MAX_HINT];
}
