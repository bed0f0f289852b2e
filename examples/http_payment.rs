//! Payments against a server that loses every other answer, with an idempotency key: nobody is charged twice, and the
//! server's books prove it. Without a key the request is not repeated; repeated all the same, it charges twice.
//!
//! ```sh
//! cargo run --example http_payment
//! ```

use std::collections::HashMap;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use backoff_core::{ExponentialBackoff, Jitter};
use backoff_http::IdempotencyKey;
use backoff_http::reqwest::RetryRequest;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

const POLICY: ExponentialBackoff =
    ExponentialBackoff::new().initial(Duration::from_millis(10)).max_attempts(12).jitter(Jitter::Full);
const CUSTOMERS: usize = 20;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = reqwest::Client::new();

    // The key names the payment, so it is made once for each, outside of what is retried.
    let bank = Bank::open().await?;
    for customer in 0..CUSTOMERS {
        let key = IdempotencyKey::new();
        let payment = client.post(bank.url()).body(format!("customer {customer}"));
        let receipt = payment.retry(POLICY).idempotency_key(&key).send().await?.error_for_status()?.text().await?;
        bank.check(&receipt)?;
    }
    let books = bank.close("with a key, retried");
    if books.charges.len() != CUSTOMERS || books.lost == 0 {
        return Err("every customer should have been charged once, and some answers lost".into());
    }

    // Without a key, a lost answer ends the run: it is not known whether the customer was charged.
    let bank = Bank::open().await?;
    let payment = client.post(bank.url()).body("customer 0").retry(POLICY).send().await;
    let refused = payment.err().ok_or("the first answer is lost")?;
    println!("  {refused}");
    if bank.close("without a key").requests != 1 {
        return Err("a payment without a key should not have been repeated".into());
    }

    // What the rules protect from: repeating it all the same.
    let bank = Bank::open().await?;
    let repeated =
        POLICY.retry_async(async || client.post(bank.url()).body("customer 0").send().await?.error_for_status()).await;
    if repeated.is_err() || bank.close("without a key, repeated all the same").charges.len() < 2 {
        return Err("this customer should have been charged twice".into());
    }
    Ok(())
}

/// What the bank wrote down.
#[derive(Clone, Default)]
struct Books {
    /// The receipt for each key.
    receipts: HashMap<String, String>,
    charges: Vec<String>,
    requests: usize,
    lost: usize,
}

/// A server that charges whoever asks, once for each key.
struct Bank {
    address: SocketAddr,
    books: Arc<Mutex<Books>>,
}

impl Bank {
    async fn open() -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let bank = Self { address: listener.local_addr()?, books: Arc::default() };
        let books = Arc::clone(&bank.books);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let books = Arc::clone(&books);
                let service = service_fn(move |request| charge(Arc::clone(&books), request));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        Ok(bank)
    }

    fn url(&self) -> String {
        format!("http://{}/charges", self.address)
    }

    fn check(&self, receipt: &str) -> Result<(), Box<dyn Error>> {
        let known = locked(&self.books).receipts.values().any(|known| known == receipt);
        if known { Ok(()) } else { Err(format!("{receipt} is not in the books").into()) }
    }

    fn close(&self, title: &str) -> Books {
        let books = locked(&self.books).clone();
        println!("{title}:");
        println!("  {} requests, {} answers lost, {} charges", books.requests, books.lost, books.charges.len());
        books
    }
}

/// Charges the customer unless the key is known, and then loses the answer every other time. Every fifth request is turned
/// away before anything happens.
async fn charge(books: Arc<Mutex<Books>>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Lost> {
    let key = request.headers().get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    let customer = request.into_body().collect().await.map_err(|_| Lost)?.to_bytes();
    let customer = String::from_utf8_lossy(&customer).into_owned();
    let mut books = locked(&books);
    books.requests += 1;
    if books.requests % 5 == 0 {
        return Ok(answer(StatusCode::SERVICE_UNAVAILABLE, "try later".to_owned()));
    }
    let known = key.as_ref().and_then(|key| books.receipts.get(key)).cloned();
    let receipt = known.unwrap_or_else(|| {
        books.charges.push(customer);
        let receipt = format!("receipt {}", books.charges.len());
        if let Some(key) = key {
            books.receipts.insert(key, receipt.clone());
        }
        receipt
    });
    if books.requests % 2 == 1 {
        books.lost += 1;
        return Err(Lost);
    }
    Ok(answer(StatusCode::OK, receipt))
}

fn answer(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    response
}

fn locked(books: &Mutex<Books>) -> std::sync::MutexGuard<'_, Books> {
    books.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the server close the connection without an answer.
#[derive(Debug)]
struct Lost;

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("lost on purpose")
    }
}

impl Error for Lost {}
