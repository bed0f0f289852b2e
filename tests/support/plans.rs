//! Random policies, operations and draws for the tests of properties.

use std::cell::Cell;
use std::time::Duration;

use backoff_core::random::Random;
use backoff_core::{ExponentialBackoff, FinalSleep, Jitter};
use proptest::prelude::*;

use super::Op;

/// A random policy. Its multiplier is `sixteenths / 16`, so that a model can be exact without floating-point numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) initial: u64,
    pub(crate) budget: Option<u64>,
    pub(crate) sixteenths: u32,
    pub(crate) max_delay: Option<u64>,
    pub(crate) max_attempts: Option<u32>,
    pub(crate) jitter: Jitter,
    pub(crate) final_sleep: Option<FinalSleep>,
    pub(crate) max_hint: u64,
}

impl Plan {
    pub(crate) fn policy(&self) -> ExponentialBackoff {
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

    pub(crate) fn cap(&self) -> u128 {
        self.max_delay.map_or(Duration::MAX.as_nanos(), u128::from)
    }
}

/// Durations of every size, from nanoseconds to centuries; and few of a kind, so that some are equal.
pub(crate) fn nanos() -> impl Strategy<Value = u64> {
    let of_every_size = (1..=u64::MAX, 0..64_u32).prop_map(|(bits, shift)| (bits >> shift).max(1));
    prop_oneof![of_every_size, (1..5_u64).prop_map(|few| few * 1_000)]
}

pub(crate) fn jitter() -> impl Strategy<Value = Jitter> {
    prop_oneof![Just(Jitter::None), Just(Jitter::Full), Just(Jitter::Equal)]
}

pub(crate) fn final_sleep() -> impl Strategy<Value = FinalSleep> {
    prop_oneof![Just(FinalSleep::Trim), Just(FinalSleep::Spread), Just(FinalSleep::Skip)]
}

pub(crate) fn plan() -> impl Strategy<Value = Plan> {
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
pub(crate) struct Fractions<'a> {
    list: &'a [u8],
    asked: Cell<usize>,
}

impl<'a> Fractions<'a> {
    pub(crate) fn new(list: &'a [u8]) -> Self {
        Self { list, asked: Cell::new(0) }
    }

    /// How many draws there were.
    pub(crate) fn asked(&self) -> usize {
        self.asked.get()
    }

    pub(crate) fn take(&self, width: u128) -> u128 {
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

/// What an operation does, and how long it takes in nanoseconds.
pub(crate) fn step() -> impl Strategy<Value = (Op, u64)> {
    let op = prop_oneof![
        20 => Just(Op::Fails),
        1 => Just(Op::FailsForGood),
        4 => nanos().prop_map(|nanos| Op::Asks(Duration::from_nanos(nanos))),
        1 => Just(Op::Asks(Duration::ZERO)),
        1 => Just(Op::Succeeds),
    ];
    (op, prop_oneof![Just(0), nanos()])
}
