//! The attribute under guards: every shape of function, every way to end.

mod support;

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use async_trait::async_trait;
use backoff_core::guard::{Circuit, CircuitBreaker, Moment, Pacer, Patient, Rejected, RetryBudget, RetryDeposits};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, exponential_backoff};
use support::{all_ms, block_on, ms, secs};

#[derive(Debug, PartialEq)]
enum Error {
    Down,
    Rejected(Reason),
}

impl From<Rejected> for Error {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected.reason())
    }
}

fn open() -> CircuitBreaker {
    let breaker = CircuitBreaker::new().failures(1);
    breaker.admit(Moment::now).unwrap().failed(Moment::now);
    breaker
}

/// All of them that go together, as fields and behind pointers.
struct Client<'a> {
    breaker: Arc<CircuitBreaker>,
    pacer: &'a Pacer,
    budget: Box<RetryBudget>,
    calls: Cell<u32>,
}

impl Client<'_> {
    fn budget(&self) -> &RetryBudget {
        &self.budget
    }

    #[exponential_backoff(breaker = self.breaker, pacer = self.pacer, retry_budget = *self.budget, max_attempts = 3)]
    fn of_fields(&self) -> Result<u8, Error> {
        Err(Error::Down)
    }

    #[exponential_backoff(
        breaker = &self.breaker,
        pacer = *self.pacer,
        retry_budget = self.budget(),
        max_attempts = 3,
        attempt = attempt,
        name = "load"
    )]
    async fn of_references(&self) -> Result<u32, Error> {
        self.calls.set(self.calls.get() + 1);
        if attempt.number() < 3 { Err(Error::Down) } else { Ok(self.calls.get()) }
    }
}

#[test]
fn guards_are_borrowed_from_wherever_they_are() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let pacer = Pacer::new();
    let client = Client {
        breaker: Arc::new(CircuitBreaker::new()),
        pacer: &pacer,
        budget: Box::new(RetryBudget::new().max_tokens(100)),
        calls: Cell::new(0),
    };
    assert_eq!(client.of_fields(), Err(Error::Down));
    assert_eq!(client.breaker.snapshot(Moment::now()).failures, 1);
    assert_eq!(client.budget.snapshot().thousandths, 97_000);
    assert_eq!(block_on(time.scope(client.of_references())), Ok(3));
}

static BREAKER: CircuitBreaker = CircuitBreaker::new();
static BUDGET: RetryBudget = RetryBudget::new();
static DEPOSITS: RetryDeposits = RetryDeposits::new();
static PATIENT: Patient<RetryBudget> = Patient(RetryBudget::new());

#[exponential_backoff(breaker = BREAKER, retry_budget = BUDGET)]
async fn of_statics<T: Clone + Send + Sync>(value: &T, label: &'static str) -> Result<(T, &'static str), Error> {
    Ok((value.clone(), label))
}

#[exponential_backoff(retry_budget = DEPOSITS)]
fn of_deposits() -> Option<u8> {
    Some(7)
}

#[exponential_backoff(retry_budget = PATIENT)]
fn of_patience() -> Option<u8> {
    Some(7)
}

#[exponential_backoff(retry_budget = &BUDGET)]
fn of_a_reference() -> Option<u8> {
    Some(7)
}

const fn is_send<T: Send>(_: &T) {}

#[test]
fn statics_are_guards_and_the_future_stays_send() {
    let future = of_statics(&7, "label");
    is_send(&future);
    assert_eq!(block_on(future), Ok((7, "label")));
    assert_eq!((of_deposits(), of_patience(), of_a_reference()), (Some(7), Some(7), Some(7)));
}

#[exponential_backoff(breaker = breaker)]
fn optional(breaker: &CircuitBreaker) -> Option<u8> {
    Some(7)
}

#[exponential_backoff(breaker = breaker, until = |value: &i32| *value > 0, exhausted = |end| end.into_last().unwrap_or(-1))]
fn any_value(breaker: &CircuitBreaker) -> i32 {
    1
}

