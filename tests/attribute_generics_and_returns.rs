//! Generics, lifetimes, and everything that a function can return.
#![allow(clippy::all, clippy::pedantic, reason = "what people write, not what they should")]

use std::cell::Cell;
use std::error::Error;

use backoff_core::exponential_backoff;
use backoff_core::testing::VirtualTime;

type R<T> = Result<T, &'static str>;

/// Two failures, then success.
fn flaky(calls: &Cell<u32>) -> R<u32> {
    calls.set(calls.get() + 1);
    if calls.get() < 3 { Err("down") } else { Ok(calls.get()) }
}

#[exponential_backoff]
fn const_generic<T, const N: usize>(a: [T; N], calls: &Cell<u32>) -> R<usize>
where
    T: Copy,
    [T; N]: Sized,
{
    flaky(calls)?;
    Ok(a.len())
}

struct W<'a>(&'a Cell<u32>);

#[exponential_backoff]
async fn elided(x: Option<&str>, w: W<'_>) -> R<usize> {
    flaky(w.0)?;
    Ok(x.map_or(0, str::len))
}

trait Tr {
    const NAME: &'static str;
    fn go(n: u32) -> R<u32>;
}

struct Wrapper(Cell<u32>);

impl Tr for Wrapper {
    const NAME: &'static str = "wrapper";
    fn go(n: u32) -> R<u32> {
        Ok(n)
    }
}

impl Wrapper {
    const ATTEMPTS: u32 = 3;

    #[exponential_backoff(max_attempts = Self::ATTEMPTS)]
    fn self_everywhere(&self) -> R<u32> {
        let Self(calls) = self;
        let made = Self(Cell::new(0));
        drop(format!("{}{}", Self::NAME, made.0.get()));
        <Self as Tr>::go(flaky(calls)?)
    }

    #[exponential_backoff]
    fn with_items(&self) -> R<u32> {
        const STEP: u32 = 1;
        static ZERO: u32 = 0;
        fn add(n: u32) -> u32 {
            n + STEP + ZERO - STEP
        }
        flaky(&self.0).map(add)
    }
}

/// Runs in virtual time, with a counter of calls.
fn virtually<T>(run: impl FnOnce(&Cell<u32>) -> T) -> T {
    let time = VirtualTime::new();
    let _guard = time.enter();
    run(&Cell::new(0))
}

#[test]
fn where_clauses_and_const_generics_stay_and_turbofish_works() {
    assert_eq!(virtually(|calls| const_generic::<u8, 3>([0; 3], calls)), Ok(3));
}

#[tokio::test]
async fn elided_lifetimes_inside_types() {
    assert_eq!(VirtualTime::new().scope(elided(Some("ab"), W(&Cell::new(0)))).await, Ok(2));
}

#[test]
fn self_and_its_items_in_body_and_options() {
    assert_eq!(virtually(|_| Wrapper(Cell::new(0)).self_everywhere()), Ok(3));
}

#[test]
fn items_in_the_body() {
    assert_eq!(virtually(|_| Wrapper(Cell::new(0)).with_items()), Ok(3));
}

#[exponential_backoff]
fn nested_impl(calls: &Cell<u32>) -> R<impl Iterator<Item = u32> + use<>> {
    let n = flaky(calls)?;
    Ok((0..n).map(|n| n + 1))
}

#[exponential_backoff]
async fn nested_impl_async(calls: &Cell<u32>) -> Result<(impl Fn() -> u32 + use<>, u8), impl Error + use<>> {
    match flaky(calls) {
        Ok(n) => Ok((move || n, 0)),
        Err(e) => Err(std::io::Error::other(e)),
    }
}

#[exponential_backoff]
fn trait_object(calls: &Cell<u32>) -> R<Box<dyn Fn() -> u32 + Send>> {
    let n = flaky(calls)?;
    if n > 5 {
        return Ok(Box::new(|| 0));
    }
    Ok(Box::new(move || n))
}

#[exponential_backoff]
async fn trait_object_async(calls: &Cell<u32>) -> R<Box<dyn FnOnce() -> u32 + Send>> {
    let n = flaky(calls)?;
    if n > 5 {
        return Ok(Box::new(|| 0));
    }
    Ok(Box::new(move || n))
}

