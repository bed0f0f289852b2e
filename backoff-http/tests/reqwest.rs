//! `reqwest` against a real server: its log is compared, request by request.
#![cfg(feature = "reqwest")]

mod support;

use std::error::Error;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use backoff_core::event::Retry;
use backoff_core::{ExponentialBackoff, Jitter, Reason, RetryError};
use backoff_http::deadline::DeadlineHeader;
use backoff_http::reqwest::{Failed, RetryRequest};
use backoff_http::{ErrorKind, IdempotencyKey, OnStatus, Phase, Rules, Why};
use reqwest::{Body, Client};
use support::ms;
use support::server::Server;
use support::server::Step::{self, Answer, Close, Garbage, HalfBody, HalfHead, Late, Long, Reset, Stalled};

const POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(ms(20)).max_attempts(4);

fn ok(body: &'static str) -> Step {
    Answer(200, &[], body)
}

fn client() -> Client {
    Client::builder().no_proxy().build().unwrap()
}

type Sent = Result<reqwest::Response, RetryError<Failed>>;

/// What a run ended with: the status and body, or the reason and what is said about it.
async fn text(sent: Sent) -> String {
    match sent {
        Ok(response) => format!("{} {}", response.status().as_u16(), response.text().await.unwrap()),
        Err(error) => format!("{}: {}", error.reason().name(), error.into_last().unwrap()),
    }
}

#[tokio::test]
async fn statuses_of_a_get() {
    let busy = [503, 429, 500];
    let server = Server::new(
        busy.map(|status| Answer(status, &[], "later")).into_iter().chain([ok("there")]).collect::<Vec<_>>(),
    );
    let sent = client().get(server.url("/a")).retry(POLICY).send().await;
    assert_eq!(text(sent).await, "200 there");
    assert_eq!(server.lines(), ["1 GET /a", "1 GET /a", "1 GET /a", "1 GET /a"], "all on one connection");
}

#[tokio::test]
async fn what_is_final_is_returned_as_it_is() {
    for status in [204, 400, 401, 403, 404, 409, 413, 422, 501, 505] {
        let server = Server::new([Answer(status, &[], "")]);
        let response = client().get(server.url("/")).retry(POLICY).send().await.unwrap();
        assert_eq!((response.status().as_u16(), server.lines().len()), (status, 1));
    }
}

#[tokio::test]
async fn the_last_answer_can_be_read() {
    let server = Server::new(vec![Answer(503, &[("x-why", "tea")], "at tea"); 4]);
    let url = server.url("/tea");
    let error = client().get(&url).retry(POLICY).send().await.unwrap_err();
    assert_eq!((error.reason(), error.attempts()), (Reason::Attempts, 4));
    assert!(error.to_string().ends_with(": no attempts left: GET: 503 Service Unavailable"), "{error}");
    let response = error.into_last().unwrap().into_response().unwrap();
    assert_eq!((response.url().as_str(), &response.headers()["x-why"]), (&*url, &"tea".parse().unwrap()));
    assert_eq!(response.content_length(), Some(6));
    assert_eq!(response.text().await.unwrap(), "at tea");
}

#[tokio::test]
async fn er_13_a_post_is_repeated_only_with_a_key() {
    for lost in [Close, Reset, HalfHead, Answer(503, &[], ""), Answer(500, &[], "")] {
        let server = Server::new([lost.clone(), ok("done")]);
        let post = || client().post(server.url("/pay")).body("ten");
        let said = text(post().retry(POLICY).send().await).await;
        assert!(said.starts_with("not_retryable: POST: "), "{lost:?}: {said}");
        assert!(
            said.ends_with(
                "; POST is not idempotent and the request may have been carried out: send an idempotency key"
            )
        );
        assert_eq!(server.lines(), ["1 POST /pay ten"]);

        let server = Server::new([lost, ok("done")]);
        let key = IdempotencyKey::new();
        let post = client().post(server.url("/pay")).body("ten").retry(POLICY).idempotency_key(&key);
        assert_eq!(text(post.send().await).await, "200 done");
        let log = server.log();
        assert_eq!(log.len(), 2);
        assert!(log.iter().all(|seen| seen.line == "POST /pay" && seen.body == "ten"));
        assert!(log.iter().all(|seen| seen.header("idempotency-key") == Some(key.as_str())));
    }
}

