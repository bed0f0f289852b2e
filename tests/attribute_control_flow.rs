//! `?`, `return`, labels, panics: the scope of the body is a closure or an async block, nothing is rewritten.
#![allow(clippy::all, clippy::pedantic, reason = "what people write, not what they should")]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

use backoff_core::exponential_backoff;
use backoff_core::testing::VirtualTime;

#[derive(Debug, PartialEq)]
struct My(String);

impl From<std::num::ParseIntError> for My {
    fn from(error: std::num::ParseIntError) -> Self {
        Self(error.to_string())
    }
}

type R<T> = Result<T, My>;

fn flaky(calls: &Cell<u32>) -> R<u32> {
    calls.set(calls.get() + 1);
    if calls.get() < 3 { Err(My("down".into())) } else { Ok(calls.get()) }
}

#[exponential_backoff]
fn question_mark_in_closures_and_macros(calls: &Cell<u32>) -> R<u32> {
    let closure = |z| -> R<u32> { return Ok(z + flaky(calls)?) };
    let list = vec![closure(0)?];
    let text = format!("{}", "7".parse::<u32>()?);
    return Ok(list[0] + u32::try_from(text.len()).unwrap_or(0) - 1);
}

#[exponential_backoff]
async fn question_mark_in_async_blocks(calls: &Cell<u32>) -> R<u32> {
    let block = async {
        let n = flaky(calls)?;
        if n > 5 {
            return Err(My("large".into()));
        }
        Ok(n)
    };
    let n: u32 = block.await?;
    return Ok(n);
}

#[exponential_backoff]
fn converts_errors(text: &str, calls: &Cell<u32>) -> R<u32> {
    calls.set(calls.get() + 1);
    Ok(text.parse::<u32>()?)
}

#[exponential_backoff]
fn labels(calls: &Cell<u32>) -> R<u32> {
    'block: {
        if calls.get() == 0 {
            break 'block;
        }
    }
    'retry: loop {
        for _ in 0..2 {
            break 'retry;
        }
    }
    flaky(calls)
}

#[exponential_backoff]
fn early_return_of_an_error(calls: &Cell<u32>) -> R<u32> {
    if let Err(error) = flaky(calls) {
        return Err(error);
    }
    Ok(calls.get())
}

#[exponential_backoff]
async fn loops_for_ever_until_it_returns(calls: &Cell<u32>) -> R<u32> {
    loop {
        return flaky(calls);
    }
}

#[tokio::test]
async fn every_way_out_of_the_body_is_retried() {
    let time = VirtualTime::new();
    let calls = || Cell::new(0);
    assert_eq!(time.scope(question_mark_in_async_blocks(&calls())).await, Ok(3));
    assert_eq!(time.scope(loops_for_ever_until_it_returns(&calls())).await, Ok(3));
    let _guard = time.enter();
    assert_eq!(question_mark_in_closures_and_macros(&calls()), Ok(3));
    assert_eq!(labels(&calls()), Ok(3));
    assert_eq!(early_return_of_an_error(&calls()), Ok(3));
    let failed = calls();
    assert_eq!(converts_errors("x", &failed), Err(My("invalid digit found in string".into())));
    assert_eq!(failed.get(), 6);
}

#[exponential_backoff]
fn panics(calls: &Cell<u32>) -> R<u32> {
    calls.set(calls.get() + 1);
    panic!("x")
}

#[exponential_backoff]
async fn panics_async(calls: &Cell<u32>) -> R<u32> {
    calls.set(calls.get() + 1);
    panic!("x")
}

