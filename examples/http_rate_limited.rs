//! A server that says when to come back, in both ways: "in a second", and "at half past five", by a clock that is wrong. No
//! request comes earlier than it asked.
//!
//! ```sh
//! cargo run --example http_rate_limited
//! ```

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use backoff_core::event::Retry;
use backoff_core::exponential_backoff;
use backoff_http::reqwest::{Failed, RetryRequest};
use http_body_util::Full;
use hyper::Response;
use hyper::body::Bytes;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// What the server answers, one after the other: a status, the server's own time, and when to come back.
const ANSWERS: [(u16, Option<&str>, Option<&str>); 4] = [
    (429, None, Some("1")),
    // Its clock is years behind and shows the time of another zone. The difference is what counts.
    (503, Some("Wed, 01 Jan 2020 05:29:59 GMT"), Some("Wed, 01 Jan 2020 05:30:00 GMT")),
    // Not a number of seconds, so it says nothing: the delay is the formula's.
    (429, None, Some("0.5s")),
    (200, None, None),
];

/// At least this long between one request and the next.
const GAPS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(1), Duration::from_millis(400)];

#[exponential_backoff(
    initial = "100ms",
    budget = "10s",
    when = backoff_http::is_transient,
    hint = backoff_http::retry_after,
    on_retry = told,
)]
async fn quote(client: &reqwest::Client, url: &str) -> Result<reqwest::Response, Failed> {
    client.get(url).attempt().await
}

fn told(retry: &Retry<'_, Failed>) {
    let Some(failed) = retry.failure else { return };
    let hint = failed.hint().map_or("nothing".to_owned(), |hint| format!("{:?}", hint.delay()));
    println!("  attempt {}: {failed}; the server asks for {hint}, sleeping {:?}", retry.attempt, retry.delay);
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (address, arrivals) = start().await?;
    println!("a rate-limited server:");
    let response = quote(&reqwest::Client::new(), &format!("http://{address}/quote")).await?;
    println!("  -> {}", response.status());

    let arrivals = arrivals.lock().unwrap_or_else(PoisonError::into_inner).clone();
    println!("\nwhen the requests came, by the server's log:");
    let mut last = None;
    for (number, at) in arrivals.iter().enumerate() {
        let gap = last.map(|last| at.duration_since(last));
        println!(
            "  request {}: {}",
            number + 1,
            gap.map_or("-".to_owned(), |gap| format!("{} ms later", gap.as_millis()))
        );
        if number > 0 && gap < Some(GAPS[number - 1]) {
            return Err(format!("request {} came too early", number + 1).into());
        }
        last = Some(*at);
    }
    if arrivals.len() == ANSWERS.len() { Ok(()) } else { Err("there should have been four requests".into()) }
}

/// When each request came.
type Arrivals = Arc<Mutex<Vec<Instant>>>;

async fn start() -> std::io::Result<(SocketAddr, Arrivals)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let arrivals = Arrivals::default();
    let log = Arc::clone(&arrivals);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let log = Arc::clone(&log);
            let service = service_fn(move |_| {
                let mut arrivals = log.lock().unwrap_or_else(PoisonError::into_inner);
                let (status, date, retry_after) = ANSWERS[arrivals.len().min(ANSWERS.len() - 1)];
                arrivals.push(Instant::now());
                let headers = [("date", date), ("retry-after", retry_after)];
                let response = headers.into_iter().fold(
                    Response::builder().status(status),
                    |response, (name, value)| match value {
                        Some(value) => response.header(name, value),
                        None => response,
                    },
                );
                async move { Ok::<_, Infallible>(response.body(Full::new(Bytes::new())).unwrap_or_default()) }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    Ok((address, arrivals))
}
