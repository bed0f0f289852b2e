//! Sizes, allocations, overrun, threads and memory, each printed as `name<TAB>figure`.

use std::hint::black_box;
use std::sync::Barrier;
use std::task::{Context, Waker};
use std::thread;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use backoff_benches::{Failure, scenarios, sizes, waiting, wakeups};
use backoff_core::ExponentialBackoff;
use backoff_core::guard::{CircuitBreaker, Moment, Pacer};
use backon::BlockingRetryable as _;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (what, candidate) = (arguments.next(), arguments.next().unwrap_or_default());
    match what.as_deref() {
        Some("waiting") => waiting_runs(&candidate),
        Some("wake-ups") => wake_ups(&candidate),
        _ => {
            future_sizes();
            allocations();
            overrun();
            threads();
        }
    }
}

fn say(name: &str, figure: impl std::fmt::Display) {
    println!("{name}\t{figure}");
}

fn future_sizes() {
    for (name, bytes) in sizes::all() {
        say(&format!("future/{name}"), bytes);
    }
}

/// Allocations of one repetition, once everything lazy has been made.
fn allocations() {
    for (name, run) in scenarios() {
        if name.starts_with("blocking") || name.starts_with("async") || name.starts_with("ten failures") {
            run(3);
            let allocations = measure(|| run(100)).count_total;
            say(&format!("allocations/{name}"), allocations / 100);
        }
    }
}

/// How long past the end of the budget, or of the attempt that is under way then, a run returns.
fn overrun() {
    for (budget, operation) in [(200, 0), (200, 30), (500, 0), (1_000, 30)] {
        let budget = Duration::from_millis(budget);
        let operation = Duration::from_millis(operation);
        let mut ours: Vec<f64> = (0..9).map(|_| overrun_of_ours(budget, operation)).collect();
        let mut theirs: Vec<f64> = (0..9).map(|_| overrun_of_backon(budget, operation)).collect();
        let place = format!("{} ms, operation {} ms", budget.as_millis(), operation.as_millis());
        say(&format!("overrun/{place}/ours"), format!("{:.3}", median(&mut ours)));
        say(&format!("overrun/{place}/backon"), format!("{:.3}", median(&mut theirs)));
    }
}

fn overrun_of_ours(budget: Duration, operation: Duration) -> f64 {
    let policy = ExponentialBackoff::new().initial(Duration::from_millis(20)).budget(budget);
    let start = Instant::now();
    let mut began = start;
    let _ = policy.retry(|| {
        began = Instant::now();
        pause(operation)
    });
    past(start, budget, began, operation)
}

fn overrun_of_backon(budget: Duration, operation: Duration) -> f64 {
    let delays = backon::ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(20))
        .without_max_times()
        .with_total_delay(Some(budget));
    let start = Instant::now();
    let mut began = start;
    let attempt = || {
        began = Instant::now();
        pause(operation)
    };
    let _ = attempt.retry(delays).sleep(thread::sleep).call();
    past(start, budget, began, operation)
}

fn pause(operation: Duration) -> Result<(), Failure> {
    if !operation.is_zero() {
        thread::sleep(operation);
    }
    Err(Failure(1))
}

/// Milliseconds past budget and operation; what the operation itself overslept is not the library's.
fn past(start: Instant, budget: Duration, began: Instant, operation: Duration) -> f64 {
    let end = Instant::now();
    let overslept = (end - began).saturating_sub(operation);
    ((end - start).saturating_sub(overslept).as_secs_f64() - (budget + operation).as_secs_f64()) * 1e3
}

fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Nanoseconds for one check, alone and with another thread at the same guard.
fn threads() {
    let breaker = CircuitBreaker::new();
    let pacer = Pacer::new().interval(Duration::from_micros(1)).min(Duration::from_micros(1));
    let limiter = governor::RateLimiter::direct(governor::Quota::per_second(std::num::NonZeroU32::MAX));
    for number in [1, 2] {
        // What is in the figure of the pacer, too. Governor reads the processor's counter instead.
        let read = || {
            black_box(Moment::now());
        };
        say(&format!("threads/clock alone/{number}"), format!("{:.1}", nanos(number, &read)));
        let check = || drop(black_box(breaker.admit(Moment::now)));
        say(&format!("threads/breaker/{number}"), format!("{:.2}", nanos(number, &check)));
        let check = || {
            let _ = black_box(pacer.try_reserve(Moment::now(), 1));
        };
        say(&format!("threads/pacer/{number}"), format!("{:.1}", nanos(number, &check)));
        let check = || drop(black_box(limiter.check()));
        say(&format!("threads/governor/{number}"), format!("{:.1}", nanos(number, &check)));
    }
}

/// The median of several rounds.
fn nanos(number: usize, check: &(impl Fn() + Sync)) -> f64 {
    const TIMES: u32 = 200_000;
    let mut rounds: Vec<f64> = (0..15).map(|_| round(number, TIMES, check)).collect();
    median(&mut rounds)
}

fn round(number: usize, times: u32, check: &(impl Fn() + Sync)) -> f64 {
    let barrier = Barrier::new(number);
    let one = || {
        barrier.wait();
        let start = Instant::now();
        for _ in 0..times {
            check();
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..number).map(|_| scope.spawn(one)).collect();
        let own = one();
        others.into_iter().map(|other| other.join().unwrap_or(own)).fold(own, f64::max)
    })
}

/// Many enough that what each of them costs is all that counts.
const RUNS: u32 = 1_000_000;

/// How late a million runs wake.
fn wake_ups(candidate: &str) {
    let Some(late) = wakeups::late(candidate, RUNS) else { return };
    assert_eq!(late.len(), RUNS as usize, "all wake");
    for (name, at) in [("median", late.len() / 2), ("9 of 10", late.len() / 10 * 9)] {
        say(&format!("wake-ups/{name}/{candidate}"), format!("{:.3}", late[at]));
    }
}

/// Bytes for each of a million runs that wait at once.
fn waiting_runs(candidate: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let Ok(runtime) = runtime else { return };
    let _entered = runtime.enter();
    let bytes = measure(|| {
        let mut runs: Vec<_> = Vec::with_capacity(RUNS as usize);
        runs.extend((0..RUNS).filter_map(|_| waiting::run(candidate)));
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting = 0;
        for run in &mut runs {
            waiting += u32::from(run.as_mut().poll(&mut context).is_pending());
        }
        assert_eq!(waiting, RUNS, "all wait");
    });
    // The list of the runs is the same for all candidates: a hand-written loop is what they are compared with.
    say(&format!("waiting/{candidate}"), bytes.bytes_max / u64::from(RUNS));
}
