//! The contract on random policies, outcomes, operation times, draws and clocks, and the decision machine step by step
//! against a slow model of it.

mod support;

use std::cell::{Cell, RefCell};
use std::time::Duration;

use backoff_core::clock::{Clock, Sleep};
use backoff_core::random::Random;
use backoff_core::run::{Decision, Elapsed, Failure, Run};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, FinalSleep, Jitter, Reason};
use proptest::prelude::*;
use support::{Op, secs};

/// A multiplier of `sixteenths / 16`, so that the model can be exact without floating-point numbers.
#[derive(Clone, Copy, Debug)]
struct Plan {
    initial: u64,
    budget: Option<u64>,
    sixteenths: u32,
    max_delay: Option<u64>,
    max_attempts: Option<u32>,
    jitter: Jitter,
    final_sleep: Option<FinalSleep>,
    max_hint: u64,
}

impl Plan {
    fn policy(&self) -> ExponentialBackoff {
        let nanos = Duration::from_nanos;
        let mut policy = ExponentialBackoff::new()
            .initial(nanos(self.initial))
            .multiplier(f64::from(self.sixteenths) / 16.0)
            .jitter(self.jitter)
            .max_hint(nanos(self.max_hint));
        policy = self.budget.map_or(policy.unlimited(), |budget| policy.budget(nanos(budget)));
        policy = self.max_delay.map_or(policy, |max_delay| policy.max_delay(nanos(max_delay)));
        policy = self.max_attempts.map_or(policy, |max_attempts| policy.max_attempts(max_attempts));
        self.final_sleep.map_or(policy, |final_sleep| policy.final_sleep(final_sleep))
    }

    fn cap(&self) -> u128 {
        self.max_delay.map_or(Duration::MAX.as_nanos(), u128::from)
    }
}

/// Durations of every size: nanoseconds to centuries, few digits more often than many.
fn nanos() -> impl Strategy<Value = u64> {
    (1..=u64::MAX, 0..64_u32).prop_map(|(bits, shift)| (bits >> shift).max(1))
}

fn jitter() -> impl Strategy<Value = Jitter> {
    prop_oneof![Just(Jitter::None), Just(Jitter::Full), Just(Jitter::Equal)]
}

fn final_sleep() -> impl Strategy<Value = FinalSleep> {
    prop_oneof![Just(FinalSleep::Trim), Just(FinalSleep::Spread), Just(FinalSleep::Skip)]
}

fn plan() -> impl Strategy<Value = Plan> {
    let sixteenths = prop_oneof![17..160_u32, (2..1_000_u32).prop_map(|whole| whole * 16)];
    let attempts = proptest::option::of(1..20_u32);
    let ends = (proptest::option::of(nanos()), proptest::option::of(nanos()), attempts);
    let choices = (jitter(), proptest::option::of(final_sleep()));
    (nanos(), sixteenths, ends, choices, nanos()).prop_map(|(initial, sixteenths, ends, choices, max_hint)| {
        let ((budget, max_delay, max_attempts), (jitter, final_sleep)) = (ends, choices);
        Plan { initial, budget, sixteenths, max_delay, max_attempts, jitter, final_sleep, max_hint }
    })
}

/// Draws that are fractions of the width, in 256ths, one after the other and round again.
struct Fractions<'a> {
    list: &'a [u8],
    asked: Cell<usize>,
}

impl<'a> Fractions<'a> {
    fn new(list: &'a [u8]) -> Self {
        Self { list, asked: Cell::new(0) }
    }

    fn take(&self, width: u128) -> u128 {
        let at = self.asked.replace(self.asked.get() + 1);
        width * u128::from(self.list[at % self.list.len()]) / 255
    }
}

impl Random for Fractions<'_> {
    fn next_u64(&self) -> u64 {
        unreachable!("runs draw numbers, not words")
    }

    fn draw(&self, width: u128) -> u128 {
        self.take(width)
    }
}

/// What the model says to a failure.
#[derive(Debug, PartialEq)]
enum Said {
    Sleep { nanos: u128, remaining: Option<u128> },
    Stop { reason: Reason, hint: Option<u128> },
}

