//! Guards are told and asked the same things whoever drives the run.

mod support;

use std::future::ready;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use backoff_core::guard::{Circuit, CircuitBreaker, Moment, Now, RetryQueue, RetryTokens, Taken};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, exponential_backoff};
use support::{block_on, ms, unlimited};

/// Writes down what it is told, and lends seven tokens for each retry until it has refused.
struct Spy {
    log: Mutex<Vec<(&'static str, Duration)>>,
    retries: u32,
}

impl Spy {
    fn tell(&self, what: &'static str, now: Now<'_>) {
        self.log().push((what, now().since(Moment::at(Duration::ZERO))));
    }

    fn log(&self) -> std::sync::MutexGuard<'_, Vec<(&'static str, Duration)>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RetryTokens for Spy {
    fn began(&self, now: Now<'_>) {
        self.tell("began", now);
    }

    fn failed(&self, now: Now<'_>) {
        self.tell("failed", now);
    }

    fn take(&self, now: Now<'_>) -> Option<Taken> {
        self.tell("take", now);
        let taken = self.log().iter().filter(|(what, _)| *what == "take").count();
        (taken <= self.retries as usize).then_some(Taken(7))
    }

    fn give_back(&self, taken: Taken) {
        assert_eq!(taken, Taken(7));
        self.tell("give back", &|| Moment::at(Duration::ZERO));
    }

    fn succeeded(&self, last: Option<Taken>, now: Now<'_>) {
        self.tell(if last == Some(Taken(7)) { "succeeded after a retry" } else { "succeeded" }, now);
    }
}

/// What the operation does at each attempt, the last for ever: `Some(transient)` for a failure.
type Script = &'static [Option<bool>];

struct Scene<'a> {
    policy: ExponentialBackoff,
    time: &'a VirtualTime,
    spy: &'a Spy,
    breaker: &'a CircuitBreaker,
    queue: &'a RetryQueue,
    script: Script,
    calls: std::cell::Cell<usize>,
}

impl Scene<'_> {
    fn call(&self) -> Result<(), bool> {
        let call = self.calls.replace(self.calls.get() + 1);
        self.script.get(call).or(self.script.last()).copied().flatten().map_or(Ok(()), Err)
    }
}

type Driver = fn(&Scene<'_>) -> Result<(), Reason>;

const DRIVERS: [(&str, Driver); 6] = [
    ("closure", |scene| {
        let waiter = scene.policy.time(scene.time).retry_budget(scene.spy).breaker(scene.breaker);
        waiter
            .retry_queue(scene.queue)
            .when(|failure: &bool| *failure)
            .retry(|| scene.call())
            .map_err(|end| end.reason())
    }),
    ("async closure", |scene| {
        let waiter = scene.policy.time(scene.time).retry_budget(scene.spy).breaker(scene.breaker);
        let waiter = waiter.retry_queue(scene.queue).when(|failure: &bool| *failure);
        block_on(waiter.retry_async(|| ready(scene.call()))).map_err(|end| end.reason())
    }),
    ("loop", |scene| {
        let waiter = scene.policy.time(scene.time).retry_budget(scene.spy).breaker(scene.breaker);
        let waiter = waiter.retry_queue(scene.queue).when(|failure: &bool| *failure);
        let mut run = waiter.try_start_blocking().map_err(|rejected| rejected.reason())?;
        loop {
            match scene.call() {
                Ok(()) => {
                    run.succeed::<bool>();
                    return Ok(());
                }
                Err(failure) => run.backoff(failure).map_err(|end| end.reason())?,
            }
        }
    }),
    ("async loop", |scene| {
        let waiter = scene.policy.time(scene.time).retry_budget(scene.spy).breaker(scene.breaker);
        let waiter = waiter.retry_queue(scene.queue).when(|failure: &bool| *failure);
        let mut run = block_on(waiter.try_start()).map_err(|rejected| rejected.reason())?;
        loop {
            match scene.call() {
                Ok(()) => {
                    run.succeed::<bool>();
                    return Ok(());
                }
                Err(failure) => block_on(run.backoff(failure)).map_err(|end| end.reason())?,
            }
        }
    }),
    ("attribute", |scene| {
        let mut reason = Reason::Cancelled;
        annotated(scene, &mut reason).map_err(|_| reason)
    }),
    ("async attribute", |scene| {
        let mut reason = Reason::Cancelled;
        block_on(annotated_async(scene, &mut reason)).map_err(|_| reason)
    }),
];

#[exponential_backoff(
    waiter = scene.policy.time(scene.time),
    breaker = *scene.breaker,
    retry_budget = *scene.spy,
    retry_queue = *scene.queue,
    when = |failure: &bool| *failure,
    exhausted = |end| { *reason = end.reason(); Err(false) }
)]
fn annotated(scene: &Scene<'_>, reason: &mut Reason) -> Result<(), bool> {
    scene.call()
}

