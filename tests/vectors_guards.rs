//! Published numbers of the rules that guards follow: `data/guards.json`.

mod support;

use std::time::Duration;

use backoff_core::guard::{
    AdaptiveThrottle, Moment, Now, Pacer, PacerMode, RetryBudget, RetryDeposits, RetryQuota, RetryTokens, Slot,
};
use backoff_core::random::NoRandom;
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Jitter, NotYet, Reason};
use serde::Deserialize;
use support::unlimited;

#[derive(Deserialize)]
struct Vectors {
    aws_quota: Vec<Quota>,
    cubic_success: CubicSuccess,
    cubic_mixed: Vec<CubicRow>,
    grpc_retry_throttling: Throttling,
    sre_adaptive: Vec<Adaptive>,
    finagle_budget: Vec<Finagle>,
}

#[derive(Deserialize)]
struct Quota {
    version: String,
    capacity: u32,
    log: Vec<QuotaRun>,
}

#[derive(Deserialize)]
struct QuotaRun {
    request: Request,
    attempts: u32,
    delays_with_jitter_draw_1: Vec<f64>,
    result: String,
    quota_after: u32,
}

#[derive(Deserialize)]
struct Request {
    attempts: Vec<String>,
    max_attempts: Option<u32>,
    transient_base: Option<f64>,
    max_backoff: Option<f64>,
}

#[derive(Deserialize)]
struct CubicSuccess {
    w_max: f64,
    t_last_throttle: u64,
    rows: Vec<CubicRow>,
}

#[derive(Deserialize)]
struct CubicRow {
    t: u64,
    rate: f64,
    #[serde(default)]
    throttled: bool,
}

#[derive(Deserialize)]
struct Throttling {
    max_tokens: u32,
    token_ratio: f64,
    rows_outcome_tokens_retryallowed: Vec<(String, f64, bool)>,
}

#[derive(Deserialize)]
struct Adaptive {
    requests: u64,
    accepts: u64,
    k: f64,
    p: f64,
}

#[derive(Deserialize)]
struct Finagle {
    ttl_s: u64,
    min_per_sec: u32,
    percent: f64,
    deposit: u64,
    withdraw: u64,
    initial_balance: u64,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("data/guards.json")).expect("the vectors can be read")
}

const ZERO: Now<'static> = &|| Moment::at(Duration::ZERO);

/// What a retry costs and what the first delay is, by the kind of failure.
fn aws(version: &str, kind: &str, request: &Request) -> (u32, Duration) {
    let transient = request.transient_base.map_or(Duration::from_millis(50), Duration::from_secs_f64);
    match (version, kind) {
        ("2.1", "transient") => (14, transient),
        ("2.1", "throttle") | ("2.0", "transient") => (5, Duration::from_secs(1)),
        ("2.0", "timeout") => (10, Duration::from_secs(1)),
        other => panic!("no price for {other:?}"),
    }
}

/// One request under a quota with a price for each kind of failure: a loop that is written by hand, because the price follows
/// from the failure.
fn request(version: &str, quota: &RetryQuota, request: &Request) -> (u32, Vec<f64>, Reason) {
    let time = VirtualTime::new();
    let first = request.attempts.first().map_or("ok", String::as_str);
    let base = if first == "ok" { Duration::from_millis(50) } else { aws(version, first, request).1 };
    let mut policy = unlimited().initial(base).jitter(Jitter::Full).max_attempts(request.max_attempts.unwrap_or(3));
    policy = policy.max_delay(request.max_backoff.map_or(Duration::from_secs(20), Duration::from_secs_f64));
    let mut run = policy.time(&time).random(NoRandom).start_blocking();
    let mut last = None;
    let mut attempts = 0;
    let reason = loop {
        let outcome = request.attempts.get(attempts as usize).map_or("transient", String::as_str);
        attempts += 1;
        if outcome == "ok" {
            quota.succeeded(last, ZERO);
            run.succeed::<NotYet>();
            return (attempts, in_seconds(&time), Reason::Cancelled);
        }
        if request.max_attempts.unwrap_or(3) == attempts {
            break run.backoff(outcome).expect_err("no attempts left").reason();
        }
        match quota.at_cost(aws(version, outcome, request).0).take(ZERO) {
            None => break Reason::RetryBudget,
            taken => last = taken,
        }
        run.backoff(outcome).expect("there are attempts left");
    };
    (attempts, in_seconds(&time), reason)
}

fn in_seconds(time: &VirtualTime) -> Vec<f64> {
    time.sleeps().iter().map(Duration::as_secs_f64).collect()
}

