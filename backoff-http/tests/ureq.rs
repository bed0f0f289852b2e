//! `ureq` against a real server: its log is compared, request by request.
#![cfg(feature = "ureq")]

mod support;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use backoff_core::event::Retry;
use backoff_core::guard::{CircuitBreaker, RetryBudget};
use backoff_core::{CancelToken, ExponentialBackoff, Jitter, Reason, RetryError, exponential_backoff};
use backoff_http::deadline::DeadlineHeader;
use backoff_http::hint::{Vendor, VendorHints};
use backoff_http::inspect::{Fault, inspect};
use backoff_http::ureq::{Failed, RetryAgent};
use backoff_http::{ErrorKind, IdempotencyKey, OnStatus, Phase, Rules, Why};
use http::{Request, Response};
use support::ms;
use support::server::Server;
use support::server::Step::{self, Answer, Close, Garbage, HalfBody, HalfHead, Late, Long, Reset, Stalled};
use ureq::{Agent, Body, SendBody};

const POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(ms(20)).max_attempts(4);

fn ok(body: &'static str) -> Step {
    Answer(200, &[], body)
}

/// An agent that limits the time for a body: so failed answers are read.
fn agent() -> Agent {
    Agent::config_builder().proxy(None).timeout_recv_body(Some(ms(5_000))).build().into()
}

fn get(server: &Server) -> Request<()> {
    Request::get(server.url("/")).body(()).unwrap()
}

