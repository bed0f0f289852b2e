//! Parameters: patterns, names that collide, clones, and state that the attempts share.
#![allow(clippy::all, clippy::pedantic, reason = "what people write, not what they should")]

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use backoff_core::exponential_backoff;
use backoff_core::testing::VirtualTime;

type R<T> = Result<T, &'static str>;

struct P {
    x: u8,
    #[expect(dead_code, reason = "only there to be left out of a pattern")]
    y: u8,
}

#[exponential_backoff]
fn patterns((a, b): (u8, u8), [c, ..]: [u8; 3], P { x, .. }: P, calls: &Cell<u8>) -> R<u8> {
    calls.set(calls.get() + 1);
    if calls.get() < 3 { Err("down") } else { Ok(a + b + c + x) }
}

#[exponential_backoff]
async fn patterns_async((a, b): (u32, String), P { x, .. }: P, mut n: u8, _: ()) -> R<(usize, u8)> {
    n += 1;
    if n < 3 { Err("down") } else { Ok((a as usize + b.len() + usize::from(x), n)) }
}

#[tokio::test]
async fn destructured_parameters() {
    let time = VirtualTime::new();
    let calls = Cell::new(0);
    {
        let _guard = time.enter();
        assert_eq!(patterns((1, 2), [3, 0, 0], P { x: 4, y: 0 }, &calls), Ok(10));
    }
    assert_eq!(calls.get(), 3);
    assert_eq!(time.scope(patterns_async((1, "ab".into()), P { x: 4, y: 0 }, 0, ())).await, Ok((7, 3)));
}

#[exponential_backoff(max_attempts = 4)]
fn shared_number(mut n: u32) -> R<u32> {
    n += 1;
    if n < 4 { Err("down") } else { Ok(n) }
}

#[exponential_backoff(max_attempts = 4)]
async fn shared_list(mut list: Vec<u8>, (mut a, b): (u8, u8)) -> R<(usize, u8)> {
    list.push(1);
    a += b;
    if list.len() < 4 { Err("down") } else { Ok((list.len(), a)) }
}

#[tokio::test]
async fn attempts_share_their_arguments_as_a_loop_would() {
    let time = VirtualTime::new();
    assert_eq!(time.scope(async { shared_list(vec![], (0, 2)).await }).await, Ok((4, 8)));
    let _guard = time.enter();
    assert_eq!(shared_number(0), Ok(4));
}

#[derive(Clone)]
struct Request(Rc<Cell<u32>>, Vec<u8>);

struct CountsClones(Rc<Cell<u32>>);

impl Clone for CountsClones {
    fn clone(&self) -> Self {
        self.0.set(self.0.get() + 1);
        Self(Rc::clone(&self.0))
    }
}

fn consume(request: Request) -> R<usize> {
    request.0.set(request.0.get() + 1);
    if request.0.get() < 3 { Err("down") } else { Ok(request.1.len()) }
}

#[exponential_backoff(clone(request))]
async fn consumed(request: Request) -> R<usize> {
    consume(request)
}

#[exponential_backoff(clone(request, counted))]
fn consumed_sync(mut request: Request, counted: CountsClones) -> R<usize> {
    drop(counted);
    request.1.push(0);
    consume(request)
}

#[tokio::test]
async fn a_clone_for_each_attempt_if_asked_for() {
    let time = VirtualTime::new();
    let request = Request(Rc::default(), vec![1, 2]);
    assert_eq!(time.scope(consumed(request)).await, Ok(2));
    let _guard = time.enter();
    let clones = Rc::default();
    let request = Request(Rc::default(), vec![1, 2]);
    assert_eq!(consumed_sync(request, CountsClones(Rc::clone(&clones))), Ok(3), "each clone is fresh");
    assert_eq!(clones.get(), 3, "one clone for each attempt");
}

#[exponential_backoff]
fn borrows(counted: CountsClones) -> R<u32> {
    let calls = counted.0.get();
    if calls == 0 { Ok(calls) } else { Err("cloned") }
}

#[test]
fn nothing_is_cloned_that_was_not_asked_for() {
    assert_eq!(borrows(CountsClones(Rc::default())), Ok(0));
}

/// Tells when it is dropped.
struct Guard<'a>(&'a RefCell<Vec<&'static str>>, &'static str);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push(self.1);
    }
}

