//! The sentences of errors, their names for logs, and what errors turn into.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::time::Duration;

use backoff_core::error::{find_source, sources};
use backoff_core::testing::VirtualTime;
use backoff_core::{AttemptTimeout, ExponentialBackoff, NotYet, Reason, Stop};

const REASONS: [(Reason, &str, &str); 9] = [
    (Reason::Attempts, "attempts", "no attempts left"),
    (Reason::Budget, "budget", "the budget is used up"),
    (Reason::Deadline, "deadline", "the deadline has come"),
    (Reason::NotRetryable, "not_retryable", "the failure is permanent"),
    (Reason::Hint, "hint", "the server asked for too long a wait"),
    (Reason::RetryBudget, "retry_budget", "the shared retry budget is used up"),
    (Reason::RetryQueue, "retry_queue", "the queue of retries is full"),
    (Reason::CircuitOpen, "circuit_open", "the circuit is open"),
    (Reason::Cancelled, "cancelled", "it was cancelled"),
];

const fn stop(reason: Reason, attempts: u32, elapsed: Duration, hint: Option<Duration>) -> Stop {
    Stop { reason, hint, attempts, elapsed, slept: Duration::ZERO }
}

#[test]
fn every_reason_has_a_name_and_a_sentence() {
    for (reason, name, sentence) in REASONS {
        assert_eq!((reason.name(), reason.to_string().as_str()), (name, sentence));
        let stop = stop(reason, 2, Duration::from_secs(1), None);
        assert_eq!(stop.to_string(), format!("gave up after 2 attempts in 1s: {sentence}"));
    }
}

#[test]
fn a_stop_counts_one_attempt_and_rounds_what_nobody_reads() {
    let says = |attempts, nanos| stop(Reason::Attempts, attempts, Duration::from_nanos(nanos), None).to_string();
    assert_eq!(says(1, 0), "gave up after 1 attempt in 0s: no attempts left");
    assert_eq!(says(0, 9_999_999), "gave up after 0 attempts in 9.999999ms: no attempts left");
    assert_eq!(says(2, 10_000_000), "gave up after 2 attempts in 10ms: no attempts left");
    assert_eq!(says(2, 10_999_999), "gave up after 2 attempts in 10ms: no attempts left");
    assert_eq!(says(2, 1_500_700_000), "gave up after 2 attempts in 1.5s: no attempts left");
}

#[test]
fn a_hint_is_in_brackets_and_the_rest_of_a_circuit_is_advice() {
    let (second, minute) = (Duration::from_secs(1), Some(Duration::from_secs(60)));
    let says = |reason| stop(reason, 1, second, minute).to_string();
    assert_eq!(says(Reason::Hint), "gave up after 1 attempt in 1s: the server asked for too long a wait (1m)");
    assert_eq!(says(Reason::CircuitOpen), "gave up after 1 attempt in 1s: the circuit is open; try again in 1m");
}

#[test]
fn the_last_failure_stands_behind_the_sentence_and_is_the_source() {
    let policy = ExponentialBackoff::new().max_attempts(1);
    let failed = policy.time(VirtualTime::new()).retry(|| Err::<(), _>(io::Error::other("down"))).unwrap_err();
    assert_eq!(failed.to_string(), "gave up after 1 attempt in 0s: no attempts left: down");
    assert_eq!(failed.source().map(ToString::to_string).as_deref(), Some("down"));
    assert_eq!(sources(&failed).map(ToString::to_string).collect::<Vec<_>>(), [failed.to_string(), "down".to_owned()]);
    let empty = policy.time(VirtualTime::new()).wait(|| None::<()>).unwrap_err();
    assert_eq!(empty.to_string(), "gave up after 1 attempt in 0s: no attempts left: the operation returned `None`");
    assert_eq!(empty.last(), Some(&NotYet));
}

#[test]
fn a_cut_attempt_becomes_whatever_the_function_returns() {
    let sentence = "the attempt was cut by its timeout";
    assert_eq!((AttemptTimeout.to_string().as_str(), String::from(AttemptTimeout).as_str()), (sentence, sentence));
    let error = io::Error::from(AttemptTimeout);
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::TimedOut, sentence));
    assert_eq!(find_source(&error), Some(&AttemptTimeout));
    assert_eq!(find_source::<NotYet>(&error), None);
    let boxed: Box<dyn Error> = AttemptTimeout.into();
    assert_eq!(boxed.to_string(), sentence);
}
