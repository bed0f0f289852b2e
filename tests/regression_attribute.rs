//! Functions on which the attribute once failed, each with what it has to do.

use std::fmt::Debug;
use std::sync::Arc;

use backoff_core::exponential_backoff;
use backoff_core::guard::{CircuitBreaker, Moment, RetryBudget, RetryTokens};

/// How often a run with three attempts calls its body.
fn calls(run: impl FnOnce(&mut u32)) -> u32 {
    let mut calls = 0;
    run(&mut calls);
    calls
}

#[exponential_backoff(max_attempts = 3, initial = "1ns", clone(list, other))]
fn a_path_from_the_root(calls: &mut u32, list: ::std::vec::Vec<u8>, mut other: ::std::string::String) -> Option<u8> {
    *calls += 1;
    other.push('x');
    let longest = list.into_iter().max()?;
    if other.len() == 1 { None } else { Some(longest) }
}

#[test]
fn a_parameter_whose_type_begins_at_the_root_can_be_cloned() {
    assert_eq!(calls(|calls| assert_eq!(a_path_from_the_root(calls, vec![1, 3], String::new()), None)), 3);
    assert_eq!(calls(|calls| assert_eq!(a_path_from_the_root(calls, vec![1, 3], "y".into()), Some(3))), 1);
}

#[exponential_backoff(max_attempts = 3, initial = "1ns", retry_budget = rule)]
fn under_any_rule(rule: &dyn RetryTokens, calls: &mut u32) -> Option<u8> {
    *calls += 1;
    None
}

#[exponential_backoff(max_attempts = 3, initial = "1ns", retry_budget = rule)]
#[expect(clippy::needless_pass_by_value, reason = "as long as the guard is lent only")]
fn under_a_boxed_rule(rule: Box<dyn RetryTokens>, calls: &mut u32) -> Option<u8> {
    *calls += 1;
    None
}

#[exponential_backoff(max_attempts = 3, initial = "1ns", retry_budget = rule)]
async fn under_a_shared_rule(rule: Arc<dyn RetryTokens + Send + Sync>, calls: &mut u32) -> Option<u8> {
    *calls += 1;
    None
}

#[tokio::test]
async fn a_retry_budget_may_be_any_rule_behind_a_pointer() {
    let mut count = 0;
    under_any_rule(&RetryBudget::new(), &mut count);
    under_a_boxed_rule(Box::new(RetryBudget::new()), &mut count);
    under_a_shared_rule(Arc::new(RetryBudget::new()), &mut count).await;
    assert_eq!(count, 9);
}

static BREAKERS: [CircuitBreaker; 2] = [CircuitBreaker::new(), CircuitBreaker::new().failures(2)];

#[exponential_backoff(max_attempts = 3, initial = "1ns", breaker = if is_first { &BREAKERS[0] } else { &BREAKERS[1] })]
fn under_one_of_two(is_first: bool, calls: &mut u32) -> Option<u8> {
    *calls += 1;
    None
}

#[test]
fn a_guard_may_be_chosen_at_each_call() {
    assert_eq!(calls(|calls| assert_eq!(under_one_of_two(true, calls), None)), 3);
    assert_eq!(calls(|calls| assert_eq!(under_one_of_two(false, calls), None)), 3);
    let failures = BREAKERS.each_ref().map(|breaker| breaker.snapshot(Moment::now()).failures);
    assert_eq!(failures, [1, 1], "one run of each");
}

#[exponential_backoff(max_attempts = 3, initial = "1ns")]
fn two_bounds<'a>(list: &'a [u8], calls: &mut u32) -> Option<&'a (impl Debug + ?Sized)> {
    *calls += 1;
    list.get(9..)
}

#[test]
fn bounds_in_parentheses_are_no_reason_for_a_lint() {
    assert_eq!(calls(|calls| assert!(two_bounds(&[1], calls).is_none())), 3);
}

macro_rules! function {
    ($($option:meta),*) => {
        #[exponential_backoff($($option),*)]
        fn with_options_from_a_macro(calls: &mut u32) -> Option<u8> {
            *calls += 1;
            None
        }
    };
}

function!(max_attempts = 3, initial = "1ns");

#[test]
fn options_may_come_from_a_macro_in_one_piece() {
    assert_eq!(calls(|calls| assert_eq!(with_options_from_a_macro(calls), None)), 3);
}

#[exponential_backoff(max_attempts = 3, initial = "1ns", until = |()| false)]
fn of_nothing(calls: &mut u32) {
    *calls += 1;
}

#[exponential_backoff(max_attempts = 3, initial = "1ns", until = |()| false)]
async fn of_nothing_async(calls: &mut u32) {
    *calls += 1;
}

#[tokio::test]
async fn until_judges_a_function_that_returns_nothing() {
    let mut count = 0;
    of_nothing(&mut count);
    of_nothing_async(&mut count).await;
    assert_eq!(count, 6);
}

struct Arena(Vec<u8>);

impl Arena {
    #[exponential_backoff(max_attempts = 3, initial = "1ns")]
    fn first(&self, calls: &mut u32) -> Option<&u8> {
        *calls += 1;
        self.0.first()
    }
}

type IoFuture<T> = Result<T, ()>;

#[exponential_backoff(max_attempts = 3, initial = "1ns")]
fn by_another_name(calls: &mut u32) -> IoFuture<u8> {
    *calls += 1;
    Err(())
}

mod async_trait {
    pub(crate) trait Job {
        fn run(&self) -> Option<u8>;
    }

    impl Job for u8 {
        fn run(&self) -> Option<u8> {
            None
        }
    }
}

#[exponential_backoff(max_attempts = 3, initial = "1ns")]
fn of_a_job<J: async_trait::Job>(job: &J, calls: &mut u32) -> Option<u8> {
    *calls += 1;
    job.run()
}

#[test]
fn names_alone_are_no_reason_to_refuse() {
    assert_eq!(calls(|calls| assert_eq!(Arena(Vec::new()).first(calls), None)), 3);
    assert_eq!(calls(|calls| assert_eq!(by_another_name(calls), Err(()))), 3);
    assert_eq!(calls(|calls| assert_eq!(of_a_job(&1, calls), None)), 3);
}

#[exponential_backoff(max_attempts = 3, initial = "1ns", clone(name), exhausted = |end| Err((name, end.attempts())))]
fn given_back(name: String) -> Result<u8, (String, u32)> {
    Err((name, 0))
}

#[test]
fn what_was_cloned_may_be_given_back_at_the_end() {
    assert_eq!(given_back("x".into()), Err(("x".into(), 3)));
}

struct Limited<const N: u32>;

impl<const N: u32> Limited<N> {
    #[exponential_backoff(max_attempts = N + 1, initial = "1ns")]
    fn one_more(calls: &mut u32) -> Option<u8> {
        *calls += 1;
        None
    }
}

struct Tries<const RETRIES: u32>;

impl<const RETRIES: u32> Tries<RETRIES> {
    #[exponential_backoff(max_attempts = const { RETRIES }, initial = "1ns")]
    fn go(calls: &mut u32) -> Option<u8> {
        *calls += 1;
        None
    }
}

#[test]
fn a_constant_may_be_made_of_generic_parameters() {
    assert_eq!(calls(|calls| assert_eq!(Limited::<2>::one_more(calls), None)), 3);
    assert_eq!(calls(|calls| assert_eq!(Tries::<3>::go(calls), None)), 3);
}