type Rs<T> = ::std::result::Result<T, std::io::Error>;

#[exponential_backoff]
fn alias(calls: &Cell<u32>) -> Rs<u32> {
    flaky(calls).map_err(std::io::Error::other)
}

#[exponential_backoff]
fn io_alias(calls: &Cell<u32>) -> std::io::Result<u32> {
    Ok(alias_inner(calls)?)
}

fn alias_inner(calls: &Cell<u32>) -> Result<u32, std::io::Error> {
    flaky(calls).map_err(std::io::Error::other)
}

#[exponential_backoff]
fn anyhow(calls: &Cell<u32>) -> anyhow::Result<u32> {
    Ok(flaky(calls).map_err(std::io::Error::other)?)
}

#[exponential_backoff]
fn option(calls: &Cell<u32>) -> Option<u32> {
    Some(flaky(calls).ok()?)
}

#[exponential_backoff(until = |n: &u32| *n >= 3)]
fn number(calls: &Cell<u32>) -> u32 {
    calls.set(calls.get() + 1);
    calls.get()
}

#[exponential_backoff(until = |pair| pair.1)]
fn pair<'a>(name: &'a str, calls: &Cell<u32>) -> (&'a str, bool) {
    calls.set(calls.get() + 1);
    (name, calls.get() == 3)
}

#[exponential_backoff(until = Result::is_ok)]
async fn result_with_until(calls: &Cell<u32>) -> R<u32> {
    flaky(calls)
}

#[exponential_backoff]
fn borrowed<'a>(list: &'a [u8], calls: &Cell<u32>) -> Result<&'a u8, Box<dyn Error + 'a>> {
    flaky(calls)?;
    list.first().ok_or_else(|| "empty".into())
}

#[test]
fn impl_trait_nested_in_the_return_type() {
    assert_eq!(virtually(|calls| nested_impl(calls).map(Iterator::sum::<u32>)), Ok(6));
}

#[tokio::test]
async fn impl_trait_in_a_tuple_and_as_the_error() {
    let calls = Cell::new(0);
    let Ok((three, _)) = VirtualTime::new().scope(nested_impl_async(&calls)).await else { panic!("no success") };
    assert_eq!(three(), 3);
}

#[test]
fn a_trait_object_with_an_early_return() {
    assert_eq!(virtually(|calls| trait_object(calls).map(|f| f())), Ok(3));
}

#[tokio::test]
async fn a_trait_object_with_an_early_return_async() {
    let calls = Cell::new(0);
    assert_eq!(VirtualTime::new().scope(trait_object_async(&calls)).await.map(|f| f()), Ok(3));
}

#[test]
fn a_result_behind_an_alias() {
    assert_eq!(virtually(|calls| alias(calls).unwrap()), 3);
    assert_eq!(virtually(|calls| io_alias(calls).unwrap()), 3);
}

#[test]
fn a_result_of_anyhow() {
    assert_eq!(virtually(|calls| anyhow(calls).unwrap()), 3);
}

#[test]
fn an_option_whose_none_means_not_yet() {
    assert_eq!(virtually(option), Some(3));
}

#[test]
fn any_value_with_until() {
    assert_eq!(virtually(number), 3);
    assert_eq!(virtually(|calls| pair("a", calls)), ("a", true));
}

#[tokio::test]
async fn a_result_judged_as_a_whole_by_until() {
    assert_eq!(VirtualTime::new().scope(result_with_until(&Cell::new(0))).await, Ok(3));
}

#[test]
fn borrowed_data_and_a_boxed_error() {
    assert_eq!(virtually(|calls| borrowed(&[7], calls).copied().unwrap()), 7);
}

#[must_use = "why"]
#[deprecated]
#[inline]
#[cold]
#[exponential_backoff]
fn outer_attributes(calls: &Cell<u32>) -> R<u32> {
    flaky(calls)
}

#[test]
#[expect(deprecated, reason = "the attribute stays on the one function")]
fn outer_attributes_stay_on_the_function() {
    assert_eq!(virtually(outer_attributes), Ok(3));
}

#[exponential_backoff]
extern "Rust" fn with_abi(calls: &Cell<u32>) -> Option<u32> {
    flaky(calls).ok()
}

#[test]
fn an_abi() {
    assert_eq!(virtually(with_abi), Some(3));
}
