use std::time::Duration;

use backoff_core::waiter::Timed;
use backoff_core::{ExponentialBackoff, Waiter, clock::System, exponential_backoff};

fn blocking() {
    let _ = ExponentialBackoff::new().waiter().attempt_timeout(Duration::from_secs(1)).wait(|| Some(7));
}

#[exponential_backoff(waiter = waiter)]
async fn in_the_waiter(waiter: Waiter<Timed<System>>) -> Option<u8> {
    None
}

#[exponential_backoff(waiter = ExponentialBackoff::new().when(|_: &()| true))]
fn conditions_in_the_waiter() -> Result<u8, ()> {
    Err(())
}

fn main() {}
