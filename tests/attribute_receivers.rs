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

fn client() -> Client {
    Client { name: "n".into(), ..Client::default() }
}

/// Runs in virtual time.
fn virtually<T>(run: impl FnOnce() -> T) -> T {
    let time = VirtualTime::new();
    let _guard = time.enter();
    run()
}

#[test]
fn a_shared_receiver() {
    assert_eq!(virtually(|| client().shared()), Ok(3));
}

#[test]
fn an_exclusive_receiver() {
    assert_eq!(virtually(|| client().exclusive()), Ok(3));
}

#[test]
fn a_receiver_by_value_is_lent_to_each_attempt() {
    assert_eq!(virtually(|| client().by_value()), Ok(3));
}

#[test]
fn a_receiver_by_value_that_is_mut_is_shared_by_the_attempts() {
    assert_eq!(virtually(|| client().by_value_mut()), Ok(3));
}

#[test]
fn a_boxed_receiver() {
    assert_eq!(virtually(|| Box::new(client()).boxed()), Ok(3));
}

#[test]
fn a_counted_receiver() {
    assert_eq!(virtually(|| Rc::new(client()).counted()), Ok(3));
}

#[test]
fn a_pinned_receiver_is_reborrowed_by_the_body() {
    let mut client = client();
    assert_eq!(virtually(|| Pin::new(&mut client).pinned()), Ok(3));
    assert_eq!(client.seen, 3);
}

#[test]
fn a_receiver_with_its_type_written_out() {
    assert_eq!(virtually(|| client().typed()), Ok(3));
    assert_eq!(virtually(|| client().typed_mut()), Ok(3));
}

#[test]
fn a_reborrow_of_the_receiver_is_returned() {
    assert_eq!(virtually(|| client().reborrowed("k").map(str::to_owned)), Ok("n".into()));
    assert_eq!(virtually(|| client().reborrowed_from_exclusive().map(str::to_owned)), Ok("n".into()));
}

#[tokio::test]
async fn a_shared_receiver_of_an_async_method() {
    assert_eq!(VirtualTime::new().scope(client().shared_async()).await, Ok(3));
}

#[tokio::test]
async fn an_exclusive_receiver_of_an_async_method() {
    assert_eq!(VirtualTime::new().scope(client().exclusive_async()).await, Ok(3));
}

#[tokio::test]
async fn an_arc_receiver_is_lent_to_each_attempt() {
    assert_eq!(VirtualTime::new().scope(Arc::new(client()).shared_arc()).await, Ok(3));
}

#[tokio::test]
async fn a_pinned_receiver_of_an_async_method() {
    let mut client = client();
    assert_eq!(VirtualTime::new().scope(Pin::new(&mut client).pinned_async()).await, Ok(3));
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
fn a_method_of_a_trait_gets_no_helper_beside_it() {
    assert_eq!(virtually(|| Guarded(&Cell::new(0)).ping()), Ok(3));
}

#[test]
fn a_provided_method_of_a_trait_also_behind_dyn() {
    assert_eq!(virtually(|| Flaky::default().provided()), Ok(3));
    assert_eq!(virtually(|| (&Flaky::default() as &dyn Provided).provided()), Ok(3));
}
