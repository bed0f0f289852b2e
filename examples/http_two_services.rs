//! One deadline through two services: a client that has a second in all asks a shop, which asks a warehouse. How much time is
//! left travels in a header, so nobody works on for a client that has given up.
//!
//! ```sh
//! cargo run --example http_two_services
//! ```

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use backoff_core::{ExponentialBackoff, FinalSleep, Reason};
use backoff_http::deadline::DeadlineHeader;
use backoff_http::reqwest::RetryRequest;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

const HEADER: DeadlineHeader = DeadlineHeader::millis("x-time-left-ms");
const BUDGET: Duration = Duration::from_secs(1);

/// For both: no attempt begins when the time is up.
const POLICY: ExponentialBackoff =
    ExponentialBackoff::new().initial(Duration::from_millis(50)).budget(BUDGET).final_sleep(FinalSleep::Skip);

/// What a service was asked, and how much time it was told to have.
struct Arrival {
    who: &'static str,
    at: Duration,
    left: Duration,
}

/// The log of both services, on one clock.
#[derive(Clone)]
struct Log {
    start: Instant,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
}

impl Log {
    fn new() -> Self {
        Self { start: Instant::now(), arrivals: Arc::default() }
    }

    /// Writes down a request; how much time it has left.
    fn arrived(&self, who: &'static str, request: &Request<Incoming>) -> Duration {
        let left = HEADER.read(request.headers()).unwrap_or(Duration::MAX);
        let arrival = Arrival { who, at: self.start.elapsed(), left };
        self.arrivals.lock().unwrap_or_else(PoisonError::into_inner).push(arrival);
        left
    }

    /// Prints it; whether every request came in time and was told the truth.
    fn check(&self) -> Result<usize, Box<dyn Error>> {
        let arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        for Arrival { who, at, left } in &*arrivals {
            println!("  {:>5} ms: {who}, {} ms left", at.as_millis(), left.as_millis());
            if *at >= BUDGET {
                return Err(format!("the {who} was asked after the client had given up").into());
            }
            // A little is lost on the way; nothing is gained.
            if *at + *left > BUDGET + Duration::from_millis(50) {
                return Err(format!("the {who} was told of more time than there is").into());
            }
        }
        Ok(arrivals.len())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    println!("the warehouse fails twice, then answers:");
    let log = Log::new();
    let shop = shop(log.clone(), warehouse(log.clone(), 2).await?).await?;
    let text = ask(shop).send().await?.text().await?;
    println!("  -> {text}");
    if log.check()? != 4 {
        return Err("one request to the shop and three to the warehouse were to be expected".into());
    }

    println!("\nthe warehouse never answers in time:");
    let log = Log::new();
    let shop = crate::shop(log.clone(), warehouse(log.clone(), usize::MAX).await?).await?;
    let error = ask(shop).send().await.err().ok_or("there should have been no answer")?;
    println!("  -> {error}");
    let took = log.start.elapsed();
    // If anyone worked on for nobody, it would be seen by then.
    tokio::time::sleep(Duration::from_millis(300)).await;
    log.check()?;
    if took > BUDGET + Duration::from_millis(200) {
        return Err(format!("the client should have given up after a second, not {took:?}").into());
    }
    if matches!(error.reason(), Reason::Budget | Reason::Attempts) { Ok(()) } else { Err(error.into()) }
}

fn ask(shop: SocketAddr) -> backoff_http::reqwest::Retrying {
    reqwest::Client::new().get(format!("http://{shop}/")).retry(POLICY).deadline_header(HEADER)
}

/// Asks the warehouse, within the time that it was given.
async fn shop(log: Log, warehouse: SocketAddr) -> std::io::Result<SocketAddr> {
    let client = reqwest::Client::new();
    serve(move |request| {
        let left = log.arrived("shop", &request);
        let run = POLICY.deadline(Instant::now() + left.min(BUDGET));
        let asked = client.get(format!("http://{warehouse}/")).retry_with(run).deadline_header(HEADER);
        async move {
            match asked.bytes().await {
                Ok(answer) => Response::new(Full::new(answer.into_body())),
                Err(error) => status(503, error.reason().name()),
            }
        }
    })
    .await
}

/// Fails that often, alternately at once and by not answering, and then answers.
async fn warehouse(log: Log, mut failures: usize) -> std::io::Result<SocketAddr> {
    serve(move |request| {
        let left = log.arrived("warehouse", &request);
        let fails = failures > 0;
        failures = failures.saturating_sub(1);
        async move {
            if fails && failures % 2 == 0 {
                tokio::time::sleep(left.min(Duration::from_millis(200))).await;
            }
            if fails { status(503, "moving shelves") } else { status(200, "three telescopes") }
        }
    })
    .await
}

fn status(status: u16, text: &'static str) -> Response<Full<Bytes>> {
    Response::builder().status(status).body(Full::new(Bytes::from_static(text.as_bytes()))).unwrap_or_default()
}

/// Serves on a free port of the loopback interface.
async fn serve<F>(handle: impl FnMut(Request<Incoming>) -> F + Send + 'static) -> std::io::Result<SocketAddr>
where
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let handle = Arc::new(Mutex::new(handle));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let handle = Arc::clone(&handle);
            let service = service_fn(move |request| {
                let response = (handle.lock().unwrap_or_else(PoisonError::into_inner))(request);
                async move { Ok::<_, Infallible>(response.await) }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    Ok(address)
}
