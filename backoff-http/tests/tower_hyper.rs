//! The `tower` layer on a `hyper` client, against a real server: its log is compared, request by request.
#![cfg(all(feature = "tower", feature = "hyper-util"))]

mod support;

use std::time::Duration;

use backoff_core::{ExponentialBackoff, Jitter, Reason, Stop};
use backoff_http::deadline::DeadlineHeader;
use backoff_http::hint::{Vendor, VendorHints};
use backoff_http::tower::{Kept, RetryLayer};
use backoff_http::{OnStatus, Rules, Why};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use support::ms;
use support::server::Server;
use support::server::Step::{self, Answer, Close, HalfBody, HalfHead, Late, Long, Reset};
use tower::ServiceExt;
use tower_layer::Layer;
use tower_service::Service;

const POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(ms(20)).max_attempts(4);

fn request(method: &str, body: &'static str) -> Request<Full<Bytes>> {
    Request::builder().method(method).uri("http://localhost/").body(Full::new(Bytes::from(body))).unwrap()
}

/// Calls a service as a caller of `tower` does.
async fn call<S: Service<Request<B>>, B>(service: &mut S, request: Request<B>) -> Result<S::Response, S::Error> {
    service.ready().await?.call(request).await
}

async fn body<B: hyper::body::Body<Data = Bytes> + Unpin>(response: Response<Kept<B>>) -> String
where
    B::Error: std::fmt::Debug,
{
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

type Http = Client<HttpConnector, Kept<Full<Bytes>>>;

fn client() -> Http {
    Client::builder(TokioExecutor::new()).build_http()
}

fn to(server: &Server, method: &str, body: &'static str) -> Request<Full<Bytes>> {
    let mut request = request(method, body);
    *request.uri_mut() = server.url("/").parse().unwrap();
    request
}

fn ok(body: &'static str) -> Step {
    Answer(200, &[], body)
}

#[tokio::test]
async fn statuses_and_lost_connections() {
    let server = Server::new([Answer(503, &[], "later"), Answer(429, &[], ""), Answer(500, &[], ""), ok("there")]);
    let mut service = RetryLayer::new(POLICY).layer(client());
    assert_eq!(body(call(&mut service, to(&server, "GET", "")).await.unwrap()).await, "there");
    assert_eq!(server.lines(), ["1 GET /", "1 GET /", "1 GET /", "1 GET /"], "all on one connection");

    let server = Server::new([Reset, Close, HalfHead, ok("there")]);
    assert_eq!(body(call(&mut service, to(&server, "PUT", "x")).await.unwrap()).await, "there");
    assert_eq!(server.lines(), ["1 PUT / x", "2 PUT / x", "3 PUT / x", "4 PUT / x"]);

    let server = Server::new([HalfBody(503), Long(503, 20_000_000), ok("there")]);
    let mut service = RetryLayer::new(POLICY.initial(ms(200)).max_delay(ms(200))).layer(client());
    assert_eq!(body(call(&mut service, to(&server, "GET", "")).await.unwrap()).await, "there");
    assert_eq!(server.lines(), ["1 GET /", "2 GET /", "3 GET /"]);
    assert!(server.log().iter().all(|seen| seen.open == 1), "the answer before is gone when the next request comes");
}

#[tokio::test]
async fn posts() {
    for lost in [Close, Reset, HalfHead, Answer(503, &[], "")] {
        let server = Server::new([lost.clone(), ok("")]);
        let mut service = RetryLayer::new(POLICY).layer(client());
        let outcome = call(&mut service, to(&server, "POST", "ten")).await;
        let reason = match &outcome {
            Ok(response) => response.extensions().get::<Stop>().unwrap().reason,
            Err(error) => error.stop().unwrap().reason,
        };
        assert_eq!((reason, server.lines()), (Reason::NotRetryable, vec!["1 POST / ten".to_owned()]));

        let server = Server::new([lost, ok("")]);
        let mut service = RetryLayer::new(POLICY).idempotency_keys().layer(client());
        call(&mut service, to(&server, "POST", "ten")).await.unwrap();
        let keys: Vec<_> = server.log().iter().map(|seen| seen.header("idempotency-key").unwrap().to_owned()).collect();
        assert_eq!(keys.len(), 2);
        assert_eq!(keys[0], keys[1], "one key for all attempts");
    }
    // Nothing was sent: any method.
    let mut service = RetryLayer::new(POLICY).layer(client());
    let mut nowhere = request("POST", "ten");
    *nowhere.uri_mut() = Server::nowhere().parse().unwrap();
    let error = call(&mut service, nowhere).await.unwrap_err();
    assert_eq!((error.stop().unwrap().attempts, error.verdict().unwrap().why()), (4, Why::NotSent));
}

#[tokio::test]
async fn the_budget_cuts_and_travels_in_a_header() {
    let server = Server::new([Answer(503, &[], ""), Late(ms(1_500), 200)]);
    let policy = ExponentialBackoff::new().initial(ms(20)).budget(ms(300));
    let mut service = RetryLayer::new(policy).deadline_header(DeadlineHeader::millis("x-left")).layer(client());
    let error = call(&mut service, to(&server, "GET", "")).await.unwrap_err();
    assert_eq!(error.stop().unwrap().reason, Reason::Budget);
    assert!(error.stop().unwrap().elapsed < ms(1_000));
    let left: Vec<u64> = server.log().iter().map(|seen| seen.header("x-left").unwrap().parse().unwrap()).collect();
    assert!(left[0] <= 300 && left[1] <= left[0] - 20, "{left:?}");
}

#[tokio::test]
async fn no_request_is_earlier_than_the_hint_in_a_hundred_real_waits() {
    const HINTS: [&[(&str, &str)]; 2] = [&[("retry-after-ms", "3")], &[("retry-after-ms", "7")]];
    let script: Vec<_> = (0..100).map(|n| Answer(418, HINTS[n % 2], "")).chain([ok("there")]).collect();
    let server = Server::new(script);
    let policy = ExponentialBackoff::new().initial(Duration::from_micros(1)).max_delay(ms(1)).jitter(Jitter::Full);
    let rules = Rules::new().vendor_hints(VendorHints::none().and(Vendor::Azure)).on_status(418, OnStatus::Always);
    let mut service = RetryLayer::new(policy.unlimited()).rules(rules).layer(client());
    assert_eq!(body(call(&mut service, to(&server, "GET", "")).await.unwrap()).await, "there");
    let log = server.log();
    assert_eq!(log.len(), 101);
    for (pair, hint) in log.windows(2).zip([3, 7].into_iter().cycle()) {
        assert!(pair[1].at.duration_since(pair[0].at) >= ms(hint));
    }
    assert!(log.iter().all(|seen| seen.connection == 1), "a hundred failed answers, one connection");
}
