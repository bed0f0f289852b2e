//! A real HTTP server with a bad day: it drops connections, answers 503, and one record arrives late.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// How long after the server's start the reward is there.
const REWARD_AFTER: Duration = Duration::from_millis(900);

/// How the server answers one request.
enum Answer {
    /// The connection is closed without a word.
    Drop,
    /// A status and a text.
    Status(StatusCode, &'static str),
}

struct State {
    started: Instant,
    orders: AtomicU32,
}

impl State {
    fn answer(&self, path: &str) -> Answer {
        match path {
            "/rewards/42" if self.started.elapsed() >= REWARD_AFTER => {
                Answer::Status(StatusCode::OK, "a golden compass")
            }
            "/orders/7" => match self.orders.fetch_add(1, Ordering::Relaxed) {
                0 | 1 => Answer::Drop,
                2 => Answer::Status(StatusCode::SERVICE_UNAVAILABLE, "starting up"),
                _ => Answer::Status(StatusCode::OK, "one telescope, paid"),
            },
            "/stock" => Answer::Status(StatusCode::SERVICE_UNAVAILABLE, "down for good"),
            _ => Answer::Status(StatusCode::NOT_FOUND, "no such thing"),
        }
    }
}

/// Starts the server in the current runtime, on a free port of the loopback interface.
pub(crate) async fn start() -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let state = Arc::new(State { started: Instant::now(), orders: AtomicU32::new(0) });
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let state = Arc::clone(&state);
            let service = service_fn(move |request| {
                let state = Arc::clone(&state);
                async move { respond(&state, &request) }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    Ok(address)
}

/// An error from here makes the server close the connection.
fn respond(state: &State, request: &Request<Incoming>) -> Result<Response<Full<Bytes>>, Dropped> {
    match state.answer(request.uri().path()) {
        Answer::Drop => Err(Dropped),
        Answer::Status(status, text) => {
            let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
            *response.status_mut() = status;
            Ok(response)
        }
    }
}

/// The reason for which a connection is closed.
#[derive(Debug)]
struct Dropped;

impl std::fmt::Display for Dropped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("dropped on purpose")
    }
}

impl std::error::Error for Dropped {}
