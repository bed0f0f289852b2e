//! Four annotated functions against a real HTTP server that has a bad day:
//!
//! ```text
//! cargo run --example quickstart
//! ```
//!
//! The server runs in this process, on a free port of the loopback interface.

mod server;
mod timeline;

use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::process::ExitCode;

use backoff_core::{ExponentialBackoff, Jitter, exponential_backoff};
use timeline::Timeline;

/// Polls until the record is there: `None` means "not yet".
#[exponential_backoff(
    initial = "100ms",
    budget = "3s",
    on_retry = |retry| timeline.retry(retry),
    on_give_up = |end| timeline.give_up(end),
    on_success = |end| timeline.success(end),
)]
fn reward(timeline: &mut Timeline, server: SocketAddr, id: u64) -> Option<String> {
    timeline.begin();
    let mut response = ureq::get(format!("http://{server}/rewards/{id}")).call().ok()?;
    response.body_mut().read_to_string().ok()
}

/// Retries what may pass, and gives up at once on what will not. The body uses `?` as it would without the attribute.
#[exponential_backoff(
    initial = "100ms",
    max_attempts = 6,
    jitter = "full",
    when = ApiError::is_transient,
    on_retry = |retry| timeline.retry(retry),
    on_give_up = |end| timeline.give_up(end),
    on_success = |end| timeline.success(end),
)]
async fn order(timeline: &mut Timeline, client: &reqwest::Client, url: &str) -> Result<String, ApiError> {
    timeline.begin();
    let response = client.get(url).send().await?.error_for_status()?;
    Ok(response.text().await?)
}

/// Runs out of budget: the server never recovers.
#[exponential_backoff(
    budget = "1s",
    when = ApiError::is_transient,
    on_retry = |retry| timeline.retry(retry),
    on_give_up = |end| timeline.give_up(end),
)]
async fn stock(timeline: &mut Timeline, client: &reqwest::Client, url: &str) -> Result<String, ApiError> {
    timeline.begin();
    Ok(client.get(url).send().await?.error_for_status()?.text().await?)
}

/// What went wrong with a call.
#[derive(Debug)]
struct ApiError(reqwest::Error);

impl ApiError {
    /// The server's own trouble and lost connections may pass. What the server says about the request will not.
    fn is_transient(&self) -> bool {
        self.0.status().is_none_or(|status| status.is_server_error())
    }
}

impl From<reqwest::Error> for ApiError {
    fn from(error: reqwest::Error) -> Self {
        Self(error.without_url())
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.status() {
            Some(status) => write!(f, "{status}"),
            None => f.write_str("connection lost"),
        }
    }
}

impl Error for ApiError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quickstart: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Runtime::new()?;
    let server = runtime.block_on(server::start())?;
    println!("a server on {server}: its record comes late, it drops connections, it answers 503");

    let mut timeline = Timeline::new("polling, blocking: reward 42 is not there yet");
    let reward = reward(&mut timeline, server, 42).ok_or("the reward should have arrived within 3 s")?;
    println!("  -> {reward}");

    runtime.block_on(orders(server))?;

    println!("\nthe default policy, if every attempt fails at once:\n");
    let schedule = ExponentialBackoff::new().schedule();
    println!("{schedule}\n{}", schedule.bars());
    println!("with equal jitter, a sleep ends somewhere in the shaded part:\n");
    println!("{}", ExponentialBackoff::new().jitter(Jitter::Equal).schedule().bars());
    Ok(())
}

async fn orders(server: SocketAddr) -> Result<(), Box<dyn Error>> {
    let client = reqwest::Client::new();

    let mut timeline = Timeline::new("transient errors, async, with full jitter: two lost connections and a 503");
    let order_7 = order(&mut timeline, &client, &format!("http://{server}/orders/7")).await;
    println!("  -> {}", order_7.map_err(|error| format!("order 7 should have come through: {error}"))?);

    let mut timeline = Timeline::new("a permanent error: 404 ends the run at once");
    match order(&mut timeline, &client, &format!("http://{server}/orders/8")).await {
        Ok(order) => return Err(format!("there is no order 8, yet the server sent `{order}`").into()),
        Err(error) => println!("  -> {error}"),
    }

    let mut timeline = Timeline::new("out of budget: 1 s in all, the last sleep is trimmed to fit");
    match stock(&mut timeline, &client, &format!("http://{server}/stock")).await {
        Ok(stock) => Err(format!("the stock is down, yet the server sent `{stock}`").into()),
        Err(error) => {
            println!("  -> {error}");
            Ok(())
        }
    }
}
