//! What the tests of behaviour share: a scripted operation, run in virtual time under every driver of the engine.
#![allow(dead_code, reason = "each test file needs a part of it")]

pub(crate) mod plans;
pub(crate) mod stopped;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use backoff_core::clock::Clock as _;
use backoff_core::random::Random;
use backoff_core::testing::{Draws, VirtualTime};
use backoff_core::waiter::{HintFrom, When};
use backoff_core::{ExponentialBackoff, Reason, RetryError, Waiter, exponential_backoff};

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) const fn us(micros: u64) -> Duration {
    Duration::from_micros(micros)
}

pub(crate) const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A list of durations in milliseconds.
pub(crate) fn all_ms<const N: usize>(millis: [u64; N]) -> Vec<Duration> {
    millis.map(ms).to_vec()
}

/// The default policy without its budget: attempts, or nothing, end a run.
pub(crate) const fn unlimited() -> ExponentialBackoff {
    ExponentialBackoff::new().unlimited()
}

/// A policy whose delays are all the same.
pub(crate) const fn constant(delay: Duration) -> ExponentialBackoff {
    unlimited().initial(delay).max_delay(delay)
}

/// What one call of the operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Fails,
    FailsForGood,
    /// Fails, and the server asks to wait that long.
    Asks(Duration),
    Succeeds,
}

/// The failure of the operation, with the number of the call that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) call: usize,
    op: Op,
}

impl Fault {
    fn is_transient(&self) -> bool {
        self.op != Op::FailsForGood
    }

    fn hint(&self) -> Option<Duration> {
        if let Op::Asks(wait) = self.op { Some(wait) } else { None }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {} failed", self.call)
    }
}

impl std::error::Error for Fault {}

/// One question to the source of randomness, and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Draw {
    pub(crate) width: u128,
    pub(crate) drawn: u128,
}

/// Scripted draws that are written down.
pub(crate) struct Spy {
    draws: Draws,
    log: RefCell<Vec<Draw>>,
}

impl Random for Spy {
    fn next_u64(&self) -> u64 {
        self.draws.next_u64()
    }

    fn draw(&self, width: u128) -> u128 {
        let drawn = self.draws.draw(width);
        self.log.borrow_mut().push(Draw { width, drawn });
        drawn
    }
}

#[derive(Clone)]
enum Script {
    Each(f64),
    List(Vec<f64>),
}

/// A policy and an operation that does what a script says. The last entry of each list goes on for ever, except for
/// draws: one more than are listed is a failure of the test.
#[derive(Clone)]
pub(crate) struct Case {
    policy: ExponentialBackoff,
    ops: Vec<Op>,
    op_times: Vec<Duration>,
    script: Script,
    deadline: Option<Duration>,
}

/// What was seen of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    /// When each attempt started.
    pub(crate) starts: Vec<Duration>,
    pub(crate) sleeps: Vec<Duration>,
    pub(crate) draws: Vec<Draw>,
    pub(crate) end: Duration,
    pub(crate) result: Result<(), RetryError<Fault>>,
}

/// Runs a case its own way. Another way of calling the engine is one more entry in [`DRIVERS`].
type Driver = fn(&Case, &Stage) -> Result<(), RetryError<Fault>>;

const DRIVERS: [(&str, Driver); 6] = [
    ("retry", |case, stage| case.waiter(stage).retry(|| stage.attempt(case))),
    ("retry_async", |case, stage| block_on(case.waiter(stage).retry_async(async || stage.attempt(case)))),
    ("start_blocking", |case, stage| {
        let mut run = case.waiter(stage).start_blocking();
        loop {
            match stage.attempt(case) {
                Ok(()) => return Ok(()),
                Err(fault) => run.backoff(fault)?,
            }
        }
    }),
    ("start", |case, stage| {
        block_on(async {
            let mut run = case.waiter(stage).start();
            loop {
                match stage.attempt(case) {
                    Ok(()) => return Ok(()),
                    Err(fault) => run.backoff(fault).await?,
                }
            }
        })
    }),
    ("attribute", |case, stage| {
        let end = End::default();
        ended(annotated(case, stage, &end), &end)
    }),
    ("attribute on async fn", |case, stage| {
        let end = End::default();
        ended(block_on(annotated_async(case, stage, &end)), &end)
    }),
];

/// How a run ended that an annotated function made, which returns only the last failure.
type End = Cell<Option<RetryError<Fault>>>;

#[exponential_backoff(
    waiter = case.plain_waiter(stage),
    when = Fault::is_transient,
    hint = Fault::hint,
    exhausted = |error| kept(end, error)
)]
fn annotated(case: &Case, stage: &Stage, end: &End) -> Result<(), Fault> {
    stage.attempt(case)
}

