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

/// Runs in virtual time, with a counter of calls.
fn virtually<T>(run: impl FnOnce(&Cell<u32>) -> T) -> T {
    let time = VirtualTime::new();
    let _guard = time.enter();
    run(&Cell::new(0))
}

#[test]
fn a_question_mark_in_closures_and_macros_leaves_only_those() {
    assert_eq!(virtually(question_mark_in_closures_and_macros), Ok(3));
}

#[tokio::test]
async fn a_question_mark_in_an_async_block_leaves_only_that() {
    assert_eq!(VirtualTime::new().scope(question_mark_in_async_blocks(&Cell::new(0))).await, Ok(3));
}

#[test]
fn a_question_mark_converts_errors_and_is_retried() {
    let result = virtually(|calls| (converts_errors("x", calls), calls.get()));
    assert_eq!(result, (Err(My("invalid digit found in string".into())), 6));
}

#[test]
fn labels_of_the_body_are_its_own() {
    assert_eq!(virtually(labels), Ok(3));
}

#[test]
fn an_early_return_is_retried() {
    assert_eq!(virtually(early_return_of_an_error), Ok(3));
}

#[tokio::test]
async fn a_return_from_an_endless_loop_is_retried() {
    assert_eq!(VirtualTime::new().scope(loops_for_ever_until_it_returns(&Cell::new(0))).await, Ok(3));
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
const PANIC_LINE: u32 = 124;

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

#[test]
fn switched_on_by_cfg_attr() {
    assert_eq!(virtually(switched_on), Ok(3));
}

#[test]
fn inner_attributes_move_in_front_of_the_function() {
    assert_eq!(virtually(inner_attributes), Ok(3));
}

#[tokio::test]
async fn instrumented_in_either_order() {
    let time = VirtualTime::new();
    assert_eq!(time.scope(instrumented_below(&Cell::new(0))).await, Ok(3));
    assert_eq!(time.scope(instrumented_above(&Cell::new(0))).await, Ok(3));
}

mod main_functions {
    use super::{AtomicBool, fails_once};
    use backoff_core::exponential_backoff;

    static INSIDE: AtomicBool = AtomicBool::new(false);
    static OUTSIDE: AtomicBool = AtomicBool::new(false);

    pub(super) mod inside {
        /// The runtime is made once, and the body is retried in it.
        #[tokio::main(flavor = "current_thread")]
        #[super::exponential_backoff(initial = "1ms")]
        pub(crate) async fn main() -> Result<(), String> {
            super::fails_once(&super::INSIDE)
        }
    }

    pub(super) mod outside {
        /// The whole runtime is made anew for each attempt.
        #[super::exponential_backoff(initial = "1ms")]
        #[tokio::main(flavor = "current_thread")]
        pub(crate) async fn main() -> Result<(), String> {
            super::fails_once(&super::OUTSIDE)
        }
    }
}

#[test]
fn a_main_function_of_tokio_in_either_order() {
    assert_eq!(main_functions::inside::main(), Ok(()));
    assert_eq!(main_functions::outside::main(), Ok(()));
}

#[test]
fn the_backtrace_of_a_panic_has_one_frame_of_ours_at_most() {
    #[exponential_backoff]
    fn inner() -> R<u32> {
        Err(My(std::backtrace::Backtrace::force_capture().to_string()))
    }

    #[exponential_backoff(max_attempts = 1)]
    fn outer() -> R<u32> {
        inner()
    }

    let time = VirtualTime::new();
    let _guard = time.enter();
    let Err(My(trace)) = outer() else { panic!("never succeeds") };
    let ours = trace.lines().filter(|line| line.contains("backoff_core::__private")).count();
    assert!(ours <= 2, "one for each level, {ours} for two:\n{trace}");
}
