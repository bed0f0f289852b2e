//! A client that finds out how often it may call. The server allows so many requests a second, refuses the rest with 429,
//! and after a while allows only a quarter.
//!
//! ```sh
//! cargo run --release --example pacing [-- interval.svg]
//! ```

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use backoff_core::exponential_backoff;
use backoff_core::guard::{Pacer, Rejected};
use backoff_lab::chart::{self, Terminal};
use backoff_lab::report::{Axis, Colour, Figure, Marks, Panel, Scale, Series};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

static PACER: Pacer = Pacer::new().interval(Duration::from_millis(1));

/// The shortest time between two requests that the server allows: first this, then that.
const LIMITS: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(20)];
/// How many calls are made under each limit.
const CALLS: [usize; 2] = [300, 150];

#[derive(Debug)]
enum QuoteError {
    Refused,
    Lost,
}

impl From<Rejected> for QuoteError {
    fn from(_: Rejected) -> Self {
        Self::Lost
    }
}

impl From<reqwest::Error> for QuoteError {
    fn from(_: reqwest::Error) -> Self {
        Self::Lost
    }
}

#[exponential_backoff(pacer = PACER, initial = "1ms", max_delay = "1ms", budget = "10s", when = |error: &QuoteError| matches!(error, QuoteError::Refused))]
async fn quote(client: &reqwest::Client, url: &str) -> Result<(), QuoteError> {
    match client.get(url).send().await?.status() {
        StatusCode::OK => Ok(()),
        _ => Err(QuoteError::Refused),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Arc::new(Mutex::new(Limit { interval: LIMITS[0], next: Instant::now(), seen: [0; 2] }));
    let url = format!("http://{}/quote", start(Arc::clone(&server)).await?);
    let client = reqwest::Client::new();
    let mut learned = Vec::new();
    for (limit, calls) in LIMITS.into_iter().zip(CALLS) {
        let before = lock(&server).change(limit);
        let start = Instant::now();
        for _ in 0..calls {
            quote(&client, &url).await.map_err(|error| format!("{error:?}"))?;
            learned.push(PACER.snapshot().interval_millis);
        }
        let [answered, refused] = lock(&server).since(before);
        let rate = f64::from(u32::try_from(calls)?) / start.elapsed().as_secs_f64();
        println!(
            "the server allows one request in {limit:?}: {answered} served at {rate:.0} a second, {refused} refused; \
             learned: one in {:.1} ms",
            PACER.snapshot().interval_millis
        );
    }
    show(&learned)
}

/// The interval after each call, as a picture.
fn show(learned: &[f64]) -> Result<(), Box<dyn Error>> {
    let points = learned.iter().enumerate().map(|(call, interval)| (number(call), *interval)).collect();
    let limits =
        (0..learned.len()).map(|call| (number(call), LIMITS[usize::from(call >= CALLS[0])].as_secs_f64() * 1e3));
    let axis = |label: &str, scale, range| Axis { label: label.to_owned(), scale, range };
    let figure = Figure {
        title: "The interval that a pacer learned".to_owned(),
        caption: "After each call, against a server whose limit moves.".to_owned(),
        x: axis("call", Scale::Linear, (0.0, number(learned.len()))),
        panels: vec![Panel {
            title: "annealed".to_owned(),
            note: String::new(),
            y: axis("ms between two calls", Scale::Log, (1.0, 100.0)),
            series: vec![
                Series { name: "limit".to_owned(), colour: Colour::Grey, marks: Marks::Line(limits.collect()) },
                Series { name: "learned".to_owned(), colour: Colour::Blue, marks: Marks::Line(points) },
            ],
            level: None,
        }],
        columns: 1,
    };
    println!("\n{}", chart::text(&figure, Terminal::of_stdout()));
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(&path, backoff_lab::plot::svg(&figure, 720)?)?;
        println!("{path}");
    }
    Ok(())
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// What the server allows, and what it has answered.
struct Limit {
    interval: Duration,
    next: Instant,
    seen: [u32; 2],
}

impl Limit {
    fn change(&mut self, interval: Duration) -> [u32; 2] {
        self.interval = interval;
        self.seen
    }

    fn since(&self, before: [u32; 2]) -> [u32; 2] {
        [self.seen[0] - before[0], self.seen[1] - before[1]]
    }

    fn request(&mut self) -> StatusCode {
        let now = Instant::now();
        let is_allowed = now >= self.next;
        self.seen[usize::from(!is_allowed)] += 1;
        if is_allowed {
            self.next = now + self.interval;
            StatusCode::OK
        } else {
            StatusCode::TOO_MANY_REQUESTS
        }
    }
}

fn lock(limit: &Mutex<Limit>) -> std::sync::MutexGuard<'_, Limit> {
    limit.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn start(limit: Arc<Mutex<Limit>>) -> Result<SocketAddr, Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let limit = Arc::clone(&limit);
            tokio::spawn(async move {
                let answer = service_fn(move |_| {
                    let status = lock(&limit).request();
                    async move {
                        let mut response = Response::new(Full::<Bytes>::default());
                        *response.status_mut() = status;
                        Ok::<_, Infallible>(response)
                    }
                });
                if let Err(error) = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await {
                    eprintln!("connection: {error}");
                }
            });
        }
    });
    Ok(address)
}
