//! The table of rules: every status, every method, every kind of error, and changes to each.

mod support;

use backoff_http::hint::{Vendor, VendorHints};
use backoff_http::inspect::Fault;
use backoff_http::{ErrorKind, OnStatus, Operation, Phase, Rules, Why};
use http::{HeaderMap, HeaderValue, Method, StatusCode};

const IDEMPOTENT: [Method; 7] =
    [Method::GET, Method::HEAD, Method::OPTIONS, Method::TRACE, Method::PUT, Method::DELETE, Method::QUERY];
const WRITES: [Method; 3] = [Method::POST, Method::PATCH, Method::CONNECT];

fn status(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap()
}

fn is_retried(rules: &Rules, operation: &Operation, code: u16) -> bool {
    rules.judge_status(operation, status(code), &HeaderMap::new()).is_retry()
}

#[test]
fn every_status_with_every_method() {
    let rules = Rules::new();
    for code in 100..=999 {
        for method in IDEMPOTENT.into_iter().chain(WRITES) {
            let repeatable = IDEMPOTENT.contains(&method);
            let plain = Operation::new(method.clone());
            let (expected, keyed) = match code {
                408 | 425 | 429 => (true, true),
                500 | 502 | 503 | 504 => (repeatable, true),
                _ => (false, false),
            };
            assert_eq!(is_retried(&rules, &plain, code), expected, "{method} {code}");
            assert_eq!(is_retried(&rules, &plain.clone().keyed(true), code), keyed, "{method} {code} with a key");
            assert!(!is_retried(&rules, &plain.replayable(false), code), "{method} {code} of a stream");
        }
    }
}

#[test]
fn every_kind_of_error_in_every_phase() {
    use ErrorKind::{
        Body, Connect, Decode, Dns, Protocol, Redirect, Refused, Request, Reset, Timeout, Tls, Transport, Unknown,
    };
    let transient = [Dns, Connect, Reset, Timeout, Refused, Transport];
    let permanent = [Tls, Protocol, Request, Redirect, Body, Decode, Unknown];
    for phase in [Phase::NotSent, Phase::Sent, Phase::HeadersReceived] {
        for method in IDEMPOTENT.into_iter().chain(WRITES) {
            let operation = Operation::new(method.clone());
            let judge =
                |kind, operation: &Operation| Rules::new().judge_fault(operation, Fault { kind, phase }).is_retry();
            for kind in transient {
                let expected = phase == Phase::NotSent || IDEMPOTENT.contains(&method);
                assert_eq!(judge(kind, &operation), expected, "{method} {kind:?} {phase:?}");
                assert!(judge(kind, &operation.clone().keyed(true)));
            }
            for kind in permanent {
                assert!(!judge(kind, &operation.clone().keyed(true)), "{method} {kind:?} {phase:?}");
            }
        }
    }
}

#[test]
fn each_rule_can_be_changed() {
    const RULES: Rules = Rules::new()
        .on_status(409, OnStatus::IfRepeatable)
        .on_status(503, OnStatus::Always)
        .on_status(500, OnStatus::Never)
        .on_status(999, OnStatus::Always)
        .on_error(ErrorKind::Protocol, true)
        .on_error(ErrorKind::Timeout, false)
        .idempotent("PROPFIND")
        .idempotent("PROPFIND")
        .not_idempotent("GET");
    let post = Operation::new(Method::POST);
    assert!(!is_retried(&RULES, &post, 409) && is_retried(&RULES, &post.clone().keyed(true), 409));
    assert!(is_retried(&RULES, &post, 503) && is_retried(&RULES, &post, 999));
    assert!(!is_retried(&RULES, &post.clone().keyed(true), 500));
    assert!(is_retried(&RULES, &Operation::new(Method::PUT), 502));
    assert!(!is_retried(&RULES, &Operation::new(Method::GET), 502));
    assert!(is_retried(&RULES, &Operation::new("PROPFIND".parse().unwrap()), 502));
    assert!(RULES.get_error(ErrorKind::Protocol) && !RULES.get_error(ErrorKind::Timeout));
    assert_eq!(
        RULES.not_idempotent("PROPFIND").idempotent("GET").not_idempotent("GET"),
        RULES.not_idempotent("PROPFIND")
    );
}

