//! Makes a case that fails as small as it can be while it still fails.

use backoff_core::Jitter;

use crate::case::{Case, Op, Step, Wake};

/// The smallest case found that still fails, by trying one simplification after the other until none helps.
#[must_use]
pub fn shrunk(case: &Case, fails: impl Fn(&Case) -> bool) -> Case {
    let mut smallest = case.clone();
    while let Some(smaller) = simpler(&smallest).into_iter().find(|case| fails(case)) {
        smallest = smaller;
    }
    smallest
}

/// Every case that is one step simpler.
fn simpler(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    let mut push = |change: &dyn Fn(&mut Case)| {
        let mut other = case.clone();
        change(&mut other);
        if other != *case {
            all.push(other);
        }
    };
    for at in 0..case.steps.len() {
        push(&|case| {
            case.steps.remove(at);
        });
    }
    push(&|case| case.budget = None);
    push(&|case| case.max_delay = None);
    push(&|case| case.max_attempts = None);
    push(&|case| case.deadline = None);
    push(&|case| case.timeout = None);
    push(&|case| case.final_sleep = None);
    push(&|case| case.jitter = Jitter::None);
    push(&|case| case.multiplier = 2.0);
    push(&|case| case.multiplier = case.multiplier.floor().max(2.0));
    push(&|case| case.draws = vec![0]);
    push(&|case| case.draws.truncate(1));
    push(&|case| case.max_attempts = case.max_attempts.map(|most| (most - 1).max(1)));
    for smaller in [halved, rounded, less] {
        push(&|case| case.initial = smaller(case.initial).max(1));
        push(&|case| case.budget = case.budget.map(|nanos| smaller(nanos).max(1)));
        push(&|case| case.max_delay = case.max_delay.map(|nanos| smaller(nanos).max(1)));
        push(&|case| case.timeout = case.timeout.map(|nanos| smaller(nanos).max(1)));
        push(&|case| case.max_hint = smaller(case.max_hint).max(1));
        push(&|case| case.deadline = case.deadline.map(|at| signed(at, smaller)));
        for at in 0..case.steps.len() {
            push(&|case| case.steps[at].takes = smaller(case.steps[at].takes));
            push(&|case| case.steps[at].shift = signed(case.steps[at].shift, smaller));
            push(&|case| shrink_hint(&mut case.steps[at], smaller));
            push(&|case| shrink_wake(&mut case.steps[at], smaller));
        }
    }
    for at in 0..case.steps.len() {
        push(&|case| case.steps[at].wake = Wake::InTime);
        push(&|case| case.steps[at].shift = 0);
        push(&|case| case.steps[at].takes = 0);
        push(&|case| case.steps[at].op = Op::Fails { transient: true, hint: None });
    }
    all
}

fn shrink_hint(step: &mut Step, smaller: fn(u128) -> u128) {
    if let Op::Fails { hint: Some(hint), .. } = &mut step.op {
        *hint = smaller(*hint);
    }
}

fn shrink_wake(step: &mut Step, smaller: fn(u128) -> u128) {
    match &mut step.wake {
        Wake::InTime => {}
        Wake::Part(part) => *part /= 2,
        Wake::Late(nanos) | Wake::Back(nanos) => *nanos = smaller(*nanos),
    }
}

fn halved(nanos: u128) -> u128 {
    nanos / 2
}

/// Without its last digit that is not zero.
fn rounded(nanos: u128) -> u128 {
    let mut unit = 10;
    while nanos % unit == 0 && unit < nanos {
        unit *= 10;
    }
    nanos / unit * unit
}

fn less(nanos: u128) -> u128 {
    nanos.saturating_sub(1)
}

fn signed(value: i128, smaller: fn(u128) -> u128) -> i128 {
    i128::try_from(smaller(value.unsigned_abs())).unwrap_or(0) * value.signum()
}