/// The contract once more, as slow and as plain as can be: everything is worked out again from the start for each
/// failure.
struct Model<'a> {
    plan: &'a Plan,
    failures: u32,
    slept: u128,
    last_sleep_reached: Option<Reason>,
    draws: Fractions<'a>,
}

impl Model<'_> {
    fn delay(&self, k: u32) -> u128 {
        let mut delay = u128::from(self.plan.initial).min(self.plan.cap());
        for _ in 0..k {
            delay = ((delay * u128::from(self.plan.sixteenths) + 8) / 16).min(self.plan.cap());
        }
        delay
    }

    fn failed(&mut self, failure: Failure, elapsed: u128, deadline: Option<u128>) -> Said {
        let stop = |reason| Said::Stop { reason, hint: None };
        let k = self.failures;
        self.failures += 1;
        if !failure.transient {
            return stop(Reason::NotRetryable);
        }
        if self.plan.max_attempts == Some(self.failures) {
            return stop(Reason::Attempts);
        }
        if let Some(reason) = self.last_sleep_reached {
            return stop(reason);
        }
        let mut ends = Vec::new();
        ends.extend(self.plan.budget.map(|budget| (u128::from(budget), Reason::Budget)));
        ends.extend(deadline.map(|deadline| (deadline, Reason::Deadline)));
        let end = ends.into_iter().min_by_key(|(at, _)| *at);
        let passed = elapsed.max(self.slept);
        let remaining = end.map(|(at, _)| at.saturating_sub(passed));
        if remaining == Some(0) {
            return stop(end.expect("there is one").1);
        }
        let hint = failure.hint.map_or(0, |hint| hint.as_nanos());
        if hint > u128::from(self.plan.max_hint) || remaining.is_some_and(|remaining| hint > remaining) {
            return Said::Stop { reason: Reason::Hint, hint: Some(hint) };
        }
        let sleep = self.jittered(self.delay(k), hint);
        let nanos = match remaining {
            Some(remaining) if sleep >= remaining => {
                let reason = end.expect("there is one").1;
                let default = if self.plan.jitter == Jitter::None { FinalSleep::Trim } else { FinalSleep::Spread };
                self.last_sleep_reached = Some(reason);
                match self.plan.final_sleep.unwrap_or(default) {
                    FinalSleep::Skip => return stop(reason),
                    FinalSleep::Trim => remaining,
                    FinalSleep::Spread => {
                        let floor = (remaining / 2).max(hint);
                        (floor + self.draws.take(remaining - floor)).max(1_000).min(remaining)
                    }
                }
            }
            _ => sleep,
        };
        self.slept = (self.slept + nanos).min(u64::MAX.into());
        Said::Sleep { nanos, remaining }
    }

    fn jittered(&self, delay: u128, hint: u128) -> u128 {
        let floor = match self.plan.jitter {
            Jitter::None => delay,
            Jitter::Full => 0,
            Jitter::Equal => delay / 2,
        };
        let drawn = if self.plan.jitter == Jitter::None { 0 } else { self.draws.take(delay - floor) };
        match (hint, self.plan.jitter) {
            (0, Jitter::None) => delay,
            (0, _) => (floor + drawn).max(1_000).min(self.plan.cap()),
            (hint, _) => hint + drawn,
        }
    }
}

/// What an operation does, and how long it takes in nanoseconds.
fn step() -> impl Strategy<Value = (Op, u64)> {
    let op = prop_oneof![
        20 => Just(Op::Fails),
        1 => Just(Op::FailsForGood),
        4 => nanos().prop_map(|nanos| Op::Asks(Duration::from_nanos(nanos))),
        1 => Just(Op::Asks(Duration::ZERO)),
        1 => Just(Op::Succeeds),
    ];
    (op, prop_oneof![Just(0), nanos()])
}

