//! Rules that are said twice, names that begin alike, numbers at the end of their range.

mod support;

use std::time::{Duration, SystemTime};

use backoff_core::RetryAfter;
use backoff_http::grpc::{Pushback, pushback};
use backoff_http::hint::{Vendor, VendorHints, parse_retry_after};
use backoff_http::inspect::Fault;
use backoff_http::{ErrorKind, Failed, OnStatus, Operation, Phase, Rules, Verdict, Why};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use support::secs;

fn headers(all: &[(&'static str, &'static str)]) -> HeaderMap {
    all.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
}

fn judged(rules: &Rules, method: Method, status: u16, all: &[(&'static str, &'static str)]) -> Verdict {
    rules.judge_status(&Operation::new(method), StatusCode::from_u16(status).unwrap(), &headers(all))
}

#[test]
fn a_rule_that_is_said_twice_stays_said() {
    let rules = Rules::new();
    assert_eq!(rules.on_error(ErrorKind::Timeout, true), rules);
    assert_eq!(rules.on_error(ErrorKind::Tls, false), rules);
    assert_eq!(rules.on_grpc(14, true).on_grpc(14, true), rules.on_grpc(14, true));
    assert_eq!(rules.on_grpc(14, true).on_grpc(14, false).on_grpc(14, false), rules);
    assert_eq!(rules.on_status(429, OnStatus::Always).on_status(503, OnStatus::IfRepeatable), rules);
    let hints = VendorHints::none().and(Vendor::Aws);
    assert_eq!(hints.and(Vendor::Aws), hints);
}

#[test]
fn each_status_of_grpc_is_a_rule_of_its_own() {
    for status in 1..=16 {
        let only = Rules::new().on_grpc(status, true);
        let all_but = (1..=16).fold(Rules::new(), |rules, each| rules.on_grpc(each, true)).on_grpc(status, false);
        for each in 0..=17 {
            assert_eq!(only.get_grpc(each), each == status, "{each} of {status}");
            assert_eq!(all_but.get_grpc(each), (1..=16).contains(&each) && each != status, "{each} without {status}");
        }
    }
}

#[test]
#[should_panic(expected = "a failure of gRPC is a number from 1 to 16")]
fn success_is_no_failure_of_grpc() {
    let _ = Rules::new().on_grpc(0, true);
}

#[test]
#[should_panic(expected = "a failure of gRPC is a number from 1 to 16")]
fn nor_is_a_number_above_sixteen() {
    let _ = Rules::new().on_grpc(17, true);
}

#[test]
fn methods_that_begin_alike_are_different_methods() {
    let is = |rules: &Rules, name: &str| rules.is_idempotent(&name.parse().unwrap());
    let rules = Rules::new().idempotent("PU").idempotent("PUTT");
    assert!(is(&rules, "PU") && is(&rules, "PUT") && is(&rules, "PUTT"));
    let rules = Rules::new().not_idempotent("PU").not_idempotent("PUTT").not_idempotent("");
    assert!(is(&rules, "PUT"));
    assert!(!is(&rules, "PU") && !is(&rules, "PUTT"));
}

const NAMES: [&str; 9] = ["A", "B", "C", "D", "E", "F", "G", "H", "I"];

#[test]
fn sixteen_methods_can_be_idempotent_and_saying_one_again_takes_no_place() {
    let rules = NAMES.into_iter().fold(Rules::new(), Rules::idempotent);
    assert_eq!(NAMES.into_iter().fold(rules, Rules::idempotent), rules);
    assert!(NAMES.iter().all(|name| rules.is_idempotent(&name.parse().unwrap())));
    assert!(rules.is_idempotent(&Method::QUERY));
}

#[test]
#[should_panic(expected = "there are 16 idempotent methods already")]
fn a_seventeenth_method_is_refused() {
    let _ = NAMES.into_iter().fold(Rules::new(), Rules::idempotent).idempotent("J");
}

#[test]
#[should_panic(expected = "a method has a name")]
fn a_method_without_a_name_is_refused() {
    let _ = Rules::new().idempotent("");
}

#[test]
#[should_panic(expected = "a status is a number from 100 to 999")]
fn a_status_below_a_hundred_is_refused() {
    let _ = Rules::new().on_status(99, OnStatus::Always);
}

#[test]
fn a_no_counts_for_failures_and_for_what_is_tried_again_only() {
    let rules = Rules::new().on_status(202, OnStatus::Always);
    let rules = rules.vendor_hints(VendorHints::none().and(Vendor::ShouldRetry));
    let no = [("x-should-retry", "false")];
    assert_eq!(judged(&rules, Method::GET, 404, &no).why(), Why::ServerSaidNo, "final, and the server says so");
    assert_eq!(judged(&rules, Method::GET, 503, &no).why(), Why::ServerSaidNo);
    assert_eq!(judged(&rules, Method::GET, 202, &no).why(), Why::ServerSaidNo, "no failure, but tried again");
    assert_eq!(judged(&rules, Method::GET, 200, &no).why(), Why::Final);
}