fn post(server: &Server, body: &'static str) -> Request<&'static str> {
    Request::post(server.url("/")).body(body).unwrap()
}

/// What a run ended with: the status and body, or the reason and what is said about it.
fn text(sent: Result<Response<Body>, RetryError<Failed>>) -> String {
    match sent {
        Ok(mut response) => {
            format!("{} {}", response.status().as_u16(), response.body_mut().read_to_string().unwrap())
        }
        Err(error) => format!("{}: {}", error.reason().name(), error.into_last().unwrap()),
    }
}

#[test]
fn statuses_of_a_get() {
    let server = Server::new([Answer(503, &[], "later"), Answer(429, &[], ""), Answer(500, &[], "x"), ok("there")]);
    assert_eq!(text(agent().retry(POLICY).run(get(&server))), "200 there");
    assert_eq!(server.lines(), ["1 GET /", "1 GET /", "1 GET /", "1 GET /"], "all on one connection");
}

#[test]
fn what_is_final_is_returned_as_it_is() {
    let agent = agent();
    for status in [204, 400, 401, 403, 404, 409, 413, 422, 501, 505] {
        let server = Server::new([Answer(status, &[], "")]);
        let response = agent.retry(POLICY).run(get(&server)).unwrap();
        assert_eq!((response.status().as_u16(), server.lines().len()), (status, 1));
    }
}

#[test]
fn the_last_answer_can_be_read() {
    let server = Server::new(vec![Answer(503, &[("content-type", "text/plain; charset=utf-8")], "at tea"); 4]);
    let error = agent().retry(POLICY).run(get(&server)).unwrap_err();
    assert_eq!((error.reason(), error.attempts()), (Reason::Attempts, 4));
    let mut response = error.into_last().unwrap().into_response().unwrap();
    assert_eq!((response.body().mime_type(), response.body().content_length()), (Some("text/plain"), Some(6)));
    assert_eq!(response.body_mut().read_to_string().unwrap(), "at tea");

    let server = Server::new([Long(503, 200_000)]);
    let error = agent().retry(POLICY.max_attempts(1)).run(get(&server)).unwrap_err();
    let mut response = error.into_last().unwrap().into_response().unwrap();
    assert_eq!(response.body_mut().read_to_vec().unwrap().len(), 200_000);

    let server = Server::new([HalfBody(503)]);
    let error = agent().retry(POLICY.max_attempts(1)).run(get(&server)).unwrap_err();
    let mut response = error.into_last().unwrap().into_response().unwrap();
    let broken = response.body_mut().read_to_vec().unwrap_err();
    assert!(
        matches!(&broken, ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof),
        "{broken:?}"
    );
}

#[test]
fn an_answer_of_just_the_bytes_that_are_kept_is_in_memory_and_a_longer_one_goes_on() {
    let length = |kept| {
        let server = Server::new([Answer(503, &[], "at tea")]);
        let error = agent().retry(POLICY.max_attempts(1)).keep(kept).run(get(&server)).unwrap_err();
        let mut response = error.into_last().unwrap().into_response().unwrap();
        (response.body().content_length(), response.body_mut().read_to_string().unwrap())
    };
    let text = || "at tea".to_owned();
    assert_eq!([length(7), length(6), length(5)], [(Some(6), text()), (Some(6), text()), (None, text())]);
}

#[test]
fn er_13_a_post_is_repeated_only_with_a_key() {
    for lost in [Close, Reset, HalfHead, Answer(503, &[], ""), Answer(500, &[], "")] {
        let server = Server::new([lost.clone(), ok("done")]);
        let said = text(agent().retry(POLICY).run(post(&server, "ten")));
        assert!(said.starts_with("not_retryable: POST: "), "{lost:?}: {said}");
        assert!(said.ends_with("the request may have been carried out: send an idempotency key"), "{lost:?}: {said}");
        assert_eq!(server.lines(), ["1 POST / ten"]);

        let server = Server::new([lost, ok("done")]);
        let key = IdempotencyKey::new();
        assert_eq!(text(agent().retry(POLICY).idempotency_key(&key).run(post(&server, "ten"))), "200 done");
        let log = server.log();
        assert_eq!(log.len(), 2);
        assert!(log.iter().all(|seen| seen.line == "POST /" && seen.body == "ten"));
        assert!(log.iter().all(|seen| seen.header("idempotency-key") == Some(key.as_str())));
    }
}

#[test]
fn a_post_is_repeated_if_nothing_was_sent_or_done() {
    for status in [408, 425, 429] {
        let server = Server::new([Answer(status, &[], ""), ok("done")]);
        assert_eq!(text(agent().retry(POLICY).run(post(&server, "ten"))), "200 done");
        assert_eq!(server.lines(), ["1 POST / ten", "1 POST / ten"]);
    }
    let faults = Mutex::new(Vec::new());
    let waiter = POLICY.on_retry(|retry: &Retry<'_, Failed>| {
        let fault = retry.failure.unwrap().verdict().fault().unwrap();
        faults.lock().unwrap().push((fault.kind, fault.phase));
    });
    let error = agent().retry_with(waiter).run(Request::post(Server::nowhere()).body("ten").unwrap()).unwrap_err();
    assert_eq!((error.reason(), error.attempts()), (Reason::Attempts, 4));
    assert_eq!(*faults.lock().unwrap(), [(ErrorKind::Connect, Phase::NotSent); 3]);
    assert_eq!(error.into_last().unwrap().to_string(), "POST: no connection could be made");
}

#[test]
fn a_name_that_is_not_found_is_looked_up_again() {
    // No name has a part of 64 letters, so no server is asked. With a timeout, the lookup has a thread of its own.
    let nobody = format!("http://{}.invalid/", "x".repeat(64));
    for policy in [POLICY, POLICY.unlimited().max_attempts(4)] {
        let error = agent().retry(policy).run(Request::post(&nobody).body("ten").unwrap()).unwrap_err();
        assert_eq!((error.reason(), error.attempts()), (Reason::Attempts, 4));
        let failed = error.into_last().unwrap();
        assert_eq!(failed.verdict().fault(), Some(Fault { kind: ErrorKind::Dns, phase: Phase::NotSent }));
        assert_eq!(failed.to_string(), "POST: the name of the server could not be resolved");
    }
}

