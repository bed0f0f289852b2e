//! ER: what is worth another attempt, with real errors and responses.

mod support;

use std::error::Error;
use std::fmt;
use std::io;

use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, exponential_backoff};
use backoff_http::inspect::{Fault, inspect};
use backoff_http::{ErrorKind, Judge, OnStatus, Operation, Phase, Rules, Verdict, Why, is_transient, is_unsent};
use http::{HeaderMap, Method, StatusCode};
use support::{all_ms, answer, ms};

/// An error that wraps another, as clients do.
#[derive(Debug)]
struct Wrapped(&'static str, Box<dyn Error + Send + Sync>);

impl fmt::Display for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Wrapped {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.1)
    }
}

impl Judge for Wrapped {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        rules.judge_error(operation, self)
    }
}

fn reset() -> io::Error {
    io::ErrorKind::ConnectionReset.into()
}

fn wrapped(times: u32) -> Wrapped {
    let mut error = Wrapped("send", reset().into());
    for _ in 1..times {
        error = Wrapped("connect", Box::new(error));
    }
    error
}

fn verdict(operation: &Operation, kind: ErrorKind, phase: Phase) -> Verdict {
    Rules::new().judge_fault(operation, Fault { kind, phase })
}

#[test]
fn er_05_and_06_the_cause_counts_at_any_depth() {
    for depth in [1, 3, 40] {
        let time = VirtualTime::new();
        let mut outcomes = vec![Ok(()), Err(wrapped(depth)), Err(wrapped(depth))];
        let policy = ExponentialBackoff::new().initial(ms(100)).max_attempts(3);
        let outcome = policy.time(&time).when(is_transient).retry(|| outcomes.pop().unwrap());
        assert!(outcome.is_ok());
        assert_eq!(time.sleeps(), all_ms([100, 200]));
    }
    let inside = io::Error::other(Wrapped("tls", Box::new(io::Error::other(reset()))));
    assert_eq!(inspect(&inside), Fault { kind: ErrorKind::Reset, phase: Phase::Sent });
}

#[test]
fn a_chain_without_end_is_left_at_some_point() {
    #[derive(Debug)]
    struct Circle;
    impl fmt::Display for Circle {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("circle")
        }
    }
    impl Error for Circle {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&Circle)
        }
    }
    assert_eq!(inspect(&Circle), Fault { kind: ErrorKind::Unknown, phase: Phase::Sent });
}

#[test]
fn er_11_the_reason_names_the_operation() {
    let rules = Rules::new().not_idempotent("PUT");
    let put = Operation::new(Method::PUT);
    let timeout = Fault { kind: ErrorKind::Timeout, phase: Phase::Sent };
    let time = VirtualTime::new();
    let error = ExponentialBackoff::new()
        .budget(ms(180_000))
        .max_attempts(11)
        .time(&time)
        .when(Verdict::is_retry)
        .retry(|| {
            time.pass(ms(171_000));
            Err::<(), _>(rules.judge_fault(&put, timeout))
        })
        .unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (1, Reason::NotRetryable));
    assert_eq!(
        error.to_string(),
        "gave up after 1 attempt in 2m 51s: the failure is permanent: PUT is not idempotent and the request may have \
         been carried out: send an idempotency key"
    );
}

#[test]
fn er_13_a_post_is_repeated_only_with_a_key_or_if_nothing_was_sent() {
    let post = Operation::new(Method::POST);
    let lost = verdict(&post, ErrorKind::Reset, Phase::Sent);
    assert_eq!((lost.is_retry(), lost.why()), (false, Why::NotIdempotent));
    assert_eq!(
        lost.to_string(),
        "POST is not idempotent and the request may have been carried out: send an idempotency key"
    );
    let keyed = verdict(&post.clone().keyed(true), ErrorKind::Reset, Phase::Sent);
    assert_eq!((keyed.is_retry(), keyed.why()), (true, Why::Keyed));
    let unsent = verdict(&post, ErrorKind::Connect, Phase::NotSent);
    assert_eq!((unsent.is_retry(), unsent.why()), (true, Why::NotSent));
    let half = verdict(&post, ErrorKind::Reset, Phase::HeadersReceived);
    assert_eq!(
        half.to_string(),
        "POST is not idempotent and the request was carried out and the answer was lost: send an idempotency key"
    );
}

