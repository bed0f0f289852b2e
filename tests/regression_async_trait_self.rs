//! `self` in the options of a method of `#[async_trait]`, which has moved it to `__self` by the time the attribute runs.

use std::sync::Arc;

use async_trait::async_trait;
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, exponential_backoff};

struct Client {
    retry: ExponentialBackoff,
    calls: Vec<u8>,
}

#[async_trait]
trait Calls {
    async fn exclusive(&mut self) -> Option<u8>;
    async fn judged(&mut self) -> Result<u8, String>;
    async fn boxed(self: Box<Self>) -> Option<u8>;
    async fn counted(self: Arc<Self>) -> Option<u8>;
}

#[async_trait]
impl Calls for Client {
    #[exponential_backoff(policy = self.retry)]
    async fn exclusive(&mut self) -> Option<u8> {
        self.calls.push(1);
        None
    }

    #[exponential_backoff(max_attempts = 9, when = |_| self.calls.len() < 4)]
    async fn judged(&mut self) -> Result<u8, String> {
        self.calls.push(1);
        Err("down".to_owned())
    }

    #[exponential_backoff(policy = self.retry)]
    async fn boxed(self: Box<Self>) -> Option<u8> {
        self.calls.first().copied()
    }

    #[exponential_backoff(policy = self.retry)]
    async fn counted(self: Arc<Self>) -> Option<u8> {
        self.calls.first().copied()
    }
}

#[tokio::test]
async fn options_see_self() {
    let client = || Client { retry: ExponentialBackoff::new().max_attempts(3), calls: Vec::new() };
    let time = VirtualTime::new();
    let mut exclusive = client();
    assert_eq!(time.scope(exclusive.exclusive()).await, None);
    assert_eq!(exclusive.calls.len(), 3);
    assert!(time.scope(exclusive.judged()).await.is_err());
    assert_eq!(exclusive.calls.len(), 4);
    assert_eq!(time.scope(Box::new(client()).boxed()).await, None);
    assert_eq!(time.scope(Arc::new(client()).counted()).await, None);
    assert_eq!(time.sleeps().len(), 6);
}
