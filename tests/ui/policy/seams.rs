//! A fake sleep with a real clock, and a waiter that can be cancelled under async.
use std::time::Duration;

use backoff_core::clock::Sleep;
use backoff_core::{CancelToken, ExponentialBackoff};

struct FakeSleep;

impl Sleep for FakeSleep {
    fn sleep(&self, _: Duration) {}
}

async fn cancelled(token: &CancelToken) {
    let _ = ExponentialBackoff::new().cancel(token).wait_async(async || Some(7)).await;
}

fn not_an_outcome() {
    let _ = ExponentialBackoff::new().waiter().retry(|| 7);
}

fn main() {}