fn failure(op: Op) -> Failure {
    match op {
        Op::FailsForGood => Failure::permanent(),
        Op::Asks(hint) => Failure::transient().hint(Some(hint)),
        Op::Fails | Op::Succeeds => Failure::transient(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// The clock is whatever the script says: it stands still, jumps ahead and steps back.
    #[test]
    fn every_decision_is_the_model_s(
        plan in plan(),
        steps in proptest::collection::vec(step(), 1..30),
        deadline in proptest::option::of(nanos()),
        list in proptest::collection::vec(any::<u8>(), 1..8),
    ) {
        let policy = plan.policy();
        let random = Fractions::new(&list);
        let mut model =
            Model { plan: &plan, failures: 0, slept: 0, last_sleep_reached: None, draws: Fractions::new(&list) };
        let mut run = Run::new();
        for (op, clock) in steps {
            let elapsed = Elapsed::since_start(Duration::from_nanos(clock)).deadline(deadline.map(Duration::from_nanos));
            let said = model.failed(failure(op), clock.into(), deadline.map(u128::from));
            let decided = match run.failed(&policy, failure(op), elapsed, &random) {
                Decision::Sleep(pause) => {
                    prop_assert_eq!((pause.attempt, pause.elapsed), (model.failures, elapsed.elapsed));
                    Said::Sleep { nanos: pause.sleep.as_nanos(), remaining: pause.remaining.map(|left| left.as_nanos()) }
                }
                Decision::Stop(stop) => {
                    prop_assert_eq!((stop.attempts, stop.elapsed), (model.failures, elapsed.elapsed));
                    Said::Stop { reason: stop.reason, hint: stop.hint.map(|hint| hint.as_nanos()) }
                }
            };
            prop_assert_eq!(&decided, &said);
            prop_assert_eq!(random.asked.get(), model.draws.asked.get(), "draws");
            prop_assert_eq!(run.slept().as_nanos(), model.slept);
            if matches!(said, Said::Stop { .. }) {
                break;
            }
        }
    }

    #[test]
    fn delays_are_the_model_s_for_any_k(plan in plan(), k in 0..200_u32) {
        let model = Model { plan: &plan, failures: 0, slept: 0, last_sleep_reached: None, draws: Fractions::new(&[0]) };
        prop_assert_eq!(plan.policy().delay(k).as_nanos(), model.delay(k));
    }

    #[test]
    fn growth_never_decreases_and_stays_under_the_cap(
        initial in nanos(),
        multiplier in prop_oneof![1.000_000_1..4.0_f64, 1.0..1e300_f64].prop_filter("more than 1", |m| *m > 1.0),
        max_delay in proptest::option::of(nanos()),
        k in any::<u32>(),
    ) {
        let mut policy = ExponentialBackoff::new().initial(Duration::from_nanos(initial)).multiplier(multiplier);
        if let Some(max_delay) = max_delay {
            policy = policy.max_delay(Duration::from_nanos(max_delay));
        }
        let (delay, next) = (policy.delay(k), policy.delay(k.saturating_add(1)));
        prop_assert!(delay <= next);
        prop_assert!(!delay.is_zero());
        prop_assert!(next <= max_delay.map_or(Duration::MAX, Duration::from_nanos));
    }
}

/// A policy whose runs are short enough to be driven to their end: every sleep is a hundredth of the budget or more,
/// unless a draw makes it shorter.
fn bounded() -> impl Strategy<Value = Plan> {
    (plan(), 1..1_000_000_000_000_u64, 1..100_u64, proptest::option::of(1..100_u64)).prop_map(
        |(plan, budget, initial, max_delay)| Plan {
            budget: Some(budget.max(100)),
            initial: (budget / initial).max(1),
            max_delay: max_delay.map(|part| (budget / part).max(1)),
            ..plan
        },
    )
}

/// Drives a run on virtual time: when each attempt started and ended, the sleeps, and how the run ended.
fn drive(plan: &Plan, steps: &[(Op, u64)], fractions: &[u8]) -> Result<(), TestCaseError> {
    let time = VirtualTime::new();
    let (attempts, failures) = (RefCell::new(Vec::new()), Cell::new(0_usize));
    let random = Fractions::new(fractions);
    let waiter = plan.policy().time(&time).random(&random);
    let waiter = waiter.when(|(_, op): &(usize, Op)| *op != Op::FailsForGood);
    let waiter = waiter.hint(|(_, op): &(usize, Op)| if let Op::Asks(hint) = op { Some(*hint) } else { None });
    let result = waiter.retry(|| {
        let call = failures.replace(failures.get() + 1);
        let (op, takes) = steps[call % steps.len()];
        let start = time.elapsed();
        time.pass(Duration::from_nanos(takes));
        attempts.borrow_mut().push((start, time.elapsed(), op));
        if op == Op::Succeeds { Ok(call) } else { Err((call, op)) }
    });
    let attempts = attempts.into_inner();
    let budget = Duration::from_nanos(plan.budget.expect("there is one"));
    let last = attempts.len() - 1;
    match result {
        Ok(call) => prop_assert_eq!((call, attempts[last].2), (last, Op::Succeeds)),
        Err(error) => {
            prop_assert_eq!(error.attempts() as usize, attempts.len());
            prop_assert_eq!(error.last(), Some(&(last, attempts[last].2)), "the outcome of the last attempt");
            prop_assert_eq!((error.elapsed(), error.slept()), (attempts[last].1, time.sleeps().iter().sum()));
        }
    }
    prop_assert!(attempts.iter().all(|(start, ..)| *start <= budget), "no attempt starts after the budget");
    prop_assert_eq!(time.elapsed(), attempts[last].1, "nothing follows the last attempt");
    prop_assert_eq!(time.sleeps().len(), last);
    for (pair, sleep) in attempts.windows(2).zip(time.sleeps()) {
        prop_assert_eq!(pair[1].0, pair[0].1 + sleep, "an attempt starts when its sleep is over");
        prop_assert!(!sleep.is_zero());
        match pair[0].2 {
            Op::Asks(hint) if !hint.is_zero() => prop_assert!(sleep >= hint, "no earlier than the server asked for"),
            _ => prop_assert!(sleep.as_nanos() <= plan.cap(), "no longer than the cap"),
        }
    }
    Ok(())
}

/// A clock that shows what a script says, and a sleep that moves it on by as much as it likes.
struct Broken<'a> {
    script: &'a [u64],
    readings: Cell<usize>,
    sleeps: Cell<u32>,
}

impl Clock for Broken<'_> {
    type Instant = u64;

    fn now(&self) -> u64 {
        let at = self.readings.replace(self.readings.get() + 1);
        self.script[at % self.script.len()]
    }

    fn elapsed(&self, from: u64, to: u64) -> Duration {
        Duration::from_nanos(to.saturating_sub(from))
    }
}