#[test]
fn er_15_the_rules_are_the_only_authority() {
    let only_503 = Rules::nothing().on_status(503, OnStatus::IfRepeatable);
    let time = VirtualTime::new();
    let policy = ExponentialBackoff::new().max_attempts(3).time(&time);
    let get = Operation::new(Method::GET);
    let error = policy
        .when(|error: &io::Error| error.judge(&only_503, &get).is_retry())
        .retry(|| Err::<(), _>(io::Error::from(io::ErrorKind::TimedOut)))
        .unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (1, Reason::NotRetryable));
    assert!(only_503.judge_status(&get, StatusCode::SERVICE_UNAVAILABLE, &HeaderMap::new()).is_retry());
}

#[test]
fn er_16_a_body_that_is_gone_is_never_sent_again() {
    let stream = Operation::new(Method::PUT).replayable(false);
    let busy = Rules::new().judge_status(&stream, StatusCode::SERVICE_UNAVAILABLE, &HeaderMap::new());
    assert_eq!((busy.is_retry(), busy.why()), (false, Why::NotReplayable));
    assert_eq!(busy.to_string(), "the body of PUT is a stream that can't be sent again: send it from memory");
    assert!(!verdict(&stream, ErrorKind::Connect, Phase::NotSent).is_retry());
}

#[test]
fn er_26_each_attempt_is_judged_on_its_own() {
    let time = VirtualTime::new();
    let mut outcomes = vec![Err(io::Error::from(io::ErrorKind::PermissionDenied)), Ok(answer(503, &[]))];
    let policy = ExponentialBackoff::new().initial(ms(100)).max_attempts(5);
    let settled = policy.time(&time).until(backoff_http::is_settled).retry(|| outcomes.pop().unwrap()).unwrap();
    assert!(settled.is_err());
    assert_eq!(time.sleeps(), [ms(100)]);
}

#[test]
fn the_one_word_in_the_attribute() {
    #[exponential_backoff(initial = "1ms", max_attempts = 4, when = backoff_http::is_transient, hint = backoff_http::retry_after)]
    fn load(outcomes: &mut Vec<Result<u8, Wrapped>>) -> Result<u8, Wrapped> {
        outcomes.pop().unwrap()
    }
    #[exponential_backoff(initial = "1ms", until = backoff_http::is_settled, hint = backoff_http::retry_after)]
    async fn page(outcomes: &mut Vec<io::Result<http::Response<()>>>) -> io::Result<http::Response<()>> {
        outcomes.pop().unwrap()
    }
    let time = VirtualTime::new();
    let guard = time.enter();
    assert_eq!(load(&mut vec![Ok(7), Err(wrapped(2))]).unwrap(), 7);
    drop(guard);
    assert_eq!(time.sleeps(), [ms(1)]);

    let time = VirtualTime::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut outcomes = vec![Ok(answer(204, &[])), Err(reset()), Ok(answer(429, &[("retry-after", "2")]))];
    let response = runtime.block_on(time.scope(page(&mut outcomes))).unwrap();
    assert_eq!(response.status(), 204);
    assert_eq!(time.sleeps(), [ms(2_000), ms(2)]);
}

#[test]
fn a_function_that_must_not_run_twice_has_a_word_of_its_own() {
    assert!(is_unsent(&io::Error::from(io::ErrorKind::ConnectionRefused)));
    assert!(is_unsent(&answer(429, &[])) && is_unsent(&StatusCode::REQUEST_TIMEOUT));
    assert!(!is_unsent(&answer(503, &[])) && !is_unsent(&reset()));
}

