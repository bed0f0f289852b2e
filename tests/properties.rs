//! Whole runs of random policies, outcomes, operation times, draws and clocks: what holds for all of them.

mod support;

use std::cell::{Cell, RefCell};
use std::time::Duration;

use backoff_core::clock::{Clock, Sleep};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason};
use proptest::prelude::*;
use support::plans::{Fractions, Plan, jitter, plan, step};
use support::{Op, secs};

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
    let budget = Duration::from_nanos(plan.budget.expect("there is one"));
    let result = waiter.retry(|| {
        let call = failures.replace(failures.get() + 1);
        let (mut op, takes) = steps[call % steps.len()];
        if let Op::Asks(hint) = op {
            op = Op::Asks(if hint.is_zero() { hint } else { hint.max(budget / 100) });
        }
        let start = time.elapsed();
        time.pass(Duration::from_nanos(takes));
        attempts.borrow_mut().push((start, time.elapsed(), op));
        if op == Op::Succeeds { Ok(call) } else { Err((call, op)) }
    });
    let attempts = attempts.into_inner();
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
