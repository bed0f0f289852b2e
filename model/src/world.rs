//! What the engine lives in: an operation, a clock, a sleep and a generator that do what a case says and write down what
//! they are asked.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use backoff_core::RetryError;
use backoff_core::clock::{AsyncSleep, Clock, Sleep};
use backoff_core::event::{GiveUp, Retry, Success};
use backoff_core::random::Random;

use crate::case::{Case, LONGEST, Op, Wake, duration};
use crate::{End, Event};

pub(crate) struct World<'a> {
    pub(crate) case: &'a Case,
    log: RefCell<Vec<Event>>,
    clock: Cell<i128>,
    calls: Cell<usize>,
    draws: Cell<usize>,
    /// How long the operation that waits will take.
    waiting: Cell<Option<u128>>,
}

/// A failure of the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    call: usize,
    transient: bool,
    hint: Option<u128>,
}

impl<'a> World<'a> {
    pub(crate) fn new(case: &'a Case) -> Self {
        let (clock, calls, draws) = (Cell::new(0), Cell::new(0), Cell::new(0));
        Self { case, log: RefCell::default(), clock, calls, draws, waiting: Cell::new(None) }
    }

    pub(crate) fn into_log(self) -> Vec<Event> {
        self.log.into_inner()
    }

    pub(crate) fn tell(&self, event: Event) {
        self.log.borrow_mut().push(event);
    }

    /// The operation for threads.
    pub(crate) fn call(&self) -> Result<usize, Fault> {
        let takes = self.begin();
        self.finish(takes)
    }

    /// The operation for futures: where attempts are cut it waits, and a timer decides what comes first.
    pub(crate) async fn call_async(&self) -> Result<usize, Fault> {
        let takes = self.begin();
        if self.case.timeout.is_some() {
            self.waiting.set(Some(takes));
            poll_fn(|_| if self.waiting.get().is_some() { Poll::Pending } else { Poll::Ready(()) }).await;
        }
        self.finish(takes)
    }

    fn begin(&self) -> u128 {
        let call = self.calls.get() + 1;
        self.calls.set(call);
        self.tell(Event::Attempt(call));
        self.case.step(call).takes
    }

    fn finish(&self, takes: u128) -> Result<usize, Fault> {
        let call = self.calls.get();
        let step = self.case.step(call);
        self.pass(takes, step.shift);
        match step.op {
            Op::Succeeds => Ok(call),
            Op::Fails { transient, hint } => Err(Fault { call, transient, hint }),
        }
    }

    fn pass(&self, nanos: u128, shift: i128) {
        self.clock.set(self.clock.get() + i128::try_from(nanos).expect("durations have 94 bits") + shift);
    }

    pub(crate) fn is_transient(&self, fault: &Fault) -> bool {
        self.tell(Event::Judged(fault.call));
        fault.transient
    }

    pub(crate) fn hint(&self, fault: &Fault) -> Option<Duration> {
        self.tell(Event::Hinted(fault.call));
        fault.hint.map(duration)
    }

    pub(crate) fn on_retry(&self, retry: &Retry<'_, Fault>) {
        self.tell(Event::Retry {
            attempt: retry.attempt,
            delay: retry.delay.as_nanos(),
            elapsed: retry.elapsed.as_nanos(),
            remaining: retry.remaining.map(|remaining| remaining.as_nanos()),
            failure: retry.failure.map(|fault| fault.call),
        });
    }

    pub(crate) fn on_give_up(&self, end: &GiveUp<'_, Fault>) {
        self.tell(Event::GiveUp(End::of(&end.stop, end.failure)));
    }

    pub(crate) fn on_success(&self, success: &Success) {
        self.tell(Event::Success { attempts: success.attempts, slept: success.slept.as_nanos() });
    }

    pub(crate) fn failed(&self, error: &RetryError<Fault>) {
        self.tell(Event::Failed(End::of(error.stop(), error.last())));
    }

    pub(crate) fn ended(&self, result: Result<usize, RetryError<Fault>>) {
        match result {
            Ok(call) => self.tell(Event::Returned(call)),
            Err(error) => self.failed(&error),
        }
    }

    fn slept(&self, slept: Duration) {
        let nanos = slept.as_nanos();
        match self.case.step(self.calls.get()).wake {
            Wake::InTime => self.pass(nanos, 0),
            Wake::Part(part) => self.pass(nanos * u128::from(part) / 255, 0),
            Wake::Late(more) => self.pass(nanos + more, 0),
            Wake::Back(by) => self.pass(0, -i128::try_from(by).expect("durations have 94 bits")),
        }
    }

    /// The timer of an attempt: whether it is before the operation.
    fn cuts(&self, takes: u128, limit: Duration) -> bool {
        self.waiting.set(None);
        let is_cut = takes > limit.as_nanos();
        if is_cut {
            self.pass(limit.as_nanos(), self.case.step(self.calls.get()).shift);
        }
        is_cut
    }
}

impl End {
    fn of(stop: &backoff_core::Stop, failure: Option<&Fault>) -> Self {
        Self {
            reason: stop.reason,
            attempts: stop.attempts,
            elapsed: stop.elapsed.as_nanos(),
            slept: stop.slept.as_nanos(),
            hint: stop.hint.map(|hint| hint.as_nanos()),
            failure: failure.map(|fault| fault.call),
        }
    }
}

impl Clock for World<'_> {
    type Instant = i128;

    fn now(&self) -> i128 {
        self.tell(Event::Read);
        self.clock.get()
    }

    fn elapsed(&self, from: i128, to: i128) -> Duration {
        duration(u128::try_from(to - from).unwrap_or(0).min(LONGEST))
    }
}

impl Sleep for World<'_> {
    fn sleep(&self, duration: Duration) {
        self.tell(Event::Timer(duration.as_nanos()));
        self.slept(duration);
    }
}

impl AsyncSleep for World<'_> {
    fn sleep_async(&self, duration: Duration) -> impl Future<Output = ()> {
        self.tell(Event::Timer(duration.as_nanos()));
        poll_fn(move |_| match self.waiting.get() {
            None => {
                self.slept(duration);
                Poll::Ready(())
            }
            Some(takes) if self.cuts(takes, duration) => Poll::Ready(()),
            Some(_) => Poll::Pending,
        })
    }
}

impl Random for World<'_> {
    fn next_u64(&self) -> u64 {
        unreachable!("runs draw numbers, not words")
    }

    fn draw(&self, width: u128) -> u128 {
        self.tell(Event::Draw(width));
        let at = self.draws.replace(self.draws.get() + 1);
        width * u128::from(self.case.draws[at % self.case.draws.len()]) / 255
    }
}