#[test]
#[should_panic(expected = "a status is a number from 100 to 999")]
fn a_status_that_is_none_is_refused() {
    let _ = Rules::new().on_status(1_000, OnStatus::Always);
}

#[test]
fn the_server_s_plain_word_outweighs_the_status() {
    let rules = Rules::new().vendor_hints(VendorHints::none().and(Vendor::ShouldRetry).and(Vendor::Grpc));
    let judge = |code, name: &'static str, value: &'static str| {
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), HeaderValue::from_static(value))]);
        rules.judge_status(&Operation::new(Method::POST), status(code), &headers).why()
    };
    assert_eq!(judge(429, "x-should-retry", "false"), Why::ServerSaidNo);
    assert_eq!(judge(429, "grpc-retry-pushback-ms", "-1"), Why::ServerSaidNo);
    assert_eq!(judge(500, "x-should-retry", "true"), Why::ServerSaidYes);
    assert_eq!(judge(409, "x-should-retry", "true"), Why::ServerSaidYes);
    assert_eq!(judge(200, "x-should-retry", "true"), Why::Final);
    assert_eq!(judge(200, "x-should-retry", "false"), Why::Final);
    assert_eq!(judge(429, "x-should-retry", "maybe"), Why::NotCarriedOut);
}

#[test]
fn what_the_target_of_a_redirect_says_is_not_about_what_led_there() {
    let rules = Rules::new().vendor_hints(VendorHints::none().and(Vendor::ShouldRetry));
    let go_on = HeaderMap::from_iter([("x-should-retry".parse().unwrap(), HeaderValue::from_static("true"))]);
    let again = HeaderMap::from_iter([("retry-after".parse().unwrap(), HeaderValue::from_static("1"))]);
    let refused = Fault { kind: ErrorKind::Connect, phase: Phase::NotSent };
    let lost = Fault { kind: ErrorKind::Reset, phase: Phase::HeadersReceived };
    let all = |operation: &Operation| {
        [
            rules.judge_status(operation, status(429), &HeaderMap::new()),
            rules.judge_status(operation, status(413), &again),
            rules.judge_status(operation, status(418), &go_on),
            rules.judge_fault(operation, refused),
        ]
        .map(|verdict| verdict.why())
    };
    let post = Operation::new(Method::POST);
    assert_eq!(all(&post), [Why::NotCarriedOut, Why::NotCarriedOut, Why::ServerSaidYes, Why::NotSent]);
    let post = post.redirected(true);
    assert!(post.is_redirected());
    assert_eq!(all(&post), [Why::NotIdempotent; 4]);
    let known = [Why::NotCarriedOut, Why::NotCarriedOut, Why::ServerSaidYes];
    for (operation, why) in [
        (post.clone().keyed(true), Why::Keyed),
        (Operation::new(Method::GET).redirected(true), Why::Idempotent),
        (Operation::repeatable().redirected(true), Why::Repeatable),
    ] {
        let all = all(&operation);
        assert_eq!((&all[..3], all[3]), (&known[..], why));
    }
    assert_eq!(all(&Operation::new(Method::GET).redirected(true).replayable(false)), [Why::NotReplayable; 4]);
    assert_eq!(rules.judge_fault(&post, refused).fault(), Some(Fault { phase: Phase::Sent, ..refused }));
    assert_eq!(rules.judge_fault(&post, lost).fault(), Some(lost));
    let invalid = Fault { kind: ErrorKind::Request, phase: Phase::NotSent };
    let nowhere = Fault { kind: ErrorKind::Redirect, phase: Phase::Sent };
    assert_eq!(rules.judge_fault(&post, invalid).fault(), Some(nowhere));
}

