//! The same outage twice, for real: 2,000 requests of 16 threads, and a server on loopback that can serve 500 a second and is
//! away for two seconds. A refusal costs it 40 % of what serving costs. Once every request backs off by itself, with full
//! jitter; once the retries of each thread wait in a queue.
//!
//! ```sh
//! cargo run --release --example real_outage
//! ```

use std::io::{Error, ErrorKind};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use backoff_core::guard::RetryQueue;
use backoff_core::{ExponentialBackoff, Jitter};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const THREADS: u32 = 16;
const REQUESTS: u32 = 2_000;
/// Requests per second that come: 90 % of what can be served.
const ARRIVALS: f64 = 450.0;
const CAPACITY: f64 = 500.0;
const REFUSAL: f64 = 0.4;
/// From one second on.
const OUTAGE: Duration = Duration::from_secs(2);

const POLICY: ExponentialBackoff = ExponentialBackoff::new()
    .initial(Duration::from_millis(100))
    .max_delay(Duration::from_secs(10))
    .max_attempts(4)
    .budget(Duration::from_secs(30))
    .jitter(Jitter::Full);

fn main() -> Result<(), Error> {
    println!("{:>22}  {:>8}  {:>18}  {:>14}", "", "served", "calls per request", "first try after");
    for (name, queued) in [("full jitter", false), ("full jitter, queued", true)] {
        let seen = outage(queued)?;
        println!(
            "{name:>22}  {:>6.1} %  {:>18.2}  {:>12.1} %",
            100.0 * f64::from(seen.served) / f64::from(REQUESTS),
            f64::from(seen.calls) / f64::from(REQUESTS),
            100.0 * f64::from(seen.first_served) / f64::from(seen.first_calls)
        );
    }
    println!("\n\"first try after\": first attempts made after the outage that were served.");
    Ok(())
}

#[derive(Default)]
struct Seen {
    served: u32,
    calls: u32,
    first_calls: u32,
    first_served: u32,
}

/// One outage: a server, and sixteen threads that share the requests.
fn outage(queued: bool) -> Result<Seen, Error> {
    let service = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let start = Instant::now() + Duration::from_millis(50);
    let address = service.block_on(serve(start))?;
    let counts = Arc::<[AtomicU32; 4]>::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let counts = Arc::clone(&counts);
                scope.spawn(move || {
                    let queue: Option<&'static RetryQueue> = queued.then(|| &*Box::leak(Box::new(RetryQueue::new())));
                    client(thread, start, address, queue, &counts)
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| Error::other("a thread panicked"))?)
    })?;
    let [served, calls, first_calls, first_served] = std::array::from_fn(|count| counts[count].load(Ordering::Relaxed));
    Ok(Seen { served, calls, first_calls, first_served })
}

/// Every sixteenth request, each a task of its own that starts when it is due.
fn client(
    thread: u32,
    start: Instant,
    address: SocketAddr,
    queue: Option<&'static RetryQueue>,
    counts: &Arc<[AtomicU32; 4]>,
) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, async {
        let due = (thread..REQUESTS).step_by(THREADS as usize);
        let tasks: Vec<_> = due
            .map(|request| {
                let counts = Arc::clone(counts);
                tokio::task::spawn_local(async move {
                    let due = start + Duration::from_secs_f64(f64::from(request) / ARRIVALS);
                    tokio::time::sleep_until(due.into()).await;
                    let [served, calls, first_calls, first_served] = &*counts;
                    let is_after = due >= start + Duration::from_secs(1) + OUTAGE;
                    let attempt = |attempt: backoff_core::Attempt<'_, _>| {
                        let is_first = is_after && attempt.number() == 1;
                        calls.fetch_add(1, Ordering::Relaxed);
                        first_calls.fetch_add(u32::from(is_first), Ordering::Relaxed);
                        async move {
                            let result = call(address).await;
                            first_served.fetch_add(u32::from(is_first && result.is_ok()), Ordering::Relaxed);
                            result
                        }
                    };
                    let result = match queue {
                        Some(queue) => POLICY.retry_queue(queue).retry_async_with(attempt).await.map_err(|_| ()),
                        None => POLICY.waiter().retry_async_with(attempt).await.map_err(|_| ()),
                    };
                    served.fetch_add(u32::from(result.is_ok()), Ordering::Relaxed);
                })
            })
            .collect();
        for task in tasks {
            task.await.map_err(Error::other)?;
        }
        Ok(())
    })
}

/// One request: a connection, a byte out, and a byte back that says whether it was served.
async fn call(address: SocketAddr) -> Result<(), Error> {
    let exchange = async {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(b"?").await?;
        let mut answer = [0];
        stream.read_exact(&mut answer).await?;
        if answer == *b"+" { Ok(()) } else { Err(Error::from(ErrorKind::ConnectionRefused)) }
    };
    tokio::time::timeout(Duration::from_millis(500), exchange).await?
}

/// What the server can still do: work comes in by the clock, and each answer takes some.
struct Work {
    left: f64,
    at: Instant,
}

impl Work {
    /// Whether a request is served, refused, or not even answered.
    fn request(&mut self, now: Instant) -> Option<bool> {
        let come = now.saturating_duration_since(self.at).as_secs_f64() * CAPACITY;
        *self = Self { left: (self.left + come).min(CAPACITY / 50.0), at: now };
        let answer = [(1.0, true), (REFUSAL, false)].into_iter().find(|(cost, _)| self.left >= *cost);
        answer.map(|(cost, is_served)| {
            self.left -= cost;
            is_served
        })
    }
}

async fn serve(start: Instant) -> Result<SocketAddr, Error> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let work = Arc::new(Mutex::new(Work { left: 0.0, at: Instant::now() }));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let work = Arc::clone(&work);
            tokio::spawn(async move {
                let mut request = [0];
                let now = Instant::now();
                let since = now.saturating_duration_since(start + Duration::from_secs(1));
                let is_away = now >= start + Duration::from_secs(1) && since < OUTAGE;
                if is_away || stream.read_exact(&mut request).await.is_err() {
                    return;
                }
                let answer = work.lock().unwrap_or_else(PoisonError::into_inner).request(now);
                match answer {
                    Some(true) => drop(stream.write_all(b"+").await),
                    Some(false) => drop(stream.write_all(b"-").await),
                    None => tokio::time::sleep(Duration::from_secs(1)).await,
                }
            });
        }
    });
    Ok(address)
}
