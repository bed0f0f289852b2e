//! What was set on a waiter stays set, in whatever order its methods are called.

use std::future::pending;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use backoff_core::clock::{Chained, Threads};
use backoff_core::testing::VirtualTime;
use backoff_core::{CancelToken, ExponentialBackoff, Reason, Waiter, deadline, exponential_backoff};

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_clock_set_after_a_token_keeps_the_token() {
    let token = CancelToken::new();
    token.cancel();
    let error = ExponentialBackoff::new().cancel(&token).time(VirtualTime::new()).wait(|| None::<u8>).unwrap_err();
    assert_eq!(error.reason(), Reason::Cancelled);
}

#[tokio::test]
async fn a_clock_set_after_a_timeout_keeps_the_timeout() {
    let time = VirtualTime::new();
    let waiter = ExponentialBackoff::new().max_attempts(1).waiter().attempt_timeout(MS).time(&time);
    let error = tokio::time::timeout(Duration::from_secs(2), waiter.retry_async(pending::<Result<(), &str>>)).await;
    assert!(matches!(error, Ok(Err(_))), "cut after 1 ms of virtual time");
}

/// Two tokens, one for the process and one for the request, say: either ends the sleep, and both say that they did.
#[test]
fn each_of_two_tokens_ends_the_run() {
    for which in 0..2 {
        let tokens = [CancelToken::new(), CancelToken::new()];
        let time = VirtualTime::new();
        let calls = AtomicU32::new(0);
        let token = tokens[which].clone();
        time.at(50 * MS, move || token.cancel());
        let waiter = ExponentialBackoff::new().time(&time).cancel(&tokens[0]).cancel(&tokens[1]);
        let error = waiter.retry(|| {
            calls.fetch_add(1, Ordering::Relaxed);
            Err::<(), _>("down")
        });
        let error = error.unwrap_err();
        assert_eq!(
            (error.reason(), error.elapsed(), calls.into_inner()),
            (Reason::Cancelled, 50 * MS, 1),
            "token {which}"
        );
    }
}

#[test]
fn a_chained_sleep_ends_with_its_token() {
    let token = CancelToken::new();
    let worker = std::thread::spawn({
        let token = token.clone();
        move || {
            let policy = ExponentialBackoff::new().initial(Duration::from_secs(3_600)).unlimited();
            let error = policy.time(Chained::new(Threads, MS)).cancel(&token).retry(|| Err::<(), _>("down"));
            (error.unwrap_err().reason(), Instant::now())
        }
    });
    std::thread::sleep(30 * MS);
    let cancelled = Instant::now();
    token.cancel();
    let (reason, ended) = worker.join().unwrap();
    assert_eq!(reason, Reason::Cancelled);
    assert!(ended - cancelled < 100 * MS, "{:?}", ended - cancelled);
}

/// The closure belongs to the attempt, as well as the future that it returns.
#[tokio::test]
async fn the_closure_of_an_async_run_sees_the_deadline_too() {
    let seen = Mutex::new(None);
    let waiter = ExponentialBackoff::new().waiter().propagate();
    let end = waiter.retry_async(|| {
        *seen.lock().unwrap() = deadline::current();
        async { deadline::current().ok_or("no deadline") }
    });
    assert_eq!(end.await.ok(), *seen.lock().unwrap());
}

static NAMES: Mutex<Vec<&str>> = Mutex::new(Vec::new());

fn named() -> Waiter {
    ExponentialBackoff::new().max_attempts(1).waiter().name("of the waiter")
}

#[exponential_backoff(waiter = named(), name = "of the attribute", on_give_up = |end| NAMES.lock().unwrap().push(end.name))]
fn named_twice() -> Option<u8> {
    None
}

#[test]
fn the_name_in_the_attribute_wins() {
    assert_eq!(named_twice(), None);
    assert_eq!(*NAMES.lock().unwrap(), ["of the attribute"]);
}

#[test]
fn what_was_slept_of_an_endless_sleep_is_told() {
    let (token, time) = (CancelToken::new(), VirtualTime::new());
    let cancel = token.clone();
    time.at(300 * MS, move || cancel.cancel());
    let policy = ExponentialBackoff::new().initial(Duration::MAX).unlimited();
    let error = policy.time(&time).cancel(&token).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.elapsed(), error.slept()), (300 * MS, 300 * MS));
}
