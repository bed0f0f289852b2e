//! Random runs in every test run, and that a difference is found, made small and can be pasted.
#![expect(clippy::cast_possible_truncation, reason = "small numbers")]

use backoff_core::{FinalSleep, Jitter};
use model::{Case, Driver, Op, Step, Wake, compared, expected, seen, shrunk};

/// The first differing case, as text that can be pasted into a test of its own.
fn check(seed: u64, runs: u64) {
    for number in 0..runs {
        let case = Case::random(seed, number);
        if compared(&case, Driver::all(&case)).is_err() {
            let case = shrunk(&case, |case| compared(case, Driver::all(case)).is_err());
            panic!("{case}\n{:#?}", compared(&case, Driver::all(&case)));
        }
    }
}

#[test]
fn random_runs_agree_with_the_contract_under_every_driver() {
    check(7, 20_000);
}

/// A run in which everything happens: a late timer, a clock that runs back, a wish, a cut, and a spread last sleep.
fn rich() -> Case {
    Case {
        initial: 1_000_000,
        budget: Some(20_000_000),
        multiplier: 1.5,
        max_delay: Some(3_000_000),
        max_attempts: None,
        jitter: Jitter::Full,
        final_sleep: Some(FinalSleep::Spread),
        max_hint: 10_000_000,
        deadline: Some(19_999_999),
        timeout: None,
        steps: vec![
            Step { op: Op::Fails { transient: true, hint: None }, takes: 5, shift: 0, wake: Wake::Late(1_000) },
            Step { op: Op::Fails { transient: true, hint: Some(2_000_000) }, takes: 5, shift: -9, wake: Wake::InTime },
            Step { op: Op::Fails { transient: true, hint: None }, takes: 0, shift: 0, wake: Wake::Back(500) },
            Step { op: Op::Fails { transient: true, hint: None }, takes: 16_000_000, shift: 0, wake: Wake::Part(0) },
            Step { op: Op::Fails { transient: true, hint: None }, takes: 0, shift: 0, wake: Wake::InTime },
        ],
        draws: vec![255, 0, 51],
    }
}

#[test]
fn a_rich_run_agrees_event_by_event() {
    let case = rich();
    let right = expected(&case);
    for &driver in Driver::all(&case) {
        assert_eq!(seen(&case, driver), right, "{driver:?}");
    }
    // Four sleeps with a draw each and one more draw for the last of them: 2 x clock, call, predicate, hint.
    let draws = right.iter().filter(|event| matches!(event, model::Event::Draw(_))).count();
    let sleeps = right.iter().filter(|event| matches!(event, model::Event::Timer(_))).count();
    assert_eq!((draws, sleeps), (5, 4), "{right:#?}");
}

#[test]
fn what_is_printed_is_the_case() {
    let text = rich().to_string();
    assert!(text.starts_with("Case {\n    initial: 1000000,\n    budget: Some(20000000),\n    multiplier: 1.5,\n"));
    assert!(text.contains("    final_sleep: Some(FinalSleep::Spread),\n"));
    assert!(text.contains(
        "        Step { op: Op::Fails { transient: true, hint: Some(2000000) }, takes: 5, shift: -9, wake: Wake::InTime },\n"
    ));
    assert!(text.ends_with("    draws: vec![255, 0, 51],\n}"));
}

/// The engine is given another policy than the contract: what is left of a case is what that policy is about.
#[test]
fn a_difference_shrinks_to_what_it_is_about() {
    let rounded = |case: &Case| {
        let wrong = Case { multiplier: case.multiplier + 0.5, ..case.clone() };
        case.timeout.is_none() && expected(case) != seen(&wrong, Driver::Retry)
    };
    let number = (0..1_000).find(|number| rounded(&Case::random(3, *number))).expect("there are many among them");
    let case = shrunk(&Case::random(3, number), rounded);
    assert_eq!((case.budget, case.max_delay, case.deadline, case.max_attempts), (None, None, None, None), "{case}");
    assert_eq!((case.initial, case.jitter, case.steps.len() as u8), (1, Jitter::None, 2), "{case}");
}