#[test]
fn a_post_that_was_redirected_is_not_repeated() {
    const UNKNOWN: &str = "POST is not idempotent and the request may have been carried out: send an idempotency key";
    // The second leads to where the request came from.
    for (status, target) in [(408, "/receipt"), (425, "/"), (429, "/receipt")] {
        let server = Server::new([Step::redirect(303, target), Answer(status, &[], ""), ok("twice")]);
        let said = text(agent().retry(POLICY).run(post(&server, "ten")));
        assert!(said.starts_with(&format!("not_retryable: POST: {status} ")) && said.ends_with(UNKNOWN), "{said}");
        assert_eq!(server.lines(), ["1 POST / ten".to_owned(), format!("1 GET {target}")]);
    }

    // With a key it is, and so is a GET.
    let key = IdempotencyKey::new();
    let steps = || [Step::redirect(303, "/receipt"), Answer(429, &[], ""), Step::redirect(303, "/receipt"), ok("done")];
    let server = Server::new(steps());
    assert_eq!(text(agent().retry(POLICY).idempotency_key(&key).run(post(&server, "ten"))), "200 done");
    let server = Server::new(steps());
    assert_eq!(text(agent().retry(POLICY).run(get(&server))), "200 done");
    assert_eq!(server.lines().len(), 4);
}

#[test]
fn er_16_a_body_in_memory_is_sent_in_full_and_a_stream_is_not_sent_again() {
    const BODY: &str = "twenty-seven bytes of order";
    let put = |server: &Server| Request::put(server.url("/"));
    let server = Server::new([Answer(503, &[], ""), ok("")]);
    agent().retry(POLICY).run(put(&server).body(BODY).unwrap()).unwrap();
    assert_eq!(server.lines(), [format!("1 PUT / {BODY}"), format!("1 PUT / {BODY}")]);

    let server = Server::new([Answer(503, &[], "busy"), ok("")]);
    let mut source = BODY.as_bytes();
    let stream = put(&server).header("x-kind", "stream").body(SendBody::from_reader(&mut source)).unwrap();
    let error = agent().retry(POLICY).run_stream(stream).unwrap_err();
    assert_eq!((error.reason(), error.attempts()), (Reason::NotRetryable, 1));
    let failed = error.into_last().unwrap();
    assert_eq!(failed.verdict().why(), Why::NotReplayable);
    assert!(failed.to_string().ends_with("the body of PUT is a stream that can't be sent again: send it from memory"));
    assert_eq!(server.lines(), [format!("1 PUT / {BODY}")]);
    assert_eq!(server.log()[0].header("x-kind"), Some("stream"));
}

#[test]
fn lost_connections_of_a_get() {
    let server = Server::new([Reset, Close, HalfHead, ok("there")]);
    assert_eq!(text(agent().retry(POLICY).run(get(&server))), "200 there");
    assert_eq!(server.lines(), ["1 GET /", "2 GET /", "3 GET /", "4 GET /"]);
}

#[test]
fn failed_answers_that_break_off_or_are_long_do_not_stop_the_run() {
    let server = Server::new([HalfBody(503), Long(503, 20_000_000), Long(503, 60_000), ok("there")]);
    assert_eq!(text(agent().retry(POLICY.initial(ms(200)).max_delay(ms(200))).run(get(&server))), "200 there");
    assert_eq!(server.lines(), ["1 GET /", "2 GET /", "3 GET /", "3 GET /"], "60 kB are read to the end");
    assert!(server.log().iter().all(|seen| seen.open == 1), "the answer before is gone when the next request comes");
}

#[test]
fn a_failed_answer_that_stalls_does_not_hold_up_the_run() {
    let start = Instant::now();
    let unlimited: Agent = Agent::config_builder().proxy(None).build().into();
    let budget = ExponentialBackoff::new().initial(ms(20)).budget(ms(20_000));
    for policy in [POLICY.unlimited(), POLICY, budget] {
        let server =
            Server::new([Stalled(503, ms(20_000)), Answer(503, &[], "busy"), Answer(503, &[], ""), ok("there")]);
        assert_eq!(text(unlimited.retry(policy).run(get(&server))), "200 there");
        assert_eq!(server.lines(), ["1 GET /", "2 GET /", "3 GET /", "3 GET /"], "an empty body leaves its connection");
    }
    let server = Server::new([Stalled(503, ms(20_000)), Stalled(429, ms(20_000)), Answer(503, &[], "busy")]);
    assert!(unlimited.attempt(get(&server)).unwrap_err().verdict().is_retry());
    assert!(unlimited.attempt(post(&server, "ten")).unwrap_err().verdict().is_retry());
    let mut response = unlimited.attempt(get(&server)).unwrap_err().into_response().unwrap();
    assert_eq!(response.body_mut().read_to_string().unwrap(), "busy", "what is not read before can be read");

    // A limit of the caller's own is obeyed, and what was configured for the request can't be known.
    let limits = || Agent::config_builder().proxy(None);
    for limited in [
        limits().timeout_recv_body(Some(ms(100))),
        limits().timeout_per_call(Some(ms(100))),
        limits().timeout_global(Some(ms(100))),
    ] {
        let limited: Agent = limited.build().into();
        let steps = || [Stalled(503, ms(20_000)), Answer(503, &[], "busy"), ok("there")];
        let server = Server::new(steps());
        assert_eq!(text(limited.retry(POLICY).run(get(&server))), "200 there");
        assert_eq!(server.lines(), ["1 GET /", "2 GET /", "2 GET /"]);

        let server = Server::new(steps());
        let endless = limited.configure_request(get(&server)).timeout_recv_body(None).timeout_per_call(None);
        assert_eq!(text(limited.retry(POLICY).run(endless.timeout_global(None).build())), "200 there");
        assert_eq!(server.lines(), ["1 GET /", "2 GET /", "3 GET /"]);
    }
    assert!(start.elapsed() < ms(10_000));
}