#[test]
fn a_panic_propagates_from_the_first_attempt_with_its_own_location() {
    let place = std::sync::Arc::new(std::sync::Mutex::new(None));
    let seen = std::sync::Arc::clone(&place);
    std::panic::set_hook(Box::new(move |info| {
        *seen.lock().unwrap() = info.location().map(|location| (location.file().to_owned(), location.line()));
    }));
    let calls = Cell::new(0);
    let caught = catch_unwind(AssertUnwindSafe(|| panics(&calls)));
    assert!(caught.is_err());
    let (file, line) = place.lock().unwrap().take().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let caught = catch_unwind(AssertUnwindSafe(|| runtime.block_on(panics_async(&calls))));
    assert!(caught.is_err());
    let (_, async_line) = place.lock().unwrap().take().unwrap();
    drop(std::panic::take_hook());
    assert_eq!(calls.get(), 2);
    assert!(file.ends_with("attribute_control_flow.rs"));
    assert_eq!((line, async_line), (PANIC_LINE, PANIC_LINE + 6));
}

/// The line of the first `panic!("x")` above.
const PANIC_LINE: u32 = 101;

#[exponential_backoff]
fn diverges(stop: &Cell<bool>) -> R<u32> {
    loop {
        if stop.get() {
            return Ok(1);
        }
        stop.set(true);
    }
}

#[exponential_backoff]
#[expect(clippy::todo, reason = "a body that is not written yet")]
async fn unwritten() -> R<u8> {
    todo!()
}

#[test]
fn diverging_bodies() {
    assert_eq!(diverges(&Cell::new(false)), Ok(1));
    drop(unwritten());
    let _ = Location::caller();
}

#[test]
#[exponential_backoff(initial = "1ms", max_attempts = 2)]
fn test_above() -> Result<(), String> {
    fails_once(&TEST_ABOVE)
}

#[exponential_backoff(initial = "1ms", max_attempts = 2)]
#[test]
fn test_below() -> Result<(), String> {
    fails_once(&TEST_BELOW)
}

#[tokio::test]
#[exponential_backoff(initial = "1ms", max_attempts = 2)]
async fn tokio_test_above() -> Result<(), String> {
    fails_once(&TOKIO_ABOVE)
}

#[exponential_backoff(initial = "1ms", max_attempts = 2)]
#[tokio::test]
async fn tokio_test_below() -> Result<(), String> {
    fails_once(&TOKIO_BELOW)
}

use std::sync::atomic::{AtomicBool, Ordering};

static TEST_ABOVE: AtomicBool = AtomicBool::new(false);
static TEST_BELOW: AtomicBool = AtomicBool::new(false);
static TOKIO_ABOVE: AtomicBool = AtomicBool::new(false);
static TOKIO_BELOW: AtomicBool = AtomicBool::new(false);

/// A test that fails at its first attempt is green only if it is retried.
fn fails_once(called: &AtomicBool) -> Result<(), String> {
    if called.swap(true, Ordering::SeqCst) { Ok(()) } else { Err("first call".into()) }
}

#[exponential_backoff]
#[cfg(any())]
fn switched_off() -> NoSuchType {}

#[cfg_attr(all(), exponential_backoff)]
fn switched_on(calls: &Cell<u32>) -> R<u32> {
    flaky(calls)
}

#[exponential_backoff]
fn inner_attributes(calls: &Cell<u32>) -> R<u32> {
    #![allow(unused_mut)]
    #![allow(unused_variables)]
    let mut x = 1;
    flaky(calls)
}

#[exponential_backoff]
#[tracing::instrument(skip_all)]
async fn instrumented_below(calls: &Cell<u32>) -> R<u32> {
    flaky(calls)
}

#[tracing::instrument(skip_all)]
#[exponential_backoff]
async fn instrumented_above(calls: &Cell<u32>) -> R<u32> {
    flaky(calls)
}

#[tokio::test]
async fn other_attributes_in_any_order() {
    let time = VirtualTime::new();
    let calls = || Cell::new(0);
    assert_eq!(time.scope(instrumented_below(&calls())).await, Ok(3));
    assert_eq!(time.scope(instrumented_above(&calls())).await, Ok(3));
    let _guard = time.enter();
    assert_eq!(switched_on(&calls()), Ok(3));
    assert_eq!(inner_attributes(&calls()), Ok(3));
}
