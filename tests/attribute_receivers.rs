//! Every receiver. Two failures and a success make three calls.
#![allow(clippy::all, clippy::pedantic, reason = "what people write, not what they should")]

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use backoff_core::exponential_backoff;
use backoff_core::testing::VirtualTime;

type R<T> = Result<T, &'static str>;

/// Fails twice, then succeeds with the number of the call.
#[derive(Default)]
struct Flaky(AtomicU32);

impl Flaky {
    fn call(&self) -> R<u32> {
        let call = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        if call < 3 { Err("down") } else { Ok(call) }
    }
}

#[derive(Default)]
struct Client {
    flaky: Flaky,
    name: String,
    seen: u32,
}

impl Client {
    #[exponential_backoff]
    fn shared(&self) -> R<u32> {
        self.flaky.call()
    }

    #[exponential_backoff]
    async fn shared_async(&self) -> R<u32> {
        self.flaky.call()
    }

    #[exponential_backoff]
    fn exclusive(&mut self) -> R<u32> {
        self.seen += 1;
        self.flaky.call()
    }

    #[exponential_backoff]
    async fn exclusive_async(&mut self) -> R<u32> {
        self.seen += 1;
        tokio::task::yield_now().await;
        self.flaky.call()
    }

    #[exponential_backoff]
    fn by_value(self) -> R<u32> {
        self.flaky.call()
    }

    #[exponential_backoff]
    fn by_value_mut(mut self) -> R<u32> {
        self.seen += 1;
        self.flaky.call().map(|_| self.seen)
    }

    #[exponential_backoff]
    async fn shared_arc(self: Arc<Self>) -> R<u32> {
        let inner = Arc::clone(&self);
        tokio::spawn(async move { inner.flaky.call() }).await.unwrap()
    }

    #[exponential_backoff]
    fn boxed(self: Box<Self>) -> R<u32> {
        self.flaky.call()
    }

    #[exponential_backoff]
    fn counted(self: Rc<Self>) -> R<u32> {
        Rc::clone(&self).flaky.call()
    }

    #[exponential_backoff]
    fn pinned(mut self: Pin<&mut Self>) -> R<u32> {
        self.as_mut().get_mut().seen += 1;
        self.flaky.call()
    }

    #[exponential_backoff]
    async fn pinned_async(mut self: Pin<&mut Self>) -> R<u32> {
        self.as_mut().get_mut().seen += 1;
        self.flaky.call()
    }

    #[exponential_backoff]
    fn typed(self: &Self) -> R<u32> {
        self.flaky.call()
    }

    #[exponential_backoff]
    fn typed_mut(self: &mut Self) -> R<u32> {
        self.seen += 1;
        self.flaky.call()
    }

    #[exponential_backoff]
    fn reborrowed<'a>(&'a self, _key: &str) -> R<&'a str> {
        self.flaky.call().map(|_| self.name.as_str())
    }

    #[exponential_backoff]
    fn reborrowed_from_exclusive(&mut self) -> R<&str> {
        self.seen += 1;
        self.flaky.call()?;
        Ok(&self.name)
    }
}

#[test]
fn sync_receivers() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    assert_eq!(Client::default().shared(), Ok(3));
    assert_eq!(Client::default().exclusive(), Ok(3));
    assert_eq!(Client::default().by_value(), Ok(3));
    assert_eq!(Client::default().by_value_mut(), Ok(3));
    assert_eq!(Box::<Client>::default().boxed(), Ok(3));
    assert_eq!(Rc::<Client>::default().counted(), Ok(3));
    let mut client = Client::default();
    assert_eq!(Pin::new(&mut client).pinned(), Ok(3));
    assert_eq!(client.seen, 3);
    assert_eq!(Client::default().typed(), Ok(3));
    assert_eq!(Client::default().typed_mut(), Ok(3));
    assert_eq!(Client { name: "n".into(), ..Client::default() }.reborrowed("k"), Ok("n"));
    assert_eq!(Client { name: "n".into(), ..Client::default() }.reborrowed_from_exclusive(), Ok("n"));
}

#[tokio::test]
async fn async_receivers() {
    let time = VirtualTime::new();
    assert_eq!(time.scope(Client::default().shared_async()).await, Ok(3));
    assert_eq!(time.scope(Client::default().exclusive_async()).await, Ok(3));
    assert_eq!(time.scope(Arc::<Client>::default().shared_arc()).await, Ok(3));
    let mut client = Client::default();
    assert_eq!(time.scope(Pin::new(&mut client).pinned_async()).await, Ok(3));
    assert_eq!(client.seen, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_method_with_an_exclusive_receiver_is_send() {
    let mut client = Client::default();
    let task = tokio::spawn(async move { VirtualTime::new().scope(client.exclusive_async()).await });
    assert_eq!(task.await.unwrap(), Ok(3));
}

trait Ping {
    fn ping(&self) -> R<u32>;
    fn ping_by_default(&self) -> R<u32>;
}

struct Guarded<'a>(&'a Cell<u32>);

impl Ping for Guarded<'_> {
    #[exponential_backoff]
    fn ping(&self) -> R<u32> {
        self.ping_by_default()
    }

    fn ping_by_default(&self) -> R<u32> {
        self.0.set(self.0.get() + 1);
        if self.0.get() < 3 { Err("down") } else { Ok(self.0.get()) }
    }
}

trait Provided {
    fn call(&self) -> R<u32>;

    #[exponential_backoff]
    fn provided(&self) -> R<u32> {
        self.call()
    }
}

impl Provided for Flaky {
    fn call(&self) -> R<u32> {
        Flaky::call(self)
    }
}

#[test]
fn trait_methods_implemented_and_provided() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    assert_eq!(Guarded(&Cell::new(0)).ping(), Ok(3));
    assert_eq!(Flaky::default().provided(), Ok(3));
    assert_eq!((&Flaky::default() as &dyn Provided).provided(), Ok(3));
}