#[test]
fn a_verdict_is_a_sentence() {
    let says =
        |method, code| Rules::new().judge_status(&Operation::new(method), status(code), &HeaderMap::new()).to_string();
    assert_eq!(says(Method::GET, 404), "404 Not Found is final: another attempt of GET would end alike");
    assert_eq!(says(Method::POST, 429), "429 Too Many Requests is worth another attempt: POST was not carried out");
    assert_eq!(says(Method::GET, 503), "503 Service Unavailable is worth another attempt: GET is idempotent");
    assert_eq!(
        says(Method::POST, 413),
        "413 Payload Too Large is final unless the server says when to come back, and it does not"
    );
    assert_eq!(says(Method::GET, 799), "799 is final: another attempt of GET would end alike");
    let refused = Fault { kind: ErrorKind::Connect, phase: Phase::NotSent };
    assert_eq!(
        Rules::new().judge_fault(&Operation::new(Method::POST), refused).to_string(),
        "no connection could be made, and nothing was sent: POST can be tried again"
    );
}

#[test]
fn the_table_in_full() {
    let rules = Rules::new().on_status(599, OnStatus::Always).vendor_hints(VendorHints::none().and(Vendor::Aws));
    let expected = "\
status                     tried again
408 Request Timeout        any method
413 Payload Too Large      any method, if the server says when
425 Too Early              any method
429 Too Many Requests      any method
500 Internal Server Error  idempotent or with a key
502 Bad Gateway            idempotent or with a key
503 Service Unavailable    idempotent or with a key
504 Gateway Timeout        idempotent or with a key
599                        any method
any other                  never

error                                             tried again
the name of the server could not be resolved      any method
no connection could be made                       any method
the connection was lost                           idempotent, with a key, or not sent
it took too long                                  idempotent, with a key, or not sent
the server refused the stream                     any method
the connection failed                             idempotent, with a key, or not sent
TLS failed or the certificate isn't trusted       never
the answer is not HTTP                            never
the request is not valid                          never
the redirects lead nowhere                        never
the body of the request failed                    never
the answer can't be decoded                       never
an unknown error                                  never

idempotent methods: GET HEAD OPTIONS TRACE PUT DELETE QUERY
headers that are read: retry-after, x-amz-retry-after";
    assert_eq!(rules.to_string(), expected);
    assert_eq!(format!("{rules:?}"), format!("Rules {{\n{expected}\n}}"));
}

#[test]
fn grpc_is_judged_if_it_is_asked_for() {
    let judge = |rules: Rules, headers: &[(&'static str, &'static str)]| {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
        rules.judge_status(&Operation::new(Method::POST), status(200), &headers.collect())
    };
    let rules = Rules::new().on_grpc(14, true).on_grpc(8, true);
    let down = ("grpc-status", "14");
    assert_eq!(judge(Rules::new(), &[down]).why(), Why::Final);
    let verdict = judge(rules, &[down]);
    assert_eq!((verdict.why(), verdict.hint()), (Why::Repeatable, None));
    assert_eq!(verdict.to_string(), "gRPC 14 UNAVAILABLE is worth another attempt: POST may be carried out twice");
    assert_eq!(judge(rules, &[down, ("grpc-retry-pushback-ms", "250")]).hint().unwrap().delay(), support::ms(250));
    assert_eq!(judge(rules, &[down, ("grpc-retry-pushback-ms", "-1")]).why(), Why::ServerSaidNo);
    assert_eq!(judge(rules, &[down, ("grpc-retry-pushback-ms", "soon")]).why(), Why::ServerSaidNo);
    assert!(judge(rules, &[("grpc-status", "0")]).is_answer() && judge(rules, &[("grpc-status", "5")]).is_answer());
    assert!(judge(rules, &[("grpc-status", "no")]).is_answer() && judge(rules, &[]).is_answer());
    assert!(rules.to_string().contains("\ngRPC statuses that are tried again: 8 RESOURCE_EXHAUSTED 14 UNAVAILABLE\n"));
}
