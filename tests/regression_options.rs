//! Expressions in options that are right and were refused.
#![allow(clippy::borrowed_box, reason = "what the failure of that function is")]

use backoff_core::{ExponentialBackoff, Waiter, exponential_backoff};

trait Answers<K> {
    type Item;
    fn is_transient(&self) -> bool;
}

impl Answers<u8> for u16 {
    type Item = u8;
    fn is_transient(&self) -> bool {
        *self >= 500
    }
}

fn boxed() -> Box<dyn Answers<u8, Item = u8>> {
    Box::new(503)
}

/// A comma in `<K, Item = V>` does not end an option.
#[exponential_backoff(max_attempts = 1, when = |error: &Box<dyn Answers<u8, Item = u8>>| error.is_transient())]
fn bound_in_a_closure() -> Result<(), Box<dyn Answers<u8, Item = u8>>> {
    Err(boxed())
}

struct Client {
    retry: ExponentialBackoff,
}

impl Client {
    fn waiter(&self) -> Waiter {
        self.retry.waiter()
    }

    async fn policy(&self) -> ExponentialBackoff {
        std::future::ready(self.retry.max_attempts(1)).await
    }

    /// What works beside a policy alone works beside a waiter: the expression stands in the function, not in a closure.
    #[exponential_backoff(waiter = self.waiter(), policy = self.policy().await)]
    async fn awaited(&self) -> Option<u8> {
        None
    }

    #[exponential_backoff(waiter = self.waiter(), policy = Some(self.retry.max_attempts(1))?)]
    fn questioned(&self) -> Option<u8> {
        None
    }
}

/// An upper-case parameter is a parameter.
#[allow(non_snake_case, reason = "mathematics")]
#[exponential_backoff(max_attempts = 1, clone(N))]
fn upper_case(N: String) -> Result<String, String> {
    Ok(N)
}

/// This `&mut` does not come from an argument that is borrowed for the attempt.
#[exponential_backoff(max_attempts = 1)]
fn leaked(log: &mut Vec<u8>) -> Option<&'static mut u8> {
    log.push(1);
    Some(Box::leak(Box::new(1)))
}

#[tokio::test]
async fn they_run() {
    let client = Client { retry: ExponentialBackoff::new() };
    assert!(bound_in_a_closure().is_err());
    assert_eq!((client.awaited().await, client.questioned()), (None, None));
    assert_eq!(upper_case("n".to_owned()).as_deref(), Ok("n"));
    assert!(leaked(&mut Vec::new()).is_some());
}
