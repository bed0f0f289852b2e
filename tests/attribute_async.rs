//! Async functions: spawned, in traits, behind `async_trait`, recursive, cancelled; `Send` whenever the plain one is.
#![allow(clippy::all, clippy::pedantic, reason = "what people write, not what they should")]

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use backoff_core::clock::{AsyncSleep as _, AsyncTime as _, System};
use backoff_core::exponential_backoff;
use backoff_core::testing::VirtualTime;

type R<T> = Result<T, &'static str>;

async fn flaky(calls: &AtomicU32) -> R<u32> {
    tokio::task::yield_now().await;
    let call = calls.fetch_add(1, Ordering::SeqCst) + 1;
    if call < 3 { Err("down") } else { Ok(call) }
}

trait Contract {
    fn go(&mut self) -> impl Future<Output = R<u32>> + Send;
}

struct Job(AtomicU32);

impl Contract for Job {
    #[exponential_backoff]
    async fn go(&mut self) -> R<u32> {
        flaky(&self.0).await
    }
}

#[tokio::test]
async fn a_trait_may_demand_send() {
    let time = VirtualTime::new();
    assert_eq!(time.scope(Job(AtomicU32::new(0)).go()).await, Ok(3));
}

#[async_trait::async_trait]
trait Boxed: Sync {
    async fn call(&self, name: &str) -> R<usize>;

    #[exponential_backoff(initial = "1ms")]
    async fn provided(&mut self) -> R<usize> {
        self.call("provided").await
    }
}

#[async_trait::async_trait]
impl Boxed for Job {
    #[exponential_backoff(initial = "1ms")]
    async fn call(&self, name: &str) -> R<usize> {
        if name.is_empty() {
            return Err("no name");
        }
        let call = flaky(&self.0).await?;
        Ok(name.len() + call as usize)
    }
}

#[async_trait::async_trait(?Send)]
trait Local {
    async fn local(&self) -> R<usize>;
}

#[async_trait::async_trait(?Send)]
impl Local for Cell<u32> {
    #[exponential_backoff(initial = "1ms", max_attempts = 2)]
    async fn local(&self) -> R<usize> {
        self.set(self.get() + 1);
        Err("down")
    }
}

#[tokio::test]
async fn async_trait_retries_the_body_not_the_boxing() {
    let time = VirtualTime::new();
    let mut job = Job(AtomicU32::new(0));
    assert_eq!(time.scope(job.call("ab")).await, Ok(5));
    let last = time.scope(job.call("")).await;
    assert_eq!(last, Err("no name"));
    assert_eq!(time.scope(Job(AtomicU32::new(0)).provided()).await, Ok(11));
    job.0.store(0, Ordering::SeqCst);
    assert_eq!(time.scope(job.provided()).await, Ok(11));
    let local = Cell::new(0);
    assert_eq!(time.scope(local.local()).await, Err("down"));
    assert_eq!(local.get(), 2);
}

#[exponential_backoff(initial = "1ms")]
async fn error_is_not_send(calls: Arc<AtomicU32>) -> Result<u32, Rc<str>> {
    flaky(&calls).await.map_err(Rc::from)
}

fn is_send<T: Send>(value: T) -> T {
    value
}

#[tokio::test]
async fn an_error_that_is_not_send_does_not_live_across_the_sleep() {
    let time = VirtualTime::new();
    assert_eq!(time.scope(is_send(error_is_not_send(Arc::default()))).await, Ok(3));
}

#[exponential_backoff(initial = "1ms")]
async fn async_closures(calls: &AtomicU32, v: &mut Vec<u32>) -> R<()> {
    let call = flaky(calls).await?;
    let mut add = async |x| {
        v.push(x);
        Ok::<_, &'static str>(())
    };
    add(call).await?;
    add(call).await
}

#[tokio::test]
async fn async_closures_in_the_body() {
    let time = VirtualTime::new();
    let mut list = Vec::new();
    time.scope(async_closures(&AtomicU32::new(0), &mut list)).await.unwrap();
    assert_eq!(list, [3, 3]);
}

#[exponential_backoff(initial = "1ms", max_attempts = 2)]
async fn recursive(depth: u32, calls: &AtomicU32) -> R<u32> {
    calls.fetch_add(1, Ordering::SeqCst);
    if depth == 0 { Err("bottom") } else { Box::pin(recursive(depth - 1, calls)).await }
}

#[tokio::test]
async fn recursion_multiplies_the_attempts() {
    let time = VirtualTime::new();
    let calls = AtomicU32::new(0);
    assert_eq!(time.scope(recursive(2, &calls)).await, Err("bottom"));
    assert_eq!(calls.load(Ordering::SeqCst), 2 + 4 + 8);
}

/// Counts how many attempts are alive.
struct Alive<'a>(&'a AtomicU32);

