//! `cargo run --release --manifest-path soak/Cargo.toml -- [seconds]`: a thousand tasks and threads call a server on loopback, on
//! shared guards, while it is stopped, paused and started again. At the end every run is accounted for, everything that was
//! taken is back, and memory has not grown.

mod client;
mod server;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use backoff_core::Reason;
use backoff_core::guard::{CircuitBreaker, Moment, Pacer, RetryBudget, RetryQueue, RetryQuota};

pub(crate) static BREAKER: CircuitBreaker = CircuitBreaker::new().open_for(Duration::from_millis(500));
pub(crate) static BUDGET: RetryBudget = RetryBudget::new().max_tokens(1_000);
pub(crate) static QUOTA: RetryQuota = RetryQuota::new().capacity(1_000);
pub(crate) static PACER: Pacer = Pacer::new().max(Duration::from_millis(4));
pub(crate) static QUEUE: RetryQueue = RetryQueue::new();
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);
pub(crate) static COUNTS: Counts = Counts::new();

/// How runs ended.
pub(crate) struct Counts {
    pub(crate) started: AtomicU64,
    pub(crate) served: AtomicU64,
    /// Served with the answer to another question.
    pub(crate) mixed_up: AtomicU64,
    /// Dropped by their caller.
    pub(crate) dropped: AtomicU64,
    /// By [`Reason`].
    pub(crate) failed: [AtomicU64; 9],
    pub(crate) attempts: AtomicU64,
    pub(crate) under_way: AtomicU64,
}

impl Counts {
    const fn new() -> Self {
        Self {
            started: AtomicU64::new(0),
            served: AtomicU64::new(0),
            mixed_up: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
            failed: [const { AtomicU64::new(0) }; 9],
            attempts: AtomicU64::new(0),
            under_way: AtomicU64::new(0),
        }
    }
}

pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

pub(crate) const REASONS: [Reason; 9] = [
    Reason::Attempts,
    Reason::Budget,
    Reason::Deadline,
    Reason::NotRetryable,
    Reason::Hint,
    Reason::RetryBudget,
    Reason::RetryQueue,
    Reason::CircuitOpen,
    Reason::Cancelled,
];

/// Resident memory in KiB; none where the system does not tell.
fn resident() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4)
}

fn main() -> ExitCode {
    let seconds = std::env::args().nth(1).map_or(Ok(120), |text| text.parse::<u64>());
    let Ok(seconds) = seconds else {
        eprintln!("usage: soak [seconds]");
        return ExitCode::FAILURE;
    };
    let server = server::Server::start();
    let clients = client::start(server.address());
    let (start, mut memory) = (Instant::now(), Vec::new());
    while start.elapsed() < Duration::from_secs(seconds) {
        // Three seconds up, one without answers, up again, one and a half gone.
        for (mode, millis) in [("up", 3_000), ("paused", 1_000), ("up", 2_000), ("stopped", 1_500)] {
            server.set(mode);
            std::thread::sleep(Duration::from_millis(millis));
            memory.extend(resident());
        }
    }
    server.set("up");
    STOP.store(true, Ordering::Relaxed);
    clients.join();
    let served = server.served();
    drop(server);
    report(&memory, served)
}

fn report(memory: &[u64], served_by_server: u64) -> ExitCode {
    let (started, served, dropped) = (get(&COUNTS.started), get(&COUNTS.served), get(&COUNTS.dropped));
    let failed: u64 = COUNTS.failed.iter().map(get).sum();
    println!(
        "{started} runs, {} attempts: {served} served, {dropped} dropped by their caller, {failed} failed",
        get(&COUNTS.attempts)
    );
    for (reason, counter) in REASONS.iter().zip(&COUNTS.failed) {
        if get(counter) > 0 {
            println!("  {}: {}", reason.name(), get(counter));
        }
    }
    let breaker = BREAKER.snapshot(Moment::now());
    let (tokens, quota) = (BUDGET.snapshot().thousandths, QUOTA.left());
    println!(
        "breaker {:?}, generation {}; {tokens} thousandths of a token; quota {quota}; {:?}",
        breaker.circuit,
        breaker.generation,
        PACER.snapshot()
    );
    // The first quarter warms up; then the largest of the second half against the largest before.
    let later = memory.get(memory.len() / 4..).unwrap_or(&[]);
    let (before, after) = later.split_at(later.len() / 2);
    let [before, after] = [before, after].map(|part| part.iter().max().copied().unwrap_or(0));
    println!("memory: at most {before} KiB, then at most {after} KiB");
    let checks = [
        ("every run is accounted for", started == served + dropped + failed),
        ("something was served, dropped and failed", served > 0 && dropped > 0 && failed > 0),
        ("no answer went to another question", get(&COUNTS.mixed_up) == 0),
        ("what was served the server has served", served <= served_by_server),
        ("no attempt is left", get(&COUNTS.under_way) == 0),
        ("every permit is back", breaker.probes == 0),
        ("tokens are in their range", tokens <= 1_000_000 && quota <= 1_000),
        ("nobody waits", PACER.snapshot().waiting == 0 && QUEUE.snapshot().waiting == 0),
        ("memory is flat", after <= before + before / 10 + 2_048),
    ];
    for (what, holds) in checks {
        println!("{} {what}", if holds { "ok  " } else { "FAIL" });
    }
    if checks.iter().all(|(_, holds)| *holds) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