#[tokio::test]
async fn a_post_is_repeated_if_the_server_says_that_it_did_nothing() {
    for status in [408, 425, 429] {
        let server = Server::new([Answer(status, &[], ""), ok("done")]);
        let sent = client().post(server.url("/")).body("ten").retry(POLICY).send().await;
        assert_eq!(text(sent).await, "200 done");
        assert_eq!(server.lines(), ["1 POST / ten", "1 POST / ten"]);
    }
}

#[tokio::test]
async fn a_post_that_was_not_sent_is_repeated() {
    let retries = Mutex::new(Vec::new());
    let waiter = POLICY.on_retry(|retry: &Retry<'_, Failed>| {
        let fault = retry.failure.unwrap().verdict().fault().unwrap();
        retries.lock().unwrap().push((fault.kind, fault.phase));
    });
    let error = client().post(Server::nowhere()).body("ten").retry_with(waiter).send().await.unwrap_err();
    assert_eq!((error.reason(), error.attempts()), (Reason::Attempts, 4));
    assert_eq!(*retries.lock().unwrap(), [(ErrorKind::Connect, Phase::NotSent); 3]);
    // The client's own error is there, with its chain.
    let failed = error.into_last().unwrap();
    assert!(failed.source().unwrap().downcast_ref::<reqwest::Error>().unwrap().is_connect());
    assert_eq!(failed.to_string(), "POST: no connection could be made", "no URL");
}

#[tokio::test]
async fn a_post_that_was_redirected_is_not_repeated() {
    const UNKNOWN: &str = "POST is not idempotent and the request may have been carried out: send an idempotency key";
    let post = |server: &Server| client().post(server.url("/orders#new")).body("ten");
    for (status, reason) in [(408, "408 Request Timeout"), (425, "425 Too Early"), (429, "429 Too Many Requests")] {
        let server = Server::new([Step::redirect(303, "/receipt"), Answer(status, &[], ""), ok("twice")]);
        let said = text(post(&server).retry(POLICY).send().await).await;
        assert_eq!(said, format!("not_retryable: POST: {reason}; {UNKNOWN}"));
        assert_eq!(server.lines(), ["1 POST /orders ten", "1 GET /receipt"]);
    }

    // With a key it is, and so is a GET.
    let key = IdempotencyKey::new();
    let steps = || [Step::redirect(303, "/receipt"), Answer(429, &[], ""), Step::redirect(303, "/receipt"), ok("done")];
    let server = Server::new(steps());
    assert_eq!(text(post(&server).retry(POLICY).idempotency_key(&key).send().await).await, "200 done");
    let server = Server::new(steps());
    assert_eq!(text(client().get(server.url("/")).retry(POLICY).send().await).await, "200 done");
    assert_eq!(server.lines().len(), 4);
}

#[tokio::test]
async fn a_key_is_for_writes_and_the_request_s_own_key_stays() {
    let server = Server::new([ok(""), ok(""), ok("")]);
    let (key, client) = (IdempotencyKey::new(), client());
    client.get(server.url("/")).retry(POLICY).idempotency_key(&key).send().await.unwrap();
    let own = client.post(server.url("/")).header("Idempotency-Key", "own");
    own.retry(POLICY).idempotency_key(&key).send().await.unwrap();
    client.patch(server.url("/")).retry(POLICY).idempotency_key(&key).send().await.unwrap();
    let keys: Vec<_> = server.log().iter().map(|seen| seen.header("idempotency-key").map(str::to_owned)).collect();
    assert_eq!(keys, [None, Some("own".to_owned()), Some(key.to_string())]);
}