#[exponential_backoff(
    waiter = scene.policy.time(scene.time),
    breaker = *scene.breaker,
    retry_budget = *scene.spy,
    retry_queue = *scene.queue,
    when = |failure: &bool| *failure,
    exhausted = |end| { *reason = end.reason(); Err(false) }
)]
async fn annotated_async(scene: &Scene<'_>, reason: &mut Reason) -> Result<(), bool> {
    scene.call()
}

/// Runs the script under every driver: what the guards were told, when each sleep was and how it ended, the same for all.
fn run(
    policy: ExponentialBackoff,
    retries: u32,
    script: Script,
) -> (Vec<&'static str>, Vec<Duration>, Result<(), Reason>, u32) {
    let seen = DRIVERS.map(|(name, driver)| {
        let (time, spy) = (VirtualTime::new(), Spy { log: Mutex::default(), retries });
        let (breaker, queue) = (CircuitBreaker::new(), RetryQueue::new());
        let scene = Scene {
            policy,
            time: &time,
            spy: &spy,
            breaker: &breaker,
            queue: &queue,
            script,
            calls: std::cell::Cell::new(0),
        };
        let result = driver(&scene);
        assert_eq!(queue.snapshot().waiting, 0, "{name}");
        let seen = breaker.snapshot(Moment::of(&time));
        assert_eq!((seen.circuit, seen.probes), (Circuit::Closed, 0), "{name}");
        let told = spy.log().iter().map(|(what, _)| *what).collect();
        (name, (told, time.sleeps(), result, seen.failures))
    });
    let [(first, right), others @ ..] = seen;
    for (name, seen) in others {
        assert_eq!(seen, right, "`{name}` differs from `{first}`");
    }
    right
}

#[test]
fn a_success_at_once() {
    let (told, sleeps, result, failures) = run(ExponentialBackoff::new(), 9, &[None]);
    assert_eq!((told, sleeps, result, failures), (vec!["began", "succeeded"], vec![], Ok(()), 0));
}

#[test]
fn a_success_after_retries() {
    let (told, sleeps, result, failures) = run(ExponentialBackoff::new(), 9, &[Some(true), Some(true), None]);
    let right = vec!["began", "failed", "take", "failed", "take", "succeeded after a retry"];
    assert_eq!((told, sleeps), (right, vec![ms(200), ms(400)]));
    assert_eq!((result, failures), (Ok(()), 0));
}

#[test]
fn attempts_that_run_out() {
    let (told, sleeps, result, failures) = run(unlimited().max_attempts(3), 9, &[Some(true)]);
    assert_eq!(told, ["began", "failed", "take", "failed", "take", "failed"]);
    assert_eq!((sleeps, result, failures), (vec![ms(200), ms(400)], Err(Reason::Attempts), 1));
}

#[test]
fn a_budget_that_runs_out_makes_its_last_attempt_at_the_end() {
    // A lone client under a queue is nothing but its own probe: 200, 400, 800, 1600 and the rest of 3.5 s.
    let (told, sleeps, result, failures) = run(ExponentialBackoff::new(), 9, &[Some(true)]);
    assert_eq!(told.iter().filter(|what| **what == "failed").count(), 6);
    assert_eq!(sleeps, [200, 400, 800, 1_600, 500].map(ms));
    assert_eq!((result, failures), (Err(Reason::Budget), 1));
}

#[test]
fn a_retry_that_is_refused() {
    let (told, sleeps, result, failures) = run(ExponentialBackoff::new(), 1, &[Some(true)]);
    assert_eq!(told, ["began", "failed", "take", "failed", "take"]);
    assert_eq!((sleeps, result, failures), (vec![ms(200)], Err(Reason::RetryBudget), 1));
}

#[test]
fn a_permanent_failure() {
    let (told, sleeps, result, failures) = run(ExponentialBackoff::new(), 9, &[Some(true), Some(false)]);
    assert_eq!(told, ["began", "failed", "take"]);
    assert_eq!((sleeps, result, failures), (vec![ms(200)], Err(Reason::NotRetryable), 0));
}
