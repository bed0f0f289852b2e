//! Testing an annotated function without waiting: inside of the guard, its time is virtual and its draws are scripted.
//!
//! ```text
//! cargo test --example virtual_time_test
//! cargo run --example virtual_time_test
//! ```

use std::time::Instant;

use backoff_core::exponential_backoff;
use backoff_core::testing::{Draws, VirtualTime};

/// The function under test has no parameter for a clock.
#[exponential_backoff(initial = "1s", budget = "1m", jitter = "full", when = |error| *error != "forbidden")]
fn fetch(answers: &mut Vec<Result<u32, &'static str>>) -> Result<u32, &'static str> {
    if answers.is_empty() { Err("unavailable") } else { answers.remove(0) }
}

fn main() {
    let started = Instant::now();
    let time = VirtualTime::new().with_draws(Draws::always(0.5));
    let guard = time.enter();
    let outcome = fetch(&mut Vec::new());
    drop(guard);
    println!("{outcome:?} after {:?} of virtual time, with the sleeps", time.elapsed());
    println!("{:?}", time.sleeps());
    println!("and {} ms of real time", started.elapsed().as_millis());
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Draws, VirtualTime, fetch};

    #[test]
    fn it_gets_through_after_two_failures() {
        let time = VirtualTime::new().with_draws(Draws::fractions([0.5, 0.25]));
        let _guard = time.enter();
        assert_eq!(fetch(&mut vec![Err("unavailable"), Err("unavailable"), Ok(7)]), Ok(7));
        assert_eq!(time.sleeps(), [500, 500].map(Duration::from_millis));
    }

    #[test]
    fn a_permanent_error_costs_no_time() {
        let time = VirtualTime::new();
        let _guard = time.enter();
        assert_eq!(fetch(&mut vec![Err("forbidden")]), Err("forbidden"));
        assert!(time.elapsed().is_zero());
    }

    #[test]
    fn the_budget_is_a_ceiling() {
        let time = VirtualTime::new();
        let _guard = time.enter();
        assert_eq!(fetch(&mut Vec::new()), Err("unavailable"));
        assert!(time.elapsed() <= Duration::from_secs(60));
    }
}