#[test]
fn grpc_is_looked_for_in_a_200_only_and_only_if_asked() {
    let down = [("grpc-status", "14")];
    let says = |rules: &Rules, status| judged(rules, Method::GET, status, &down).to_string();
    let rules = Rules::new();
    assert_eq!(says(&rules, 200), "200 OK is final: another attempt of GET would end alike");
    let rules = rules.on_grpc(14, true);
    assert_eq!(says(&rules, 200), "gRPC 14 UNAVAILABLE is worth another attempt: GET may be carried out twice");
    assert_eq!(says(&rules, 503), "503 Service Unavailable is worth another attempt: GET is idempotent");
}

#[test]
fn a_verdict_knows_what_it_is_about() {
    let lost = Fault { kind: ErrorKind::Reset, phase: Phase::Sent };
    let fault = Rules::new().judge_fault(&Operation::new(Method::POST), lost);
    assert_eq!((fault.status(), fault.fault(), fault.is_answer()), (None, Some(lost), false));
    let tls = Fault { kind: ErrorKind::Tls, phase: Phase::NotSent };
    let fault = Rules::new().judge_fault(&Operation::new(Method::POST), tls);
    assert_eq!((fault.why(), fault.is_answer()), (Why::Final, false), "final, but no answer");
    for (status, why, is_answer) in
        [(404, Why::Final, true), (413, Why::NotAsked, true), (429, Why::NotCarriedOut, false)]
    {
        let verdict = judged(&Rules::new(), Method::POST, status, &[]);
        assert_eq!((verdict.why(), verdict.is_answer(), verdict.fault()), (why, is_answer, None));
        assert_eq!(verdict.status().map(|status| status.as_u16()), Some(status));
    }
    let grpc = judged(&Rules::new().on_grpc(14, true), Method::POST, 200, &[("grpc-status", "14")]);
    assert_eq!((grpc.status(), grpc.fault(), grpc.is_answer()), (Some(StatusCode::OK), None, false));
}

#[test]
fn a_failure_says_more_only_where_the_caller_can_do_something() {
    let rules = Rules::new().vendor_hints(VendorHints::all());
    let says = |verdict| Failed::<(), std::io::Error>::answer(verdict, ()).to_string();
    assert_eq!(says(judged(&rules, Method::GET, 503, &[])), "GET: 503 Service Unavailable");
    assert_eq!(
        says(judged(&rules, Method::POST, 503, &[])),
        "POST: 503 Service Unavailable; POST is not idempotent and the request may have been carried out: send an \
         idempotency key"
    );
    let no = judged(&rules, Method::GET, 503, &[("x-should-retry", "false")]);
    assert_eq!(says(no), "GET: 503 Service Unavailable; the server asks for no other attempt");
    let stream = Operation::new(Method::PUT).replayable(false);
    assert_eq!(
        says(rules.judge_status(&stream, StatusCode::BAD_GATEWAY, &HeaderMap::new())),
        "PUT: 502 Bad Gateway; the body of PUT is a stream that can't be sent again: send it from memory"
    );
}

#[test]
fn sixty_four_bytes_are_read_and_no_more() {
    let zeros = |count: usize| format!("{}7", "0".repeat(count));
    let read =
        |value: &str| parse_retry_after(value.as_bytes(), SystemTime::UNIX_EPOCH).map(backoff_core::RetryAfter::delay);
    assert_eq!(read(&zeros(63)), Some(secs(7)));
    assert_eq!(read(&format!(" {}\t", zeros(63))), Some(secs(7)), "white space is not counted");
    assert_eq!(read(&zeros(64)), None);
}

#[test]
fn the_first_moment_of_2024_is_a_moment_and_the_second_before_it_a_number() {
    let hints = VendorHints::none().and(Vendor::XRateLimit);
    let read = |value: &'static str| {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_704_067_000);
        hints.read(&headers(&[("x-ratelimit-reset", value)]), now).wait.map(backoff_core::RetryAfter::delay)
    };
    assert_eq!(read("1704067200"), Some(secs(200)));
    assert_eq!(read("1704067199"), Some(secs(1_704_067_199)));
}

#[test]
fn a_pushback_is_a_number_of_milliseconds_or_a_no() {
    let read = |value: &'static str| pushback(&headers(&[("grpc-retry-pushback-ms", value)]));
    assert_eq!(read("250"), Some(Pushback::After(RetryAfter::after(Duration::from_millis(250)))));
    for no in ["-1", "", "soon", "1.5"] {
        assert_eq!(read(no), Some(Pushback::Stop), "{no}");
    }
    assert_eq!(pushback(&HeaderMap::new()), None);
}
