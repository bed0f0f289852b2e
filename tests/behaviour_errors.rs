//! ER: what is retried, and what comes back when it did not help.

mod support;

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, Location, catch_unwind, panic_any};
use std::rc::Rc;
use std::time::{Duration, Instant};

use backoff_core::clock::{AsyncSleep, Clock, Sleep};
use backoff_core::error::{find_source, sources};
use backoff_core::event::{GiveUp, Retry, Success};
use backoff_core::testing::{Recorded, Recorder, VirtualTime};
use backoff_core::{ExponentialBackoff, Reason, RetryError};
use support::{all_ms, block_on, constant, ms, secs, unlimited};

/// An error with a cause.
#[derive(Debug)]
struct Wrapped {
    what: &'static str,
    cause: Box<dyn Error + Send + Sync>,
}

impl fmt::Display for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }
}

impl Error for Wrapped {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.cause)
    }
}

fn wrapped(what: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Wrapped {
    Wrapped { what, cause: cause.into() }
}

/// The mark of an error that no attempt will mend.
#[derive(Debug)]
struct Permanent;

impl fmt::Display for Permanent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such user")
    }
}

impl Error for Permanent {}

const fn from_100ms(attempts: u32) -> ExponentialBackoff {
    unlimited().initial(ms(100)).max_attempts(attempts)
}

/// Gives the entries of a list, one call after the other.
fn script<T, const N: usize>(list: [T; N]) -> impl FnMut() -> T {
    let mut list = list.into_iter();
    move || list.next().expect("no more calls than were planned")
}

#[test]
fn er_01_a_permanent_error_is_found_however_deep_it_is_wrapped() {
    let time = VirtualTime::new();
    let transient = |error: &Wrapped| find_source::<Permanent>(error).is_none();
    let result =
        from_100ms(5).time(&time).when(transient).retry(script([Err::<(), _>(wrapped("load user", Permanent))]));
    let error = result.expect_err("it is permanent");
    assert_eq!((error.reason(), error.attempts(), time.sleeps().len()), (Reason::NotRetryable, 1, 0));
}

#[test]
fn er_03_a_permanent_error_stops_only_its_own_run() {
    let time = VirtualTime::new();
    let inner_calls = Cell::new(0);
    let inner = || {
        let policy = from_100ms(3).time(&time).when(|_: &Permanent| false);
        policy.retry(|| {
            inner_calls.set(inner_calls.get() + 1);
            Err::<(), _>(Permanent)
        })
    };
    let error = from_100ms(3).time(&time).retry(inner).expect_err("it never succeeds");
    assert_eq!(inner_calls.get(), 3, "one for each attempt of the outer run");
    assert_eq!((error.attempts(), error.reason()), (3, Reason::Attempts));
    assert_eq!(time.sleeps(), all_ms([100, 200]));
    assert_eq!(error.into_last().map(|inner| inner.reason()), Some(Reason::NotRetryable));
}

#[test]
fn er_05_a_predicate_can_look_at_the_root() {
    let time = VirtualTime::new();
    let unfinished = |error: &Wrapped| {
        let root = sources(error).last().and_then(|root| root.downcast_ref::<io::Error>());
        root.is_some_and(|root| root.kind() == ErrorKind::UnexpectedEof)
    };
    let failure = wrapped("send", io::Error::from(ErrorKind::UnexpectedEof));
    let result = from_100ms(2).time(&time).when(unfinished).retry(script([Err(failure), Ok(7)]));
    assert_eq!(result.ok(), Some(7));
    assert_eq!(time.sleeps(), [ms(100)]);
}

#[test]
fn er_06_the_depth_of_the_cause_does_not_matter() {
    let reset = || io::Error::from(ErrorKind::ConnectionReset);
    let is_reset = |error: &Wrapped| {
        find_source::<io::Error>(error).is_some_and(|cause| cause.kind() == ErrorKind::ConnectionReset)
    };
    let established = || wrapped("request", reset());
    let connecting = || wrapped("request", wrapped("connect", wrapped("handshake", reset())));
    for failure in [&established as &dyn Fn() -> Wrapped, &connecting] {
        let time = VirtualTime::new();
        let operation = script([Err(failure()), Err(failure()), Ok(7)]);
        assert_eq!(from_100ms(3).time(&time).when(is_reset).retry(operation).ok(), Some(7));
        assert_eq!(time.sleeps(), all_ms([100, 200]));
    }
}

