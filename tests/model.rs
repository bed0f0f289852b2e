//! The decision machine against a slow model of the contract, failure by failure.

mod support;

use std::time::Duration;

use backoff_core::run::{Decision, Elapsed, Failure, Run};
use backoff_core::{ExponentialBackoff, FinalSleep, Jitter, Reason};
use proptest::prelude::*;
use support::Op;
use support::plans::{Fractions, Plan, nanos, plan, step};

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
            (hint, Jitter::None) => hint,
            (hint, _) => (hint + drawn).max(1_000),
        }
    }
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
            prop_assert_eq!(random.asked(), model.draws.asked(), "draws");
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