#[test]
fn what_no_attempt_mends_ends_the_run() {
    let server = Server::new([Garbage, ok("")]);
    let said = text(agent().retry(POLICY).run(get(&server)));
    assert_eq!(said, "not_retryable: GET: the answer is not HTTP");
    assert_eq!(server.lines(), ["1 GET /"]);

    let said = text(agent().retry(POLICY).run(Request::get("/no/host").body(()).unwrap()));
    assert_eq!(said, "not_retryable: GET: the request is not valid");

    let server = Server::new(vec![Answer(302, &[("location", "/")], ""); 20]);
    let said = text(agent().retry(POLICY).run(get(&server)));
    assert_eq!(said, "not_retryable: GET: the redirects lead nowhere");
    for lost in [Answer(302, &[], ""), Step::redirect(302, "\u{e9}"), Step::redirect(302, "ftp://localhost/")] {
        let server = Server::new([lost.clone(), ok("")]);
        let said = text(agent().retry(POLICY).run(get(&server)));
        assert_eq!(said, "not_retryable: GET: the redirects lead nowhere", "{lost:?}");
        assert_eq!(server.lines().len(), 1);
    }
    let said = text(agent().retry(POLICY).run(Request::get("ftp://localhost/").body(()).unwrap()));
    assert_eq!(said, "not_retryable: GET: the request is not valid");
}

#[test]
fn a_slow_head_is_cut_by_the_budget_and_by_the_agent_s_own_timeout() {
    let server = Server::new([Late(ms(1_500), 200)]);
    let policy = ExponentialBackoff::new().initial(ms(20)).budget(ms(200));
    let start = Instant::now();
    let said = text(agent().retry(policy).run(get(&server)));
    assert!(start.elapsed() < ms(1_000));
    assert_eq!(said, "budget: GET: it took too long");

    let server = Server::new([Late(ms(300), 200), ok("there")]);
    let hasty: Agent = Agent::config_builder().proxy(None).timeout_global(Some(ms(100))).build().into();
    assert_eq!(text(hasty.retry(POLICY).run(get(&server))), "200 there");
    assert_eq!(server.lines(), ["1 GET /", "2 GET /"]);
}

#[test]
fn the_attempt_after_the_last_sleep_has_time_too() {
    let server = Server::new([Answer(503, &[], ""), Late(ms(50), 200)]);
    let policy = ExponentialBackoff::new().initial(ms(2_000)).budget(ms(400));
    assert_eq!(agent().retry(policy).run(get(&server)).unwrap().status(), 200);

    let server = Server::new([Answer(503, &[], ""), Late(ms(1_000), 200)]);
    let said = text(agent().retry(policy).last_attempt(ms(50)).run(get(&server)));
    assert_eq!(said, "budget: GET: it took too long");
}

