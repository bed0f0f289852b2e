//! Three levels that all retry. The outermost has 600 ms; `propagate` hands that end down, and nobody passes a parameter.
//!
//! ```text
//! cargo run --example handed_down_deadline
//! ```

use std::time::Instant;

use backoff_core::exponential_backoff;

#[exponential_backoff(
    budget = "600ms",
    propagate,
    on_give_up = |end| println!("request:  {}", end.stop),
)]
fn request(started: Instant) -> Result<String, String> {
    println!("request:  begins an attempt at {} ms", started.elapsed().as_millis());
    customer(started)
}

#[exponential_backoff(
    budget = "30s",
    on_give_up = |end| println!("customer: {}", end.stop),
)]
fn customer(started: Instant) -> Result<String, String> {
    println!("customer: begins an attempt at {} ms", started.elapsed().as_millis());
    database(started)
}

// On its own, this would go on for 10 s; inside of `request` it has what is left of 600 ms.
#[exponential_backoff(
    initial = "50ms",
    budget = "10s",
    attempt = attempt,
    on_give_up = |end| println!("database: {}", end.stop),
)]
fn database(started: Instant) -> Result<String, String> {
    let left = attempt.remaining().unwrap_or_default();
    println!(
        "database: attempt {} at {} ms, {} ms left",
        attempt.number(),
        started.elapsed().as_millis(),
        left.as_millis()
    );
    Err("no connection".to_owned())
}

fn main() {
    let started = Instant::now();
    let outcome = request(started);
    println!("{outcome:?} after {} ms: nobody began anything after the end", started.elapsed().as_millis());
}