#[exponential_backoff(breaker = breaker, exhausted = |end| Err(end.to_string()))]
async fn mapped(breaker: &CircuitBreaker) -> Result<u8, String> {
    Ok(7)
}

#[exponential_backoff(breaker = breaker, on_give_up = |end| told.borrow_mut().push((end.stop.reason, end.stop.attempts, end.failure.is_none())))]
fn told(breaker: &CircuitBreaker, told: &RefCell<Vec<(Reason, u32, bool)>>) -> Result<u8, Error> {
    Ok(7)
}

#[exponential_backoff(breaker = breaker)]
fn iterator(breaker: &CircuitBreaker) -> Result<impl Iterator<Item = u8>, Error> {
    Ok([7].into_iter())
}

#[exponential_backoff(breaker = breaker, clone(text))]
async fn cloned(breaker: &CircuitBreaker, text: String) -> Result<String, Error> {
    Ok(text)
}

#[exponential_backoff(breaker = breaker)]
fn borrowed<'a>(breaker: &CircuitBreaker, text: &'a str) -> Result<&'a str, std::io::Error> {
    Ok(text)
}

#[test]
fn a_rejection_is_a_value_of_the_functions_own_type() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let breaker = open();
    let events = RefCell::default();
    assert_eq!(optional(&breaker), None);
    assert_eq!(any_value(&breaker), -1);
    assert_eq!(
        block_on(mapped(&breaker)).unwrap_err(),
        "gave up after 0 attempts in 0s: the circuit is open; try again in 10s"
    );
    assert_eq!(told(&breaker, &events), Err(Error::Rejected(Reason::CircuitOpen)));
    assert_eq!(*events.borrow(), [(Reason::CircuitOpen, 0, true)]);
    assert_eq!(iterator(&breaker).err(), Some(Error::Rejected(Reason::CircuitOpen)));
    assert_eq!(block_on(cloned(&breaker, "text".into())), Err(Error::Rejected(Reason::CircuitOpen)));
    let error = borrowed(&breaker, "text").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
    assert_eq!(error.to_string(), "no attempt was made: the circuit is open; try again in 10s");
    assert_eq!(breaker.snapshot(Moment::now()).rejected, 7);

    time.pass(secs(10));
    assert_eq!(optional(&breaker), Some(7));
    assert_eq!(breaker.snapshot(Moment::now()).circuit, Circuit::Closed);
    assert_eq!((any_value(&breaker), told(&breaker, &events)), (1, Ok(7)));
    assert_eq!(iterator(&breaker).unwrap().collect::<Vec<_>>(), [7]);
    assert_eq!(block_on(cloned(&breaker, "text".into())), Ok("text".into()));
    assert_eq!(borrowed(&breaker, "text").unwrap(), "text");
}

#[async_trait(?Send)]
trait Load {
    async fn load(&self, text: String) -> Result<String, Error>;
}

#[async_trait(?Send)]
impl Load for Client<'_> {
    #[exponential_backoff(breaker = self.breaker, retry_budget = *self.budget, clone(text))]
    async fn load(&self, text: String) -> Result<String, Error> {
        Ok(text)
    }
}

#[test]
fn methods_of_async_trait_have_guards_too() {
    let pacer = Pacer::new();
    let client = Client { breaker: Arc::new(open()), pacer: &pacer, budget: Box::default(), calls: Cell::new(0) };
    assert_eq!(block_on(client.load("text".into())), Err(Error::Rejected(Reason::CircuitOpen)));
    let client = Client { breaker: Arc::new(CircuitBreaker::new()), ..client };
    assert_eq!(block_on(client.load("text".into())), Ok("text".into()));
}

#[exponential_backoff(breaker = breaker, pacer = pacer, retry_budget = budget, max_attempts = 3, attempt_timeout = "1s")]
async fn timed(
    breaker: &CircuitBreaker,
    pacer: &Pacer,
    budget: &RetryBudget,
    calls: &Cell<u32>,
) -> Result<u8, std::io::Error> {
    calls.set(calls.get() + 1);
    std::future::pending().await
}