#[tokio::test]
async fn er_16_a_buffered_body_is_sent_in_full_and_a_stream_is_not_sent_again() {
    const BODY: &str = "twenty-seven bytes of order";
    assert_eq!(BODY.len(), 27);
    let server = Server::new([Answer(503, &[], ""), ok("")]);
    client().put(server.url("/")).body(BODY).retry(POLICY).send().await.unwrap();
    assert_eq!(server.lines(), [format!("1 PUT / {BODY}"), format!("1 PUT / {BODY}")]);

    let server = Server::new([Answer(503, &[], "busy"), ok("")]);
    let stream = Body::wrap_stream(Once(Some(BODY)));
    let error = client().put(server.url("/")).body(stream).retry(POLICY).send().await.unwrap_err();
    assert_eq!((error.reason(), error.attempts()), (Reason::NotRetryable, 1));
    let failed = error.into_last().unwrap();
    assert_eq!(failed.verdict().why(), Why::NotReplayable);
    assert_eq!(
        failed.to_string(),
        "PUT: 503 Service Unavailable; the body of PUT is a stream that can't be sent again: send it from memory"
    );
    assert_eq!(failed.into_response().unwrap().text().await.unwrap(), "busy");
    assert_eq!(server.lines(), [format!("1 PUT / {BODY}")]);
}

/// A stream of one piece.
struct Once(Option<&'static str>);

impl futures_core::Stream for Once {
    type Item = Result<&'static str, std::io::Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Ready(self.0.take().map(Ok))
    }
}

#[tokio::test]
async fn lost_connections_of_a_get() {
    let server = Server::new([Reset, Close, HalfHead, ok("there")]);
    let sent = client().get(server.url("/")).retry(POLICY).send().await;
    assert_eq!(text(sent).await, "200 there");
    assert_eq!(server.lines(), ["1 GET /", "2 GET /", "3 GET /", "4 GET /"]);
}

#[tokio::test]
async fn er_08_a_half_sent_body_is_tried_again_if_it_is_read_within_the_attempt() {
    let server = Server::new([HalfBody(200), ok("whole")]);
    let page = client().get(server.url("/")).retry(POLICY).bytes().await.unwrap();
    assert_eq!((page.status().as_u16(), &**page.body()), (200, &b"whole"[..]));
    assert_eq!(server.lines(), ["1 GET /", "2 GET /"]);

    // `send` ends at the head.
    let server = Server::new([HalfBody(200), ok("whole")]);
    let response = client().get(server.url("/")).retry(POLICY).send().await.unwrap();
    assert!(response.text().await.is_err());
    assert_eq!(server.lines(), ["1 GET /"]);

    // A POST was carried out.
    let server = Server::new([HalfBody(200), ok("whole")]);
    let error = client().post(server.url("/")).retry(POLICY).bytes().await.unwrap_err();
    assert_eq!(
        error.into_last().unwrap().to_string(),
        "POST: the connection was lost; POST is not idempotent and the request was carried out and the answer was lost: \
         send an idempotency key"
    );
    assert_eq!(server.lines(), ["1 POST /"]);
}

#[tokio::test]
async fn a_failed_answer_that_breaks_off_or_stalls_or_is_long_does_not_stop_the_run() {
    let start = Instant::now();
    let server = Server::new([HalfBody(503), Stalled(503, ms(2_000)), Long(503, 20_000_000), ok("there")]);
    let sent = client().get(server.url("/")).retry(POLICY).send().await;
    assert_eq!(text(sent).await, "200 there");
    assert_eq!(
        server.lines(),
        ["1 GET /", "2 GET /", "3 GET /", "4 GET /"],
        "none of these connections can be used again"
    );
    assert!(start.elapsed() < ms(1_800), "the stalled body is left after half a second");

    let server = Server::new([Long(503, 60_000), ok("there")]);
    let sent = client().get(server.url("/")).retry(POLICY).send().await;
    assert_eq!(text(sent).await, "200 there");
    assert_eq!(server.lines(), ["1 GET /", "1 GET /"], "read to its end, so the connection is free");
}

#[tokio::test]
async fn a_last_answer_that_is_longer_than_what_is_kept_is_still_whole() {
    let server = Server::new([Long(503, 200_000)]);
    let error = client().get(server.url("/")).retry(POLICY.max_attempts(1)).send().await.unwrap_err();
    let response = error.into_last().unwrap().into_response().unwrap();
    assert_eq!(response.content_length(), Some(200_000));
    assert_eq!(response.bytes().await.unwrap().len(), 200_000);
}