#[test]
fn the_time_that_is_left_travels_in_a_header() {
    let server = Server::new([Answer(503, &[], ""), ok("")]);
    let policy = ExponentialBackoff::new().initial(ms(20)).budget(ms(10_000));
    agent().retry(policy).deadline_header(DeadlineHeader::millis("x-left")).run(get(&server)).unwrap();
    let left: Vec<u64> = server.log().iter().map(|seen| seen.header("x-left").unwrap().parse().unwrap()).collect();
    assert!(left[0] <= 10_000 && left[0] > 9_000 && left[1] <= left[0] - 20, "{left:?}");
}

#[test]
fn no_request_is_earlier_than_the_hint_in_a_hundred_real_waits() {
    const RULES: Rules =
        Rules::new().vendor_hints(VendorHints::none().and(Vendor::Azure)).on_status(418, OnStatus::Always);
    const HINTS: [&[(&str, &str)]; 2] = [&[("retry-after-ms", "3")], &[("retry-after-ms", "7")]];
    let script: Vec<_> = (0..100).map(|n| Answer(418, HINTS[n % 2], "")).chain([ok("there")]).collect();
    let server = Server::new(script);
    let policy = ExponentialBackoff::new().initial(Duration::from_micros(1)).max_delay(ms(1)).jitter(Jitter::Full);
    assert_eq!(text(agent().retry(policy.unlimited()).rules(RULES).run(get(&server))), "200 there");
    let log = server.log();
    assert_eq!(log.len(), 101);
    for (pair, hint) in log.windows(2).zip([3, 7].into_iter().cycle()) {
        assert!(pair[1].at.duration_since(pair[0].at) >= ms(hint));
    }
    assert!(log.iter().all(|seen| seen.connection == 1), "a hundred failed answers, one connection");
}

#[test]
fn a_wait_can_be_cut_short_from_another_thread() {
    let server = Server::new([Answer(503, &[("retry-after", "60")], "")]);
    let token = CancelToken::new();
    let waiter = ExponentialBackoff::new().unlimited().cancel(&token);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while server.log().is_empty() {
                std::thread::sleep(ms(1));
            }
            std::thread::sleep(ms(20));
            token.cancel();
        });
        let error = agent().retry_with(waiter).run(get(&server)).unwrap_err();
        assert_eq!((error.reason(), error.attempts()), (Reason::Cancelled, 1));
        assert!(error.elapsed() < ms(5_000));
    });
}

#[test]
fn what_its_errors_mean() {
    use ureq::{Error, Timeout};
    let no_status = || Response::builder().status(0).body(()).unwrap_err();
    let lost = || std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    for (error, kind, phase) in [
        (Error::Http(no_status()), ErrorKind::Request, Phase::NotSent),
        (Error::BadUri("no such thing".to_owned()), ErrorKind::Request, Phase::NotSent),
        (Error::InvalidProxyUrl, ErrorKind::Request, Phase::NotSent),
        (Error::RequireHttpsOnly("http://localhost/".to_owned()), ErrorKind::Request, Phase::NotSent),
        (Error::LargeResponseHeader(2, 1), ErrorKind::Protocol, Phase::Sent),
        (Error::Timeout(Timeout::Resolve), ErrorKind::Timeout, Phase::NotSent),
        (Error::Timeout(Timeout::Connect), ErrorKind::Timeout, Phase::NotSent),
        (Error::Timeout(Timeout::SendBody), ErrorKind::Timeout, Phase::Sent),
        (Error::Timeout(Timeout::RecvResponse), ErrorKind::Timeout, Phase::Sent),
        (Error::Timeout(Timeout::RecvBody), ErrorKind::Timeout, Phase::HeadersReceived),
        (Error::Timeout(Timeout::Global), ErrorKind::Timeout, Phase::Sent),
        (Error::HostNotFound, ErrorKind::Dns, Phase::NotSent),
        (Error::ConnectionFailed, ErrorKind::Connect, Phase::NotSent),
        (Error::ConnectProxyFailed("no".to_owned()), ErrorKind::Connect, Phase::NotSent),
        (Error::RedirectFailed, ErrorKind::Redirect, Phase::Sent),
        (Error::TooManyRedirects, ErrorKind::Redirect, Phase::Sent),
        (Error::Tls("no certificate"), ErrorKind::Tls, Phase::NotSent),
        (Error::TlsRequired, ErrorKind::Tls, Phase::NotSent),
        (Error::StatusCode(404), ErrorKind::Decode, Phase::HeadersReceived),
        (Error::BodyExceedsLimit(5), ErrorKind::Decode, Phase::HeadersReceived),
        (Error::Io(lost()), ErrorKind::Reset, Phase::Sent),
        (Error::Io(std::io::ErrorKind::ConnectionRefused.into()), ErrorKind::Connect, Phase::NotSent),
        (Error::Io(std::io::ErrorKind::HostUnreachable.into()), ErrorKind::Transport, Phase::Sent),
        (Error::Other("no idea".into()), ErrorKind::Unknown, Phase::Sent),
    ] {
        assert_eq!(inspect(&error), Fault { kind, phase }, "{error:?}");
    }
    // As it comes out of a reader.
    let wrapped = Error::BodyExceedsLimit(5).into_io();
    assert_eq!(inspect(&wrapped), Fault { kind: ErrorKind::Decode, phase: Phase::HeadersReceived });
}