#[test]
fn er_08_the_body_is_read_inside_the_attempt() {
    let time = VirtualTime::new();
    let mut bodies = script([Err("connection closed"), Ok("body")]);
    let mut sent = 0;
    let result = from_100ms(3).time(&time).retry(|| {
        sent += 1;
        let headers_arrived = Ok::<_, &str>(());
        headers_arrived.and_then(|()| bodies())
    });
    assert_eq!((result, sent), (Ok("body"), 2));
    assert_eq!(time.sleeps(), [ms(100)]);
}

#[test]
fn er_10_the_end_of_the_budget_does_not_hide_the_failure() {
    let policy = constant(ms(400)).budget(secs(1));
    let result = policy.time(VirtualTime::new()).retry(|| Err::<(), _>(io::Error::other("dns failure")));
    let error = result.expect_err("it never succeeds");
    assert_eq!((error.reason(), error.attempts(), error.elapsed()), (Reason::Budget, 4, secs(1)));
    assert_eq!(error.to_string(), "gave up after 4 attempts in 1s: the budget is used up: dns failure");
    assert_eq!(error.source().map(ToString::to_string), Some("dns failure".to_owned()));
}

#[test]
fn er_15_the_predicate_is_the_only_authority() {
    #[derive(Debug, PartialEq)]
    enum Failure {
        Status(u16),
        Timeout,
    }
    let policy = from_100ms(3).time(VirtualTime::new()).when(|failure: &Failure| *failure == Failure::Status(503));
    let error = policy.retry(script([Err::<(), _>(Failure::Timeout)])).expect_err("it is not worth a retry");
    assert_eq!((error.attempts(), error.reason()), (1, Reason::NotRetryable));
    let policy = from_100ms(3).time(VirtualTime::new()).when(|failure: &Failure| *failure == Failure::Status(503));
    assert_eq!(policy.retry(script([Err(Failure::Status(503)), Ok(7)])), Ok(7));
}

#[test]
fn er_18_a_panic_elsewhere_concerns_nobody() {
    static POLICY: ExponentialBackoff = from_100ms(3);
    /// What the operation panics with.
    struct Thrown(u8);
    let panicked = std::thread::spawn(|| POLICY.retry(|| -> Result<(), ()> { panic_any(Thrown(7)) })).join();
    let thrown = panicked.err().and_then(|thrown| thrown.downcast::<Thrown>().ok());
    assert_eq!(thrown.map(|thrown| thrown.0), Some(7), "the panic comes through unchanged");

    let time = VirtualTime::new();
    assert_eq!(POLICY.time(&time).retry(script([Err("down"), Ok(7)])), Ok(7));
    assert_eq!(time.sleeps(), [ms(100)]);
}