#[tokio::test]
async fn what_no_attempt_mends_ends_the_run() {
    let server = Server::new([Garbage, ok("")]);
    let said = text(client().get(server.url("/")).retry(POLICY).send().await).await;
    assert_eq!(said, "not_retryable: GET: the answer is not HTTP");
    assert_eq!(server.lines(), ["1 GET /"]);

    let said = text(client().get("no such thing").retry(POLICY).send().await).await;
    assert_eq!(said, "not_retryable: the operation: the request is not valid");

    let around = vec![Answer(302, &[("location", "/")], ""); 20];
    let server = Server::new(around);
    let said = text(client().get(server.url("/")).retry(POLICY).send().await).await;
    assert_eq!(said, "not_retryable: GET: the redirects lead nowhere");
    assert_eq!(server.lines().len(), 11, "ten redirects, once");
    let server = Server::new([Step::redirect(302, "ftp://localhost/"), ok("")]);
    let said = text(client().get(server.url("/")).retry(POLICY).send().await).await;
    assert_eq!(said, "not_retryable: GET: the redirects lead nowhere");
    let said = text(client().get("ftp://localhost/#here").retry(POLICY).send().await).await;
    assert_eq!(said, "not_retryable: GET: the request is not valid");
}

#[tokio::test]
async fn a_slow_head_is_cut_by_the_budget_and_by_the_request_s_own_timeout() {
    let server = Server::new([Late(ms(1_500), 200)]);
    let policy = ExponentialBackoff::new().initial(ms(20)).budget(ms(200));
    let waiter = policy.waiter();
    let start = Instant::now();
    let error = client().get(server.url("/")).retry_with(waiter).send().await.unwrap_err();
    assert!(start.elapsed() < ms(1_000));
    assert_eq!((error.reason(), error.attempts()), (Reason::Budget, 1));
    assert_eq!(error.into_last().unwrap().to_string(), "GET: it took too long");

    let server = Server::new([Late(ms(300), 200), ok("there")]);
    let own = client().get(server.url("/")).timeout(ms(100));
    assert_eq!(text(own.retry(POLICY).send().await).await, "200 there");
    assert_eq!(server.lines(), ["1 GET /", "2 GET /"]);
}

#[tokio::test]
async fn the_attempt_after_the_last_sleep_has_time_too() {
    let server = Server::new([Answer(503, &[], ""), Late(ms(50), 200)]);
    let policy = ExponentialBackoff::new().initial(ms(2_000)).budget(ms(400));
    let response = client().get(server.url("/")).retry(policy).send().await.unwrap();
    assert_eq!(response.status(), 200);

    let server = Server::new([Answer(503, &[], ""), Late(ms(1_000), 200)]);
    let short = client().get(server.url("/")).retry(policy).last_attempt(ms(50));
    assert_eq!(text(short.send().await).await, "budget: GET: it took too long");
}

#[tokio::test]
async fn the_time_that_is_left_travels_in_a_header() {
    let server = Server::new([Answer(503, &[], ""), Answer(503, &[], ""), ok("")]);
    let policy = ExponentialBackoff::new().initial(ms(20)).budget(ms(10_000));
    let header = DeadlineHeader::grpc();
    client().get(server.url("/")).retry(policy).deadline_header(header).send().await.unwrap();
    let left: Vec<Duration> = server
        .log()
        .iter()
        .map(|seen| {
            let value = seen.header("grpc-timeout").unwrap().parse().unwrap();
            header.read(&http::HeaderMap::from_iter([("grpc-timeout".parse().unwrap(), value)])).unwrap()
        })
        .collect();
    assert!(left[0] <= ms(10_000) && left[0] > ms(9_000));
    assert!(left[1] <= left[0].saturating_sub(ms(20)) && left[2] <= left[1].saturating_sub(ms(40)), "{left:?}");
}

