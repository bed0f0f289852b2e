//! `reqwest` in annotated functions, against a real server.
#![cfg(feature = "reqwest")]

mod support;

use std::error::Error;
use std::time::Instant;

use backoff_core::exponential_backoff;
use backoff_http::Cause;
use backoff_http::reqwest::{Failed, RetryRequest};
use reqwest::Client;
use support::ms;
use support::server::Server;
use support::server::Step::{self, Answer, Close, HalfBody};

fn ok(body: &'static str) -> Step {
    Answer(200, &[], body)
}

fn client() -> Client {
    Client::builder().no_proxy().build().unwrap()
}

#[exponential_backoff(initial = "20ms", max_attempts = 3, when = backoff_http::is_transient, hint = backoff_http::retry_after)]
async fn page(client: &Client, method: http::Method, url: String) -> Result<reqwest::Response, Failed> {
    client.request(method.clone(), &url).attempt().await
}

#[exponential_backoff(initial = "20ms", max_attempts = 3, until = backoff_http::is_settled, hint = backoff_http::retry_after)]
async fn plain(client: &Client, url: &str) -> Result<reqwest::Response, reqwest::Error> {
    client.get(url).send().await
}

#[exponential_backoff(initial = "20ms", max_attempts = 3, when = backoff_http::is_transient)]
async fn body(client: &Client, url: &str) -> Result<String, reqwest::Error> {
    client.get(url).send().await?.error_for_status()?.text().await
}

#[tokio::test]
async fn in_the_attribute() {
    let server = Server::new([Close, Answer(503, &[("retry-after", "1")], ""), ok("there")]);
    let start = Instant::now();
    assert_eq!(page(&client(), http::Method::GET, server.url("/")).await.unwrap().text().await.unwrap(), "there");
    assert!(start.elapsed() >= ms(1_020));

    let server = Server::new([Close, ok("")]);
    let failed = page(&client(), http::Method::POST, server.url("/")).await.unwrap_err();
    assert!(matches!(failed.into_cause(), Cause::Error(_)));
    assert_eq!(server.lines(), ["1 POST /"], "the failure knows its method");

    let server = Server::new([Close, Answer(503, &[], ""), ok("there")]);
    assert_eq!(plain(&client(), &server.url("/")).await.unwrap().text().await.unwrap(), "there");
    assert_eq!(server.lines().len(), 3);
    let server = Server::new([Answer(404, &[], "")]);
    assert_eq!(plain(&client(), &server.url("/")).await.unwrap().status(), 404);

    let server = Server::new([HalfBody(200), Answer(503, &[], ""), ok("there")]);
    assert_eq!(body(&client(), &server.url("/")).await.unwrap(), "there");
    let server = Server::new([Answer(404, &[], "")]);
    assert_eq!(body(&client(), &server.url("/")).await.unwrap_err().status(), Some(http::StatusCode::NOT_FOUND));
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn a_failure_that_is_wrapped_is_still_judged_by_its_own_request() {
    let wrapped = async |method: http::Method| {
        let server = Server::new([Answer(503, &[("retry-after", "7")], "")]);
        let failed = client().request(method, server.url("/")).attempt().await.unwrap_err();
        Box::<dyn Error + Send + Sync>::from(std::io::Error::other(failed))
    };
    let get = wrapped(http::Method::GET).await;
    assert!(backoff_http::is_transient(&get));
    assert_eq!(backoff_http::retry_after(&get).unwrap().delay(), ms(7_000));
    let post = wrapped(http::Method::POST).await;
    assert!(!backoff_http::is_transient(&post), "a client's own error would not know");
}