#[test]
fn er_20_a_hook_can_t_change_the_outcome() {
    let time = VirtualTime::new();
    let policy = from_100ms(3).time(&time).on_retry(|_: &Retry<'_, &str>| {});
    assert_eq!(policy.retry(script([Err("down"), Err("down"), Ok(7)])), Ok(7));
    assert_eq!(time.sleeps(), all_ms([100, 200]));

    // One that panics unwinds through the run, which drops what it holds.
    let held = Rc::new(());
    let run = {
        let held = Rc::clone(&held);
        let policy = from_100ms(3).time(VirtualTime::new()).on_retry(|_: &Retry<'_, &str>| panic_any("the hook"));
        move || {
            policy.retry(|| {
                assert_eq!(Rc::strong_count(&held), 2);
                Err::<u8, _>("down")
            })
        }
    };
    let thrown = catch_unwind(AssertUnwindSafe(run)).expect_err("it unwinds");
    assert_eq!(thrown.downcast_ref(), Some(&"the hook"));
    assert_eq!(Rc::strong_count(&held), 1);
}

#[test]
fn er_23_exhaustion_by_value_is_no_success() {
    let time = VirtualTime::new();
    let (mut successes, mut ends) = (0, Vec::new());
    let result = from_100ms(3)
        .time(&time)
        .until(|status: &u16| *status != 503)
        .on_success(|_: &Success| successes += 1)
        .on_give_up(|end: &GiveUp<'_, u16>| ends.push((end.stop.reason, end.failure.copied())))
        .retry(script([503, 503, 503]));
    let error = result.expect_err("the last value is not one to be had");
    assert_eq!((error.attempts(), error.reason(), error.into_last()), (3, Reason::Attempts, Some(503)));
    assert_eq!(time.sleeps(), all_ms([100, 200]));
    assert_eq!((successes, ends), (0, vec![(Reason::Attempts, Some(503))]));
}

#[test]
fn er_25_the_last_error_is_the_same_value() {
    /// An error that knows where it was made.
    #[derive(Debug)]
    struct Located(&'static Location<'static>);
    impl fmt::Display for Located {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fmt::Display::fmt(self.0, f)
        }
    }
    impl Error for Located {}

    let addresses = Cell::new(Vec::new());
    let line = Cell::new(0);
    let operation = || {
        let error = Box::new(Located(Location::caller()));
        line.set(error.0.line());
        let mut made = addresses.take();
        made.push(&raw const *error as usize);
        addresses.set(made);
        Err::<(), Box<dyn Error>>(error)
    };
    let error: RetryError<Box<dyn Error>> =
        from_100ms(2).time(VirtualTime::new()).retry(operation).expect_err("it never succeeds");
    let last = error.into_last().expect("the last error").downcast::<Located>().expect("of its own type");
    assert_eq!(Some(&(&raw const *last as usize)), addresses.take().last());
    assert_eq!(last.0.line(), line.get());
}

#[test]
fn er_26_a_decision_is_about_one_attempt() {
    #[derive(Debug, PartialEq)]
    struct Failure {
        status: Option<u16>,
    }
    let time = VirtualTime::new();
    let mut asked = Vec::new();
    let policy = from_100ms(5).time(&time).when(|failure: &Failure| {
        asked.push(failure.status);
        failure.status == Some(503)
    });
    let operation = script([Err::<(), _>(Failure { status: Some(503) }), Err(Failure { status: None })]);
    let error = policy.retry(operation).expect_err("the second failure is permanent");
    assert_eq!((error.attempts(), error.reason()), (2, Reason::NotRetryable));
    assert_eq!(error.last(), Some(&Failure { status: None }));
    assert_eq!(time.sleeps(), [ms(100)]);
    assert_eq!(asked, [Some(503), None], "once for each failure");
}

#[test]
fn observers_are_told_everything_once_and_in_order() {
    let recorder = Recorder::new();
    let policy = from_100ms(3).budget(secs(1)).time(VirtualTime::new()).observe(recorder.clone());
    assert_eq!(policy.retry(script([Err("down"), Err("down"), Ok(7)])), Ok(7));
    let retry = |attempt, delay, elapsed| Recorded::Retry {
        attempt,
        delay: ms(delay),
        elapsed: ms(elapsed),
        remaining: Some(ms(1_000 - elapsed)),
    };
    assert_eq!(recorder.events(), [retry(1, 100, 0), retry(2, 200, 100), Recorded::Success { attempts: 3 }]);
}

/// A failure that holds something, such as a connection.
struct Holding {
    _connection: Rc<()>,
}

/// Virtual time that remembers how many hold the thing while it sleeps.
struct Watching {
    time: VirtualTime,
    held: Rc<()>,
    holders: RefCell<Vec<usize>>,
}

impl Clock for Watching {
    type Instant = Instant;

    fn now(&self) -> Instant {
        self.time.now()
    }

    fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        Clock::elapsed(&self.time, from, to)
    }
}

impl Sleep for Watching {
    fn sleep(&self, duration: Duration) {
        self.holders.borrow_mut().push(Rc::strong_count(&self.held));
        self.time.sleep(duration);
    }
}

impl AsyncSleep for Watching {
    async fn sleep_async(&self, duration: Duration) {
        self.sleep(duration);
    }
}

#[test]
fn a_failure_is_dropped_before_the_sleep_that_follows_it() {
    let watching = Watching { time: VirtualTime::new(), held: Rc::new(()), holders: RefCell::default() };
    let fails = || Err::<(), _>(Holding { _connection: Rc::clone(&watching.held) });
    assert!(from_100ms(3).time(&watching).retry(fails).is_err());
    assert!(block_on(from_100ms(3).time(&watching).retry_async(async || fails())).is_err());
    assert_eq!(watching.holders.take(), [1; 4], "only the test itself");
}