#[exponential_backoff(initial = "1ms")]
fn drops<'a>(_: Guard<'a>, _g: Guard<'a>, calls: &Cell<u32>) -> R<()> {
    let _local = Guard(_g.0, "local");
    calls.set(calls.get() + 1);
    if calls.get() < 2 { Err("down") } else { Ok(()) }
}

#[exponential_backoff(initial = "1ms")]
async fn drops_async<'a>(_: Guard<'a>, _g: Guard<'a>, calls: &Cell<u32>) -> R<()> {
    let _local = Guard(_g.0, "local");
    calls.set(calls.get() + 1);
    if calls.get() < 2 { Err("down") } else { Ok(()) }
}

fn plain<'a>(_: Guard<'a>, _g: Guard<'a>) {}

async fn plain_async<'a>(_: Guard<'a>, _g: Guard<'a>) {}

#[tokio::test]
async fn parameters_are_dropped_when_the_call_ends_in_the_plain_order() {
    let time = VirtualTime::new();
    let log = RefCell::default();
    plain(Guard(&log, "wildcard"), Guard(&log, "named"));
    let order = log.take();
    {
        let _guard = time.enter();
        drops(Guard(&log, "wildcard"), Guard(&log, "named"), &Cell::new(0)).unwrap();
    }
    assert_eq!(log.take(), [vec!["local", "local"], order].concat());
    plain_async(Guard(&log, "wildcard"), Guard(&log, "named")).await;
    let order = log.take();
    time.scope(drops_async(Guard(&log, "wildcard"), Guard(&log, "named"), &Cell::new(0))).await.unwrap();
    assert_eq!(log.take(), [vec!["local", "local"], order].concat());
}

#[exponential_backoff]
fn named_like_locals(run: u8, outcome: u8, verdict: u8, plan: u8, stop: u8, cloned_0: u8) -> R<u8> {
    Ok(run + outcome + verdict + plan + stop + cloned_0)
}

#[exponential_backoff(clone(typed), when = |e| pause > 0 && !e.is_empty())]
async fn named_like_async_locals(run: u8, pause: u8, typed: u8) -> R<u8> {
    Ok(run + pause + typed)
}

#[tokio::test]
async fn names_of_the_macro_do_not_collide() {
    assert_eq!(named_like_locals(1, 1, 1, 1, 1, 1), Ok(6));
    assert_eq!(named_like_async_locals(1, 1, 1).await, Ok(3));
}

#[exponential_backoff]
fn closures(mut f: impl FnMut() -> R<u8>, g: &mut dyn FnMut()) -> R<u8> {
    g();
    f()
}

#[test]
fn closures_are_called_again() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let (mut f_calls, mut g_calls) = (0, 0);
    let f = || {
        f_calls += 1;
        if f_calls < 3 { Err("down") } else { Ok(f_calls) }
    };
    assert_eq!(closures(f, &mut || g_calls += 1), Ok(3));
    assert_eq!(g_calls, 3);
}

fn takes_exclusive(n: &mut u32) -> R<u32> {
    *n += 1;
    if *n < 3 { Err("down") } else { Ok(*n) }
}

#[exponential_backoff]
fn passes_on(n: &mut u32) -> R<u32> {
    takes_exclusive(n)
}

#[test]
fn an_exclusive_reference_is_reborrowed_for_each_attempt() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    assert_eq!(passes_on(&mut 0), Ok(3));
}

#[exponential_backoff]
fn with_attributes(#[allow(unused)] a: u8, #[cfg(any())] b: NoSuchType, #[cfg(all())] c: u8) -> R<u8> {
    Ok(c)
}

#[test]
fn attributes_on_parameters_pass_through() {
    assert_eq!(with_attributes(1, 2), Ok(2));
}

fn is_send<T: Send>(value: T) -> T {
    value
}

#[exponential_backoff(clone(c))]
async fn send_but_not_sync(c: Cell<u8>) -> R<u8> {
    c.set(c.get() + 1);
    tokio::task::yield_now().await;
    Ok(c.get())
}

#[tokio::test]
async fn a_clone_makes_a_future_send_whose_argument_is_not_sync() {
    assert_eq!(is_send(send_but_not_sync(Cell::new(1))).await, Ok(2));
}