#[test]
fn errors_of_the_standard_library() {
    use io::ErrorKind as Io;
    let fault = |kind: Io| inspect(&io::Error::from(kind));
    for kind in [Io::ConnectionRefused, Io::AddrNotAvailable] {
        assert_eq!(fault(kind), Fault { kind: ErrorKind::Connect, phase: Phase::NotSent });
    }
    // So ends what was sent and is not answered, as well as an attempt to connect.
    for kind in [Io::HostUnreachable, Io::NetworkUnreachable, Io::NetworkDown] {
        assert_eq!(fault(kind), Fault { kind: ErrorKind::Transport, phase: Phase::Sent });
    }
    for kind in [Io::ConnectionReset, Io::ConnectionAborted, Io::BrokenPipe, Io::NotConnected, Io::UnexpectedEof] {
        assert_eq!(fault(kind), Fault { kind: ErrorKind::Reset, phase: Phase::Sent });
    }
    for kind in [Io::TimedOut, Io::WouldBlock] {
        assert_eq!(fault(kind), Fault { kind: ErrorKind::Timeout, phase: Phase::Sent });
    }
    assert_eq!(fault(Io::InvalidData), Fault { kind: ErrorKind::Protocol, phase: Phase::Sent });
    assert_eq!(fault(Io::PermissionDenied), Fault { kind: ErrorKind::Unknown, phase: Phase::Sent });
    let cut = io::Error::from(backoff_core::AttemptTimeout);
    assert_eq!(inspect(&cut), Fault { kind: ErrorKind::Timeout, phase: Phase::Sent });
}

#[test]
fn a_name_that_is_not_found_is_known_by_the_text_of_the_standard_library() {
    use std::net::ToSocketAddrs as _;
    // No name has a part of 64 letters, so no server is asked.
    let lookup = (format!("{}.invalid", "x".repeat(64)), 80).to_socket_addrs().unwrap_err();
    let not_found = Fault { kind: ErrorKind::Dns, phase: Phase::NotSent };
    assert_eq!(inspect(&lookup), not_found, "{lookup:?}");
    assert!(is_transient(&lookup) && is_unsent(&lookup));
    let text = lookup.to_string();
    assert_eq!(inspect(&Wrapped("connect", Box::new(lookup))), not_found);

    let said = Fault { kind: ErrorKind::Unknown, phase: Phase::Sent };
    assert_eq!(inspect(&io::Error::other(format!("said: {text}"))), said);
    assert_eq!(inspect(&io::Error::other(Wrapped("failed to lookup address information: ", "no".into()))), said);
    assert_eq!(inspect(&io::Error::new(io::ErrorKind::TimedOut, text)).kind, ErrorKind::Timeout);
}

#[cfg(feature = "h2")]
#[test]
fn a_refused_stream_was_not_carried_out() {
    let refused = h2::Error::from(h2::Reason::REFUSED_STREAM);
    assert_eq!(inspect(&refused), Fault { kind: ErrorKind::Refused, phase: Phase::NotSent });
    let post = Operation::new(Method::POST);
    let deep = Wrapped("client", Box::new(refused));
    assert!(Rules::new().judge_error(&post, &deep).is_retry());
    let calm = h2::Error::from(h2::Reason::ENHANCE_YOUR_CALM);
    assert_eq!(inspect(&calm), Fault { kind: ErrorKind::Reset, phase: Phase::Sent });
    assert!(!Rules::new().judge_error(&post, &calm).is_retry());
    assert_eq!(inspect(&h2::Error::from(h2::Reason::PROTOCOL_ERROR)).kind, ErrorKind::Protocol);
}

#[cfg(feature = "rustls")]
#[test]
fn a_certificate_that_is_not_trusted_stays_so() {
    let untrusted = rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
    let deep = Wrapped("connect", Box::new(io::Error::new(io::ErrorKind::InvalidData, untrusted)));
    assert_eq!(inspect(&deep), Fault { kind: ErrorKind::Tls, phase: Phase::NotSent });
    let verdict = Rules::new().judge_error(&Operation::new(Method::GET), &deep);
    assert_eq!(
        verdict.to_string(),
        "TLS failed or the certificate isn't trusted is final: another attempt of GET would end alike"
    );
}