#[test]
fn a_cut_attempt_is_a_failure_for_guards_too() {
    let time = VirtualTime::new();
    let (breaker, pacer, budget) = (CircuitBreaker::new(), Pacer::new(), RetryBudget::new());
    let calls = Cell::new(0);
    let error = block_on(time.scope(timed(&breaker, &pacer, &budget, &calls))).unwrap_err();
    assert_eq!((error.kind(), calls.get()), (std::io::ErrorKind::TimedOut, 3));
    assert_eq!(budget.snapshot().thousandths, 7_000);
    assert!(pacer.snapshot().interval > ms(1));
    let _guard = time.enter();
    assert_eq!(breaker.snapshot(Moment::now()).failures, 1);
}

/// The order in which a run asks: the pacer is not asked by a run that the breaker rejects.
#[test]
fn the_breaker_is_asked_before_the_pacer() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let pacer = Pacer::new().interval(secs(1));
    let budget = Box::<RetryBudget>::default();
    let client = Client { breaker: Arc::new(open()), pacer: &pacer, budget, calls: Cell::new(0) };
    for _ in 0..3 {
        assert_eq!(client.of_fields(), Err(Error::Rejected(Reason::CircuitOpen)));
    }
    assert_eq!((time.sleeps(), pacer.snapshot().interval), (all_ms([]), secs(1)));
}

#[exponential_backoff(breaker = BREAKER, retry_budget = BUDGET, max_attempts = 2)]
async fn polled(pending: &Cell<u32>) -> Result<u8, Error> {
    pending.set(pending.get() + 1);
    Err(Error::Down)
}

#[test]
fn dropping_the_future_in_a_wait_gives_everything_back() {
    static QUOTA: backoff_core::guard::RetryQuota = backoff_core::guard::RetryQuota::new();
    static PROBED: CircuitBreaker = CircuitBreaker::new().failures(1);
    #[exponential_backoff(breaker = PROBED, retry_budget = QUOTA)]
    async fn waits() -> Result<u8, Error> {
        Err(Error::Down)
    }
    let time = VirtualTime::new();
    let _guard = time.enter();
    PROBED.admit(Moment::now).unwrap().failed(Moment::now);
    time.pass(secs(10));
    let mut future = Box::pin(time.scope(waits()));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(future.as_mut().poll(&mut context).is_pending());
    assert_eq!((QUOTA.left(), PROBED.snapshot(Moment::now()).probes), (495, 1));
    drop(future);
    assert_eq!((QUOTA.left(), PROBED.snapshot(Moment::now()).probes), (500, 0));

    let pending = Cell::new(0);
    assert_eq!(block_on(time.scope(polled(&pending))), Err(Error::Down));
    assert_eq!(pending.get(), 2);
}

#[exponential_backoff(max_attempts = 5, retry_budget = deposits, waiter = ExponentialBackoff::new().time(time))]
fn deposits_once(deposits: &RetryDeposits, time: &VirtualTime, calls: &mut u32) -> Option<()> {
    *calls += 1;
    None
}

#[exponential_backoff(max_attempts = 5, retry_budget = deposits, waiter = ExponentialBackoff::new().time(time))]
async fn deposits_once_async(deposits: &RetryDeposits, time: &VirtualTime, calls: &mut u32) -> Option<()> {
    *calls += 1;
    None
}

#[test]
fn a_rule_is_told_once_that_a_run_begins_though_it_can_not_reject_it() {
    // Each run pays for one retry, and for no more.
    let (deposits, time) = (RetryDeposits::new().ratio(1.0).reserve(0), VirtualTime::new());
    let mut calls = 0;
    assert_eq!(deposits_once(&deposits, &time, &mut calls), None);
    assert_eq!((calls, deposits.balance(Moment::of(&time))), (2, 0));
    assert_eq!(block_on(deposits_once_async(&deposits, &time, &mut calls)), None);
    assert_eq!((calls, deposits.balance(Moment::of(&time))), (4, 0));
}
