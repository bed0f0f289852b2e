//! The attribute on the simplest functions: it retries, it gives up, it returns what the last attempt returned.

use std::cell::Cell;
use std::time::Duration;

use backoff_core::testing::{Draws, VirtualTime};
use backoff_core::{ExponentialBackoff, Waiter, exponential_backoff};

fn millis(sleeps: &[u64]) -> Vec<Duration> {
    sleeps.iter().copied().map(Duration::from_millis).collect()
}

#[exponential_backoff]
fn poll(calls: &Cell<u32>) -> Option<u32> {
    calls.set(calls.get() + 1);
    None
}

#[test]
fn the_default_policy_makes_six_attempts_in_three_and_a_half_seconds() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let calls = Cell::new(0);
    assert_eq!(poll(&calls), None);
    assert_eq!(calls.get(), 6);
    assert_eq!(time.sleeps(), millis(&[200, 400, 800, 1600, 500]));
}

#[exponential_backoff(initial = "100ms", max_attempts = 4, jitter = "full", when = |e| *e != "permanent")]
async fn charge(calls: &mut u32, failures: u32, error: &'static str) -> Result<u32, &'static str> {
    *calls += 1;
    if *calls > failures {
        return Ok(*calls);
    }
    Err(error)?
}

#[tokio::test]
async fn an_async_function_retries_and_stops_at_a_permanent_error() {
    let time = VirtualTime::new().with_draws(Draws::always(0.5));
    let mut calls = 0;
    assert_eq!(time.scope(charge(&mut calls, 2, "transient")).await, Ok(3));
    assert_eq!(time.sleeps(), millis(&[50, 100]));
    let mut calls = 0;
    assert_eq!(time.scope(charge(&mut calls, 9, "transient")).await, Err("transient"));
    assert_eq!(calls, 4);
    let mut calls = 0;
    assert_eq!(time.scope(charge(&mut calls, 9, "permanent")).await, Err("permanent"));
    assert_eq!(calls, 1);
}

#[exponential_backoff(budget = "5s", until = |status: &u16| *status < 500, on_retry = |retry| log.borrow_mut().push((retry.attempt, retry.failure.copied())))]
fn page(log: &std::cell::RefCell<Vec<(u32, Option<u16>)>>, answers: &mut Vec<u16>) -> u16 {
    answers.remove(0)
}

#[test]
fn until_judges_any_value_and_hooks_see_arguments() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let log = std::cell::RefCell::default();
    assert_eq!(page(&log, &mut vec![503, 500, 404]), 404);
    assert_eq!(*log.borrow(), [(1, Some(503)), (2, Some(500))]);
}

const TWICE: ExponentialBackoff = ExponentialBackoff::new().max_attempts(2);

#[exponential_backoff(waiter = waiter, on_give_up = |end| log.set((end.name, end.stop.attempts)))]
fn named_by_the_waiter(waiter: Waiter<&VirtualTime>, log: &Cell<(&'static str, u32)>) -> Option<()> {
    None
}

#[exponential_backoff(waiter = waiter, policy = TWICE, name = "here", on_give_up = |end| log.set((end.name, end.stop.attempts)))]
fn named_here(waiter: Waiter<&VirtualTime>, log: &Cell<(&'static str, u32)>) -> Option<()> {
    None
}

#[exponential_backoff(waiter = waiter, max_attempts = 3, on_give_up = |end| log.set((end.name, end.stop.attempts)))]
fn counted_here(waiter: Waiter<&VirtualTime>, log: &Cell<(&'static str, u32)>) -> Option<()> {
    None
}

#[test]
fn what_is_written_counts_before_what_the_waiter_brings() {
    let (time, log) = (VirtualTime::new(), Cell::new(("", 0)));
    let once = || ExponentialBackoff::new().max_attempts(1).time(&time);
    let path = |name: &str| format!("{}::{name}", module_path!());
    assert_eq!(named_by_the_waiter(once().name("orders"), &log), None);
    assert_eq!(log.get(), ("orders", 1));
    assert_eq!(named_by_the_waiter(once(), &log), None);
    assert_eq!(log.get(), (path("named_by_the_waiter").as_str(), 1));
    assert_eq!(named_here(once().name("orders"), &log), None);
    assert_eq!(log.get(), ("here", 2));
    assert_eq!(counted_here(once(), &log), None);
    assert_eq!(log.get(), (path("counted_here").as_str(), 3));
}

struct Connection {
    calls: u32,
}

impl Connection {
    #[exponential_backoff(initial = "1ms")]
    async fn push<T: AsRef<str> + Send + Sync>(&mut self, text: T) -> Result<usize, std::io::Error> {
        self.calls += 1;
        if self.calls < 3 {
            Err(std::io::Error::other(text.as_ref().to_owned()))?;
        }
        tokio::task::yield_now().await;
        Ok(text.as_ref().len())
    }
}

#[tokio::test]
async fn a_method_with_a_mutable_receiver_can_be_spawned() {
    let mut connection = Connection { calls: 0 };
    let task = tokio::spawn(async move { connection.push("hello").await.map_err(|e| e.to_string()) });
    assert_eq!(task.await.unwrap(), Ok(5));
}