#[test]
fn the_quota_of_the_aws_sdks() {
    let vectors = vectors().aws_quota;
    assert_eq!(vectors.len(), 10);
    for (index, row) in vectors.iter().enumerate() {
        let quota = RetryQuota::new().try_capacity(row.capacity).unwrap();
        for run in &row.log {
            let (attempts, delays, reason) = request(&row.version, &quota, &run.request);
            assert_eq!(attempts, run.attempts, "row {index}");
            assert_eq!(delays, run.delays_with_jitter_draw_1, "row {index}");
            assert_eq!(quota.left(), run.quota_after, "row {index}");
            let right = match run.result.as_str() {
                "success" => Reason::Cancelled,
                "max_attempts" => Reason::Attempts,
                "quota_exhausted" => Reason::RetryBudget,
                other => panic!("{other}"),
            };
            assert_eq!(reason, right, "row {index}");
        }
    }
}

#[test]
fn the_quota_under_a_policy() {
    // The first row of the vectors through the waiter: 500 - 2 * 14 + 14.
    let quota = RetryQuota::new().cost(14);
    let mut results = [Err("transient"), Err("transient"), Ok(())].into_iter();
    let policy = ExponentialBackoff::new().initial(Duration::from_millis(50)).max_attempts(3);
    let result = policy.time(VirtualTime::new()).retry_budget(&quota).retry(|| results.next().unwrap());
    assert_eq!((result, quota.left()), (Ok(()), 486));
}

#[test]
fn the_throttling_of_grpc() {
    let Throttling { max_tokens, token_ratio, rows_outcome_tokens_retryallowed: rows } =
        vectors().grpc_retry_throttling;
    let budget = RetryBudget::new().try_max_tokens(max_tokens).unwrap().try_ratio(token_ratio).unwrap();
    assert_eq!(rows.len(), 16);
    for (index, (outcome, tokens, allowed)) in rows.iter().enumerate() {
        if outcome == "F" {
            budget.failed(ZERO);
        } else {
            budget.succeeded(None, ZERO);
        }
        let seen = f64::from(budget.snapshot().thousandths) / 1_000.0;
        assert!((seen - tokens).abs() < 1e-9, "row {index}: {seen} tokens");
        assert_eq!(budget.take(ZERO).is_some(), *allowed, "row {index}");
    }
}

#[test]
fn the_adaptive_throttling_of_the_sre_book() {
    let rows = vectors().sre_adaptive;
    assert_eq!(rows.len(), 9);
    for row in rows {
        let seen = AdaptiveThrottle::probability(row.requests, row.accepts, row.k);
        assert!((seen - row.p).abs() < 1e-12, "{seen} for {} of {}", row.accepts, row.requests);
    }
}

#[test]
fn the_deposits_of_finagle() {
    let rows = vectors().finagle_budget;
    assert_eq!(rows.len(), 4);
    for row in rows {
        let deposits = RetryDeposits::new()
            .try_ttl(Duration::from_secs(row.ttl_s))
            .and_then(|deposits| deposits.try_ratio(row.percent))
            .and_then(|deposits| deposits.try_reserve(row.min_per_sec))
            .unwrap();
        let now = Moment::at(Duration::ZERO);
        assert_eq!(deposits.balance(now), row.initial_balance);
        // What a request deposits is to what a retry withdraws as 1 is to the requests for one retry.
        if let Some(requests) = row.withdraw.checked_div(row.deposit) {
            (0..requests).for_each(|_| deposits.began(ZERO));
            assert_eq!(deposits.balance(now), row.initial_balance + 1);
        }
        assert_eq!(deposits.balance(now.after(Duration::from_secs(row.ttl_s))), row.initial_balance);
    }
}

/// A pacer that a failure at `second` left at that rate.
fn cubic(rate: f64, second: u64) -> (Pacer, Slot) {
    let pacer = Pacer::new().mode(PacerMode::Cubic).interval(Duration::from_secs_f64(0.7 / rate));
    let time = VirtualTime::new();
    let slot = pacer.reserve(&time, 1, None).expect("the first slot is there");
    pacer.settle(slot, false, || after(slot, second));
    (pacer, slot)
}

fn after(slot: Slot, second: u64) -> Moment {
    slot.started().after(Duration::from_secs(second))
}

fn rate(pacer: &Pacer) -> f64 {
    1_000.0 / pacer.snapshot().interval_millis
}

#[test]
fn the_cubic_rate_of_the_aws_sdks() {
    let CubicSuccess { w_max, t_last_throttle, rows } = vectors().cubic_success;
    let (pacer, slot) = cubic(w_max, t_last_throttle);
    for row in rows {
        pacer.settle(slot, true, || after(slot, row.t));
        assert!((rate(&pacer) - row.rate).abs() < 1e-9, "{} at {}", rate(&pacer), row.t);
    }
    let (pacer, mut slot) = cubic(w_max, t_last_throttle);
    for row in vectors().cubic_mixed {
        // Each call begins when it ends, so that each failure counts.
        let now = after(slot, row.t);
        slot = Slot::starting(slot.started());
        pacer.settle(if row.throttled { Slot::starting(now) } else { slot }, !row.throttled, || now);
        assert!((rate(&pacer) - row.rate).abs() < 1e-9, "{} at {}", rate(&pacer), row.t);
    }
}