#[tokio::test]
async fn hints_are_obeyed_in_both_forms() {
    let zone = &[("date", "Thu, 01 Jan 2026 05:30:00 GMT"), ("retry-after", "Thu, 01 Jan 2026 05:30:01 GMT")];
    let server = Server::new([Answer(429, &[("retry-after", "1")], ""), Answer(503, zone, ""), ok("there")]);
    let sent = client().get(server.url("/")).retry(POLICY).send().await;
    assert_eq!(text(sent).await, "200 there");
    let log = server.log();
    for pair in log.windows(2) {
        let gap = pair[1].at.duration_since(pair[0].at);
        assert!(gap >= ms(1_000) && gap < ms(1_900), "{gap:?}");
    }

    let server = Server::new([Answer(429, &[("retry-after", "3600")], "")]);
    let error = client().get(server.url("/")).retry(POLICY).send().await.unwrap_err();
    assert_eq!((error.reason(), error.hint()), (Reason::Hint, Some(ms(3_600_000))));
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn no_request_is_earlier_than_the_hint_in_a_hundred_real_waits() {
    use backoff_http::hint::{Vendor, VendorHints};
    const RULES: Rules = Rules::new().vendor_hints(VendorHints::none().and(Vendor::Azure));
    const HINTS: [&[(&str, &str)]; 4] = [
        &[("retry-after-ms", "3")],
        &[("retry-after-ms", "7")],
        &[("retry-after-ms", "5")],
        &[("retry-after-ms", "9")],
    ];
    let script: Vec<_> = (0..100).map(|n| Answer(429, HINTS[n % 4], "")).chain([ok("there")]).collect();
    let server = Server::new(script);
    let policy = ExponentialBackoff::new().initial(Duration::from_micros(1)).max_delay(ms(1)).jitter(Jitter::Full);
    let sent = client().get(server.url("/")).retry(policy.unlimited()).rules(RULES).send().await;
    assert_eq!(text(sent).await, "200 there");
    let log = server.log();
    assert_eq!(log.len(), 101);
    for (pair, hint) in log.windows(2).zip([3, 7, 5, 9].into_iter().cycle()) {
        assert!(pair[1].at.duration_since(pair[0].at) >= ms(hint));
    }
    assert!(log.iter().all(|seen| seen.connection == 1), "a hundred failed answers, one connection");
}

#[tokio::test]
async fn rules_can_be_changed() {
    let server = Server::new([Answer(409, &[], ""), ok("there")]);
    let rules = Rules::new().on_status(409, OnStatus::Always);
    let sent = client().post(server.url("/")).retry(POLICY).rules(rules).send().await;
    assert_eq!(text(sent).await, "200 there");
    assert_eq!(server.lines(), ["1 POST /", "1 POST /"]);
}

#[tokio::test]
async fn at_most_one_failed_answer_is_alive() {
    // The answers are too long to be read to the end, so that each holds its connection while it lives.
    let server = Server::new(vec![Long(503, 20_000_000); 4]);
    let alive = Mutex::new(Vec::new());
    let waiter = POLICY.initial(ms(200)).max_delay(ms(200)).on_retry(|retry: &Retry<'_, Failed>| {
        alive.lock().unwrap().push(retry.failure.unwrap().response().is_some());
    });
    let error = client().get(server.url("/")).retry_with(waiter).send().await.unwrap_err();
    assert_eq!(*alive.lock().unwrap(), [true; 3]);
    assert!(error.last().unwrap().response().is_some());
    assert_eq!(server.lines(), ["1 GET /", "2 GET /", "3 GET /", "4 GET /"]);
    assert!(server.log().iter().all(|seen| seen.open == 1), "the answer before is gone when the next request comes");
}

#[test]
fn a_run_that_is_not_sent_yet_shows_its_policy_and_no_url() {
    let run = client().get("http://localhost/").retry(POLICY);
    assert_eq!(format!("{run:?}"), format!("Retrying {{ waiter: Waiter({POLICY}), .. }}"));
}

#[test]
fn the_future_can_be_sent_to_another_thread() {
    fn assert_send<T: Send>(_: &T) {}
    let request = client().get("http://localhost/");
    assert_send(&request.try_clone().unwrap().retry(POLICY).send());
    assert_send(&request.try_clone().unwrap().retry(POLICY).bytes());
    assert_send(&request.attempt());
}
