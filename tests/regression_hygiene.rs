//! The names of the expansion are not those of the user: a constant, a static or a unit struct can't be shadowed by hygiene,
//! only by a name that nobody has.
#![allow(dead_code, unreachable_pub, clippy::all, clippy::pedantic, reason = "hostile names")]
#![allow(non_upper_case_globals, non_camel_case_types, reason = "as bindgen writes them")]

use backoff_core::{ExponentialBackoff, exponential_backoff};

#[derive(Debug)]
struct Mine;

const PLAN: Mine = Mine;

#[exponential_backoff]
fn the_users_plan() -> Option<String> {
    Some(format!("{PLAN:?}"))
}

#[test]
fn a_constant_of_the_user_is_not_captured() {
    assert_eq!(the_users_plan().as_deref(), Some("Mine"));
}

mod as_an_option {
    const PLAN: u32 = 2;

    #[backoff_core::exponential_backoff(initial = "1us", max_attempts = PLAN)]
    fn option(calls: &mut u32) -> Option<u8> {
        *calls += PLAN / 2;
        None
    }

    #[test]
    fn is_the_users() {
        let mut calls = 0;
        option(&mut calls);
        assert_eq!(calls, 2);
    }
}

/// What bindgen makes of a C header.
mod ffi {
    pub const run: i32 = 1;
    pub const outcome: i32 = 1;
    pub const verdict: i32 = 1;
    pub const hint: i32 = 1;
    pub const typed: i32 = 1;
    pub const plan: i32 = 1;
    pub const policy: i32 = 1;
    pub const cloned_0: i32 = 1;
    pub static stop: i32 = 1;
    pub struct pause;
}

#[allow(unused_imports, reason = "that they are there is the point")]
use ffi::*;

#[exponential_backoff]
fn blocking() -> Option<u8> {
    Some(1)
}

#[exponential_backoff(attempt_timeout = "1s", propagate)]
async fn asynchronous() -> Option<u8> {
    Some(1)
}

#[exponential_backoff(
    policy = ExponentialBackoff::new(),
    hint = |_| None::<std::time::Duration>,
    on_retry = |_| (),
    on_give_up = |_| (),
    exhausted = |_| None,
    clone(x),
)]
fn everything(x: u8) -> Option<u8> {
    Some(x)
}

#[tokio::test]
async fn lower_case_constants_are_no_trouble() {
    assert_eq!((blocking(), asynchronous().await, everything(1)), (Some(1), Some(1), Some(1)));
}
