//! ER: how whole runs end, with real errors and responses.

mod support;

use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use backoff_core::event::{GiveUp, Retry, Success};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason};
use backoff_http::inspect::Fault;
use backoff_http::{Cause, ErrorKind, Failed, Operation, Phase, Rules, is_settled, is_transient, retry_after};
use http::{Method, Response};
use support::{Answers, all_ms, answer, ms};

const POLICY: ExponentialBackoff = ExponentialBackoff::new().unlimited().initial(ms(100));
const RULES: Rules = Rules::new();

type Failure = Failed<Response<()>, io::Error>;

fn failed(kind: ErrorKind, phase: Phase) -> Failure {
    let verdict = RULES.judge_fault(&Operation::new(Method::GET), Fault { kind, phase });
    Failed::error(verdict, io::Error::other("https://host/secret-token"))
}

#[cfg(feature = "rustls")]
#[test]
fn er_01_a_permanent_cause_is_found_anywhere_in_the_chain() {
    let time = VirtualTime::new();
    let untrusted = || rustls::Error::InvalidCertificate(rustls::CertificateError::Expired);
    let error = POLICY
        .max_attempts(5)
        .time(&time)
        .when(is_transient)
        .retry(|| Err::<(), _>(io::Error::other(io::Error::new(io::ErrorKind::ConnectionReset, untrusted()))))
        .unwrap_err();
    assert_eq!((error.attempts(), error.reason(), time.sleeps().len()), (1, Reason::NotRetryable, 0));
}

#[test]
fn er_03_what_is_final_for_an_inner_run_is_for_the_outer_to_judge() {
    let time = VirtualTime::new();
    let mut inner_calls = 0;
    let error = POLICY
        .max_attempts(3)
        .time(&time)
        .retry(|| {
            POLICY.max_attempts(3).time(&time).when(is_transient).retry(|| {
                inner_calls += 1;
                Err::<(), _>(failed(ErrorKind::Tls, Phase::NotSent))
            })
        })
        .unwrap_err();
    assert_eq!((error.attempts(), inner_calls), (3, 3));
    assert_eq!(error.last().unwrap().reason(), Reason::NotRetryable);
    assert_eq!(time.sleeps(), all_ms([100, 200]));
}

#[test]
fn er_10_the_end_of_the_budget_says_what_failed() {
    let time = VirtualTime::new();
    let policy = ExponentialBackoff::new().initial(ms(400)).max_delay(ms(400)).budget(ms(1_000));
    let error = policy
        .time(&time)
        .when(is_transient)
        .retry(|| Err::<(), _>(failed(ErrorKind::Dns, Phase::NotSent)))
        .unwrap_err();
    assert_eq!((error.reason(), error.attempts(), error.elapsed()), (Reason::Budget, 4, ms(1_000)));
    assert_eq!(
        error.to_string(),
        "gave up after 4 attempts in 1s: the budget is used up: GET: the name of the server could not be resolved"
    );
    assert!(error.source().unwrap().source().unwrap().is::<io::Error>());
}

#[test]
fn er_18_a_panic_elsewhere_disturbs_nobody() {
    let time = VirtualTime::new();
    let boom = catch_unwind(AssertUnwindSafe(|| {
        drop(POLICY.time(&time).until(is_settled).retry(|| -> Response<()> { panic!("elsewhere") }));
    }));
    assert_eq!(boom.unwrap_err().downcast_ref(), Some(&"elsewhere"));
    let answers = Answers::new([answer(503, &[]), answer(200, &[])]);
    let response = POLICY.time(&time).until(is_settled).retry(|| answers.next()).unwrap();
    assert_eq!((response.status().as_u16(), time.sleeps()), (200, all_ms([100])));
}

#[test]
fn er_20_a_hook_looks_on_and_changes_nothing() {
    let time = VirtualTime::new();
    let answers = Answers::new([answer(503, &[]), answer(429, &[("retry-after", "3")]), answer(200, &[])]);
    let mut seen = Vec::new();
    let waiter = POLICY.max_attempts(3).time(&time).until(is_settled).hint(retry_after);
    let response = waiter
        .on_retry(|retry: &Retry<'_, Response<()>>| seen.push(retry.failure.unwrap().status().as_u16()))
        .retry(|| answers.next())
        .unwrap();
    assert_eq!((response.status().as_u16(), time.sleeps()), (200, all_ms([100, 3_000])));
    assert_eq!(seen, [503, 429]);
}

#[test]
fn er_21_nothing_that_this_crate_prints_has_a_url_in_it() {
    let failure = failed(ErrorKind::Reset, Phase::Sent);
    assert_eq!(failure.to_string(), "GET: the connection was lost");
    assert_eq!(failure.verdict().to_string(), "the connection was lost is worth another attempt: GET is idempotent");
}

#[test]
fn er_23_a_run_that_ends_with_a_503_is_no_success() {
    let time = VirtualTime::new();
    let answers = Answers::new(vec![answer(503, &[]); 3]);
    let (mut successes, mut given_up) = (0, 0);
    let error = POLICY
        .max_attempts(3)
        .time(&time)
        .until(is_settled)
        .on_success(|_: &Success| successes += 1)
        .on_give_up(|_: &GiveUp<'_, Response<()>>| given_up += 1)
        .retry(|| answers.next())
        .unwrap_err();
    assert_eq!((error.reason(), time.sleeps()), (Reason::Attempts, all_ms([100, 200])));
    assert_eq!((successes, given_up, error.into_last().unwrap().status().as_u16()), (0, 1, 503));
}

#[test]
fn er_25_the_last_error_is_the_client_s_own() {
    let original = io::Error::other("the one and only");
    let address = std::ptr::from_ref(original.get_ref().unwrap()).cast::<u8>();
    let verdict = RULES.judge_error(&Operation::new(Method::GET), &original);
    let mut outcomes = vec![Err::<(), Failure>(Failed::error(verdict, original))];
    let error = POLICY.max_attempts(1).when(is_transient).retry(|| outcomes.pop().unwrap()).unwrap_err();
    let Cause::Error(last) = error.into_last().unwrap().into_cause() else { panic!("it was an error") };
    assert_eq!(std::ptr::from_ref(last.get_ref().unwrap()).cast::<u8>(), address);
}
