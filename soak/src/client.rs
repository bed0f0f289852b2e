//! The callers: tasks under each guard, and threads.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use backoff_core::guard::RetryTokens;
use backoff_core::{ExponentialBackoff, Jitter, RetryError};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::{BREAKER, BUDGET, COUNTS, PACER, QUEUE, QUOTA, REASONS, STOP, count};

const TASKS: u64 = 1_000;
const THREADS: u64 = 32;
const POLICY: ExponentialBackoff = ExponentialBackoff::new()
    .initial(Duration::from_millis(20))
    .max_delay(Duration::from_millis(500))
    .budget(Duration::from_secs(3))
    .jitter(Jitter::Full);
const TIMEOUT: Duration = Duration::from_millis(250);

pub(crate) struct Clients {
    runtime: tokio::runtime::Runtime,
    tasks: Vec<tokio::task::JoinHandle<()>>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Clients {
    pub(crate) fn join(self) {
        self.runtime.block_on(async {
            for task in self.tasks {
                task.await.expect("no panic");
            }
        });
        for thread in self.threads {
            thread.join().expect("no panic");
        }
    }
}

pub(crate) fn start(server: SocketAddr) -> Clients {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let tasks = (0..TASKS).map(|id| runtime.spawn(task(id, server))).collect();
    let threads = (0..THREADS).map(|id| thread::spawn(move || blocking(TASKS + id, server))).collect();
    Clients { runtime, tasks, threads }
}

/// An attempt that is under way, dropped or not.
struct Attempt;

impl Attempt {
    fn begin() -> Self {
        count(&COUNTS.attempts);
        count(&COUNTS.under_way);
        Self
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        COUNTS.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn ask(server: SocketAddr, number: u64) -> io::Result<u64> {
    let _attempt = Attempt::begin();
    let mut stream = tokio::net::TcpStream::connect(server).await?;
    stream.write_u64(number).await?;
    stream.read_u64().await
}

fn ask_blocking(server: SocketAddr, number: u64) -> io::Result<u64> {
    let _attempt = Attempt::begin();
    let mut stream = TcpStream::connect_timeout(&server, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.write_all(&number.to_be_bytes())?;
    let mut answer = [0; 8];
    stream.read_exact(&mut answer)?;
    Ok(u64::from_be_bytes(answer))
}

fn ended(number: u64, result: Result<u64, RetryError<io::Error>>) {
    match result {
        Ok(answer) if answer == number => count(&COUNTS.served),
        Ok(_) => count(&COUNTS.mixed_up),
        Err(end) => {
            let at = REASONS.iter().position(|reason| *reason == end.reason()).expect("the list is closed");
            count(&COUNTS.failed[at]);
        }
    }
}

async fn task(id: u64, server: SocketAddr) {
    let mut round = 0;
    while !STOP.load(Ordering::Relaxed) {
        round += 1;
        let number = (id << 32) | round;
        count(&COUNTS.started);
        // The guards in turn; a retry budget of one kind or the other goes with each.
        let tokens: &dyn RetryTokens = if round % 2 == 0 { &BUDGET } else { &QUOTA };
        let waiter = POLICY.waiter().attempt_timeout(TIMEOUT).retry_budget(tokens);
        let ask = || ask(server, number);
        let run = async {
            match id % 4 {
                0 => waiter.breaker(&BREAKER).retry_async(ask).await,
                1 => waiter.pacer(&PACER).retry_async(ask).await,
                2 => POLICY.waiter().attempt_timeout(TIMEOUT).retry_queue(&QUEUE).retry_async(ask).await,
                _ => {
                    POLICY
                        .waiter()
                        .attempt_timeout(TIMEOUT)
                        .breaker(&BREAKER)
                        .pacer(&PACER)
                        .retry_queue(&QUEUE)
                        .retry_async(ask)
                        .await
                }
            }
        };
        // Every fifth caller has little patience and drops its run.
        let patience = Duration::from_millis(if round % 5 == 0 { 1 + id % 400 } else { 60_000 });
        match tokio::time::timeout(patience, run).await {
            Ok(result) => ended(number, result),
            Err(_) => count(&COUNTS.dropped),
        }
        tokio::time::sleep(Duration::from_millis(500 + id)).await;
    }
}

fn blocking(id: u64, server: SocketAddr) {
    let mut round = 0;
    while !STOP.load(Ordering::Relaxed) {
        round += 1;
        let number = (id << 32) | round;
        count(&COUNTS.started);
        let ask = || ask_blocking(server, number);
        let result = match id % 3 {
            0 => POLICY.breaker(&BREAKER).retry_budget(&BUDGET).retry(ask),
            1 => POLICY.pacer(&PACER).retry_budget(&QUOTA).retry(ask),
            _ => POLICY.retry_queue(&QUEUE).retry(ask),
        };
        ended(number, result);
        thread::sleep(Duration::from_millis(50));
    }
}
