//! What a failure tells of itself: its answer or its error, the server's wish, and a sentence.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use backoff_core::RetryAfter;
use backoff_http::inspect::Fault;
use backoff_http::{Cause, ErrorKind, Failed, IdempotencyKey, Judge, Operation, Phase, Rules};
use http::{HeaderMap, HeaderValue, Method, StatusCode};

type Failure = Failed<&'static str, io::Error>;

fn answered() -> Failure {
    let headers = HeaderMap::from_iter([(http::header::RETRY_AFTER, HeaderValue::from_static("7"))]);
    let get = Operation::new(Method::GET);
    Failed::answer(Rules::new().judge_status(&get, StatusCode::SERVICE_UNAVAILABLE, &headers), "the response")
}

fn broken() -> Failure {
    let error = io::Error::new(io::ErrorKind::TimedOut, "no answer in a second");
    Failed::error(Rules::new().judge_error(&Operation::new(Method::GET), &error), error)
}

#[test]
fn an_answer_has_a_status_a_wish_and_itself() {
    let failed = answered();
    assert_eq!(failed.status(), Some(StatusCode::SERVICE_UNAVAILABLE));
    assert_eq!(failed.hint(), Some(RetryAfter::after(Duration::from_secs(7))));
    assert_eq!(failed.response(), Some(&"the response"));
    assert!(failed.source().is_none());
    assert!(matches!(failed.into_cause(), Cause::Answer("the response")));
    assert_eq!(answered().into_response(), Some("the response"));
}

#[test]
fn an_error_has_its_source_and_none_of_these() {
    let failed = broken();
    assert_eq!((failed.status(), failed.hint(), failed.response()), (None, None, None));
    assert_eq!(failed.source().map(ToString::to_string).as_deref(), Some("no answer in a second"));
    assert!(matches!(failed.into_cause(), Cause::Error(_)));
    assert_eq!(broken().into_response(), None);
}

#[test]
fn a_failure_is_judged_as_it_was_when_it_happened() {
    let failed = answered();
    assert_eq!(&failed.judge(&Rules::nothing(), &Operation::once()), failed.verdict());
    assert!(failed.verdict().is_retry());
}

#[test]
fn a_fault_is_its_kind_and_how_far_the_request_got() {
    let says = |kind, phase| Fault { kind, phase }.to_string();
    assert_eq!(says(ErrorKind::Reset, Phase::Sent), "the connection was lost (the request may have been carried out)");
    assert_eq!(says(ErrorKind::Dns, Phase::NotSent), "the name of the server could not be resolved (nothing was sent)");
    assert_eq!(
        says(ErrorKind::Decode, Phase::HeadersReceived),
        "the answer can't be decoded (the request was carried out and the answer was lost)"
    );
}

#[test]
fn a_key_shows_itself_and_refuses_with_a_sentence() {
    let key = IdempotencyKey::from_text("order-7").unwrap();
    assert_eq!((key.to_string().as_str(), key.as_str()), ("order-7", "order-7"));
    assert_eq!(format!("{key:?}"), "IdempotencyKey(order-7)");
    assert_eq!(key.header_value(), "order-7");
    assert_eq!(HeaderValue::from(key), "order-7");
    let sentence = "an idempotency key is 1 to 255 printable ASCII characters without spaces";
    for wrong in ["", "order 7", "Auftrag-ü", &"7".repeat(256)] {
        assert_eq!(IdempotencyKey::from_text(wrong).unwrap_err().to_string(), sentence, "{wrong}");
    }
    assert_eq!(IdempotencyKey::from_text(&"7".repeat(255)).unwrap().as_str().len(), 255);
}