impl Sleep for Broken<'_> {
    fn sleep(&self, _: Duration) {
        self.sleeps.set(self.sleeps.get() + 1);
        assert!(self.sleeps.get() < 200_000, "the run does not end");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_run_keeps_its_budget_and_gives_its_last_outcome_back(
        plan in bounded(),
        steps in proptest::collection::vec(step(), 1..12),
        list in proptest::collection::vec(64..=255_u8, 1..8),
    ) {
        drive(&plan, &steps, &list)?;
    }

    #[test]
    fn a_run_ends_on_any_clock(
        plan in bounded(),
        script in proptest::collection::vec(any::<u64>(), 1..6),
        list in proptest::collection::vec(64..=255_u8, 1..8),
    ) {
        let clock = Broken { script: &script, readings: Cell::new(0), sleeps: Cell::new(0) };
        let random = Fractions::new(&list);
        let mut calls = 0;
        let error = plan.policy().time(&clock).random(&random).retry(|| { calls += 1; Err::<(), _>(calls) });
        let error = error.expect_err("it never succeeds");
        prop_assert_eq!(error.last(), Some(&calls));
        prop_assert_eq!(error.attempts(), calls);
        prop_assert!(matches!(error.reason(), Reason::Budget | Reason::Attempts));
        prop_assert!(error.slept() <= Duration::from_nanos(plan.budget.expect("there is one")));
    }

    #[test]
    fn attempts_alone_end_a_run(attempts in 1..50_u32, jitter in jitter()) {
        let policy = ExponentialBackoff::new().unlimited().initial(secs(1)).max_attempts(attempts).jitter(jitter);
        let time = VirtualTime::new();
        let error = policy.time(&time).wait(|| None::<()>).expect_err("it never succeeds");
        prop_assert_eq!((error.attempts(), error.reason()), (attempts, Reason::Attempts));
        prop_assert_eq!(time.sleeps().len(), attempts as usize - 1);
    }
}