impl<'a> Alive<'a> {
    fn new(count: &'a AtomicU32) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[exponential_backoff(initial = "1m", budget = "unlimited")]
async fn hangs(alive: &AtomicU32, calls: &AtomicU32, in_attempt: bool) -> R<()> {
    let _alive = Alive::new(alive);
    calls.fetch_add(1, Ordering::SeqCst);
    if in_attempt {
        std::future::pending::<()>().await;
    }
    Err("down")
}

#[tokio::test(start_paused = true)]
async fn dropping_the_future_drops_the_attempt_and_the_timer() {
    for in_attempt in [true, false] {
        let (alive, calls) = (AtomicU32::new(0), AtomicU32::new(0));
        let cut = tokio::time::timeout(Duration::from_secs(90), hangs(&alive, &calls, in_attempt)).await;
        assert!(cut.is_err());
        let made = calls.load(Ordering::SeqCst);
        assert_eq!(made, if in_attempt { 1 } else { 2 });
        assert_eq!(alive.load(Ordering::SeqCst), 0);
        tokio::time::sleep(Duration::from_secs(600)).await;
        assert_eq!(calls.load(Ordering::SeqCst), made, "nothing goes on after the drop");
    }
}

#[tokio::test(start_paused = true)]
async fn the_paused_clock_of_tokio_is_honoured() {
    let start = tokio::time::Instant::now();
    let wall = std::time::Instant::now();
    let calls = AtomicU32::new(0);
    assert_eq!(never(&calls).await, None);
    assert_eq!(start.elapsed(), Duration::from_millis(3_500));
    assert_eq!(calls.load(Ordering::SeqCst), 6);
    assert!(wall.elapsed() < Duration::from_secs(1));
}

#[exponential_backoff]
async fn never(calls: &AtomicU32) -> Option<()> {
    calls.fetch_add(1, Ordering::SeqCst);
    None
}

#[exponential_backoff(budget = "10s", initial = "1s", attempt_timeout = "5s")]
async fn slow(time: &VirtualTime, calls: &Cell<u32>) -> Result<u32, std::io::Error> {
    calls.set(calls.get() + 1);
    let work = if calls.get() == 1 { Duration::from_secs(3_600) } else { Duration::from_secs(1) };
    time.pass_async(work).await;
    Ok(calls.get())
}

#[tokio::test]
async fn bu_18_a_slow_attempt_is_cut_and_the_next_gets_what_remains() {
    let time = VirtualTime::new();
    let calls = Cell::new(0);
    assert_eq!(time.scope(slow(&time, &calls)).await.unwrap(), 2);
    assert_eq!(time.elapsed(), Duration::from_secs(7));
}

#[exponential_backoff(budget = "1s", attempt_timeout = "200ms", max_attempts = 2, when = |_| false)]
async fn always_slow(time: &VirtualTime) -> Result<(), String> {
    time.pass_async(Duration::from_secs(60)).await;
    Ok(())
}

#[exponential_backoff(budget = "1s", attempt_timeout = "200ms", max_attempts = 2)]
async fn slow_option(time: &VirtualTime) -> Option<u8> {
    time.pass_async(Duration::from_secs(60)).await;
    Some(1)
}

#[tokio::test]
async fn a_cut_is_a_retryable_failure_and_becomes_a_value() {
    let time = VirtualTime::new();
    assert_eq!(time.scope(always_slow(&time)).await, Err("the attempt was cut by its timeout".to_owned()));
    assert_eq!(time.elapsed(), Duration::from_millis(200 + 200 + 200));
    assert_eq!(time.scope(slow_option(&time)).await, None);
}

macro_rules! nested {
    ($inner:ident; $name:ident $($rest:ident)*) => {
        #[exponential_backoff(initial = "1ms")]
        async fn $name(calls: &AtomicU32) -> R<u32> {
            $inner(calls).await
        }
        nested!($name; $($rest)*);
    };
    ($last:ident;) => {
        #[exponential_backoff(initial = "1ms")]
        async fn outermost(calls: &AtomicU32) -> R<u32> {
            $last(calls).await
        }
    };
}

nested!(flaky; l1 l2 l3 l4 l5 l6 l7 l8 l9 l10 l11 l12 l13 l14 l15 l16 l17 l18 l19);

#[tokio::test]
async fn twenty_levels_are_still_send() {
    let calls = Arc::new(AtomicU32::new(0));
    let task = tokio::spawn(async move { VirtualTime::new().scope(outermost(&calls)).await });
    assert_eq!(task.await.unwrap(), Ok(3));
}

#[exponential_backoff]
async fn large_argument(block: [u8; 4096]) -> R<usize> {
    tokio::task::yield_now().await;
    Ok(block.len())
}

async fn large_by_hand(block: [u8; 4096]) -> R<usize> {
    let start = tokio::time::Instant::now();
    let mut attempt = 0_u32;
    loop {
        let outcome = async {
            tokio::task::yield_now().await;
            Ok(block.len())
        };
        match outcome.await {
            Ok(value) => return Ok(value),
            Err(error) if start.elapsed() > Duration::from_millis(3_500) => return Err(error),
            Err(_) => {}
        }
        attempt += 1;
        System.asynchronous().sleep_async(Duration::from_millis(200) * attempt).await;
    }
}

#[test]
fn an_argument_is_stored_once() {
    let annotated = size_of_val(&large_argument([0; 4096]));
    let by_hand = size_of_val(&large_by_hand([0; 4096]));
    assert!(annotated <= by_hand + 64, "{annotated} bytes, by hand {by_hand}");
}

#[exponential_backoff]
fn pinned_argument(mut work: Pin<&mut (dyn FnMutU32 + Unpin)>) -> R<u32> {
    work.as_mut().call()
}

trait FnMutU32 {
    fn call(self: Pin<&mut Self>) -> R<u32>;
}

impl FnMutU32 for u32 {
    fn call(mut self: Pin<&mut Self>) -> R<u32> {
        *self += 1;
        if *self < 3 { Err("down") } else { Ok(*self) }
    }
}

#[test]
fn a_pinned_argument_is_reborrowed() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let mut calls = 0_u32;
    assert_eq!(pinned_argument(Pin::new(&mut calls)), Ok(3));
}