#[test]
fn an_answer_that_is_too_long_is_no_request_that_was_not_sent() {
    let server = Server::new([Answer(200, &[], "at tea")]);
    let mut response = agent().run(get(&server)).unwrap();
    let error = response.body_mut().with_config().limit(5).read_to_string().unwrap_err();
    assert_eq!(inspect(&error), Fault { kind: ErrorKind::Decode, phase: Phase::HeadersReceived });
    assert!(!backoff_http::is_transient(&error));
}

#[test]
fn a_run_that_is_not_sent_yet_shows_its_policy() {
    let agent = agent();
    assert_eq!(format!("{:?}", agent.retry(POLICY)), format!("Retrying {{ waiter: Waiter({POLICY}), .. }}"));
}

#[exponential_backoff(initial = "20ms", max_attempts = 3, when = backoff_http::is_transient, hint = backoff_http::retry_after)]
fn page(agent: &Agent, request: &Request<&'static str>) -> Result<Response<Body>, Failed> {
    agent.attempt(request.clone())
}

#[exponential_backoff(initial = "20ms", max_attempts = 3, when = backoff_http::is_transient)]
fn body(agent: &Agent, url: &str) -> Result<String, ureq::Error> {
    agent.get(url).call()?.body_mut().read_to_string()
}

#[test]
fn in_the_attribute() {
    let server = Server::new([Close, Answer(503, &[("retry-after", "1")], ""), ok("there")]);
    let start = Instant::now();
    let request = Request::put(server.url("/")).body("x").unwrap();
    assert_eq!(page(&agent(), &request).unwrap().body_mut().read_to_string().unwrap(), "there");
    assert!(start.elapsed() >= ms(1_020));
    assert_eq!(server.lines(), ["1 PUT / x", "2 PUT / x", "2 PUT / x"]);

    let server = Server::new([Close, ok("")]);
    assert!(page(&agent(), &post(&server, "ten")).is_err());
    assert_eq!(server.lines(), ["1 POST / ten"], "the failure knows its method");

    let server = Server::new([HalfBody(200), Answer(503, &[], ""), ok("there")]);
    assert_eq!(body(&agent(), &server.url("/")).unwrap(), "there");
    let server = Server::new([Answer(404, &[], "")]);
    assert!(matches!(body(&agent(), &server.url("/")), Err(ureq::Error::StatusCode(404))));
    assert_eq!(server.lines().len(), 1);
}

#[test]
fn a_breaker_and_a_retry_budget_are_shared_by_requests() {
    let (breaker, budget) = (CircuitBreaker::new().failures(2), RetryBudget::new().max_tokens(3));
    let server = Server::new([Answer(503, &[], ""), Answer(503, &[], ""), Answer(503, &[], "")]);
    let run = || agent().retry_with(POLICY.breaker(&breaker).retry_budget(&budget)).run(get(&server));
    let reasons =
        [run(), run(), run()].map(|sent| sent.map(|_| ()).map_err(|error| (error.reason(), error.attempts())));
    assert_eq!(reasons, [Err((Reason::RetryBudget, 2)), Err((Reason::RetryBudget, 1)), Err((Reason::CircuitOpen, 0))]);
    assert_eq!(server.lines().len(), 3, "the third run sent nothing");
}