#[exponential_backoff(
    waiter = case.plain_waiter(stage),
    when = Fault::is_transient,
    hint = Fault::hint,
    exhausted = |error| kept(end, error)
)]
async fn annotated_async(case: &Case, stage: &Stage, end: &End) -> Result<(), Fault> {
    stage.attempt(case)
}

fn kept(end: &End, error: RetryError<Fault>) -> Result<(), Fault> {
    end.set(Some(error));
    Err(*error.last().expect("an annotated function makes at least one attempt"))
}

fn ended(result: Result<(), Fault>, end: &End) -> Result<(), RetryError<Fault>> {
    result.map_err(|_| end.take().expect("a run that gives up says why"))
}

type ScriptedWaiter<'a> =
    Waiter<&'a VirtualTime, &'a Spy, When<fn(&Fault) -> bool>, HintFrom<fn(&Fault) -> Option<Duration>>>;

impl Case {
    pub(crate) fn new(policy: ExponentialBackoff) -> Self {
        let script = Script::List(Vec::new());
        Self { policy, ops: vec![Op::Fails], op_times: vec![Duration::ZERO], script, deadline: None }
    }

    pub(crate) fn ops(mut self, ops: impl Into<Vec<Op>>) -> Self {
        self.ops = ops.into();
        self
    }

    /// How long each call takes.
    pub(crate) fn op_times(mut self, op_times: impl Into<Vec<Duration>>) -> Self {
        self.op_times = op_times.into();
        self
    }

    /// Each draw as a fraction of its width.
    pub(crate) fn draws(mut self, fractions: impl Into<Vec<f64>>) -> Self {
        self.script = Script::List(fractions.into());
        self
    }

    pub(crate) fn every_draw(mut self, fraction: f64) -> Self {
        self.script = Script::Each(fraction);
        self
    }

    /// A deadline, counted from the start of the run.
    pub(crate) fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Runs the case under every driver, and returns what all of them agree on.
    pub(crate) fn run(&self) -> Seen {
        let [(_, first), others @ ..] = DRIVERS;
        let seen = self.run_under(first);
        for (name, driver) in others {
            assert_eq!(self.run_under(driver), seen, "`{name}` differs from `{}`", DRIVERS[0].0);
        }
        seen
    }

    fn run_under(&self, driver: Driver) -> Seen {
        let draws = match &self.script {
            Script::Each(fraction) => Draws::always(*fraction),
            Script::List(fractions) => Draws::fractions(fractions.iter().copied()),
        };
        let spy = Spy { draws, log: RefCell::default() };
        let stage = Stage { time: VirtualTime::new(), spy, starts: RefCell::default() };
        let result = driver(self, &stage);
        let Stage { time, spy, starts } = stage;
        Seen {
            starts: starts.into_inner(),
            sleeps: time.sleeps(),
            draws: spy.log.into_inner(),
            end: time.elapsed(),
            result,
        }
    }

    fn waiter<'a>(&self, stage: &'a Stage) -> ScriptedWaiter<'a> {
        self.plain_waiter(stage)
            .when(Fault::is_transient as fn(&Fault) -> bool)
            .hint(Fault::hint as fn(&Fault) -> Option<Duration>)
    }

    /// Time and randomness only: an annotated function brings the conditions itself.
    fn plain_waiter<'a>(&self, stage: &'a Stage) -> Waiter<&'a VirtualTime, &'a Spy> {
        let waiter = self.policy.time(&stage.time).random(&stage.spy);
        match self.deadline {
            Some(deadline) => waiter.deadline(stage.time.now() + deadline),
            None => waiter,
        }
    }
}

struct Stage {
    time: VirtualTime,
    spy: Spy,
    starts: RefCell<Vec<Duration>>,
}

impl Stage {
    fn attempt(&self, case: &Case) -> Result<(), Fault> {
        let mut starts = self.starts.borrow_mut();
        starts.push(self.time.elapsed());
        let call = starts.len();
        self.time.pass(nth(&case.op_times, call));
        match nth(&case.ops, call) {
            Op::Succeeds => Ok(()),
            op => Err(Fault { call, op }),
        }
    }
}

fn nth<T: Copy>(list: &[T], call: usize) -> T {
    list[call.min(list.len()) - 1]
}

impl Seen {
    pub(crate) fn calls(&self) -> usize {
        self.starts.len()
    }

    /// Why the run failed.
    pub(crate) fn reason(&self) -> Reason {
        self.failure().reason()
    }

    pub(crate) fn failure(&self) -> &RetryError<Fault> {
        self.result.as_ref().expect_err("the run was to fail")
    }

    pub(crate) fn widths(&self) -> Vec<u128> {
        self.draws.iter().map(|draw| draw.width).collect()
    }
}

/// Polls a future until it is ready. Virtual time always moves on, so this does not wait.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
