//! The engine without the attribute: one policy, made at compile time, for three kinds of operation.
//!
//! ```text
//! cargo run --example by_hand
//! ```

use std::time::Duration;

use backoff_core::{ExponentialBackoff, Jitter, Reason};

/// A wrong value here would not compile.
const POLICY: ExponentialBackoff =
    ExponentialBackoff::new().initial(Duration::from_millis(20)).max_attempts(5).jitter(Jitter::Equal);

fn main() {
    println!("the policy: {POLICY}\n");

    // An `Option`: poll until it is there.
    let mut polls = 0;
    let found = POLICY.wait(|| {
        polls += 1;
        (polls == 3).then_some("the record")
    });
    println!("wait:  {found:?} after {polls} polls");

    // A `Result`: retry what may pass, and only that.
    let mut answers = [503, 429, 404].into_iter();
    let page = POLICY.when(|status: &u16| *status != 404).retry(|| match answers.next() {
        Some(status) => Err::<&str, _>(status),
        None => Ok("the page"),
    });
    match page {
        Ok(page) => println!("retry: {page}"),
        Err(error) => {
            assert_eq!(error.reason(), Reason::NotRetryable);
            println!("retry: {error}");
        }
    }

    // Anything else: say which values end the run.
    let mut load = 90;
    let settled = POLICY.until(|load: &u32| *load < 50).retry(|| {
        load -= 10;
        load
    });
    match settled {
        Ok(load) => println!("until: settled at {load}"),
        Err(error) => println!("until: {}, the last value was {:?}", error.stop(), error.into_last()),
    }
}
