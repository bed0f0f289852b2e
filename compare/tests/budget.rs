//! What a total time of 3.5 s bounds. Delays of 200, 400, 800 ms and so on, no jitter, every attempt fails.

use std::time::{Duration, Instant, SystemTime};

use backoff_compare::{Log, TokioClock, ms, secs};
use backoff_core::ExponentialBackoff;
use backon::{ExponentialBuilder, Retryable as _};
use retry_policies::{Jitter, RetryDecision, RetryPolicy as _};
use tokio_retry2::strategy::{ExponentialFactorBackoff, MaxInterval as _};

const BUDGET: Duration = ms(3_500);

async fn ours(op: Duration) -> (Vec<u128>, u128) {
    let log = Log::default();
    let failing = || async {
        log.fail_after(op).await;
        Err::<(), _>("down")
    };
    let end = ExponentialBackoff::new().budget(BUDGET).retry_async(failing).await;
    assert!(end.is_err());
    (log.starts(), log.now())
}

async fn backon(op: Duration) -> (Vec<u128>, u128) {
    let log = Log::default();
    let failing = || async {
        log.fail_after(op).await;
        Err::<(), _>("down")
    };
    let policy = ExponentialBuilder::new().with_min_delay(ms(200)).without_max_times().with_total_delay(Some(BUDGET));
    assert!(failing.retry(policy).await.is_err());
    (log.starts(), log.now())
}

async fn backoff_0_4(op: Duration) -> (Vec<u128>, u128) {
    let log = Log::default();
    let failing = || async {
        log.fail_after(op).await;
        Err::<(), _>(backoff::Error::transient("down"))
    };
    let policy = backoff::exponential::ExponentialBackoff::<TokioClock> {
        current_interval: ms(200),
        initial_interval: ms(200),
        randomization_factor: 0.0,
        multiplier: 2.0,
        max_elapsed_time: Some(BUDGET),
        ..Default::default()
    };
    assert!(backoff::future::retry(policy, failing).await.is_err());
    (log.starts(), log.now())
}

const RETRY_IF: retry_if::ExponentialBackoffConfig = retry_if::ExponentialBackoffConfig {
    max_retries: 60,
    t_wait: ms(200),
    backoff: 2.0,
    t_wait_max: Some(BUDGET),
    backoff_max: None,
};

fn failed(outcome: &Result<(), &'static str>) -> bool {
    outcome.is_err()
}

#[retry_if::retry(RETRY_IF, failed)]
async fn retried(log: &Log, op: Duration) -> Result<(), &'static str> {
    log.fail_after(op).await;
    Err("down")
}

async fn retry_if(op: Duration) -> (Vec<u128>, u128) {
    let log = Log::default();
    assert!(retried(&log, op).await.is_err());
    (log.starts(), log.now())
}

#[tokio::test(start_paused = true)]
async fn attempts_that_take_a_second() {
    let within = (vec![0, 1_200, 2_600], 3_600);
    assert_eq!(ours(secs(1)).await, within);
    assert_eq!(backoff_0_4(secs(1)).await, within);
    assert_eq!(retry_if(secs(1)).await, within);
    // backon adds up its sleeps alone
    assert_eq!(backon(secs(1)).await, (vec![0, 1_200, 2_600, 4_400, 7_000], 8_000));
}

#[tokio::test(start_paused = true)]
async fn attempts_that_take_no_time() {
    // the last sleep is trimmed, so the whole budget is used
    assert_eq!(ours(Duration::ZERO).await, (vec![0, 200, 600, 1_400, 3_000, 3_500], 3_500));
    // a sleep that does not fit ends the run early
    let early = (vec![0, 200, 600, 1_400, 3_000], 3_000);
    assert_eq!(backon(Duration::ZERO).await, early);
    assert_eq!(backoff_0_4(Duration::ZERO).await, early);
    assert_eq!(retry_if(Duration::ZERO).await, early);
}

/// Real time: its clock can't be replaced.
#[tokio::test]
async fn tokio_retry2_sleeps_past_its_end() {
    let log = Log::default();
    let failing = || async {
        log.attempt();
        Err::<(), _>(tokio_retry2::RetryError::transient("down"))
    };
    let strategy = ExponentialFactorBackoff::from_millis(20, 20.0).max_duration(ms(350));
    assert!(tokio_retry2::Retry::spawn(strategy, failing).await.is_err());
    let starts = log.starts();
    assert_eq!(starts.len(), 3, "{starts:?}");
    assert!(starts[2] >= 420, "20 + 400: {starts:?}");
}

/// Real time.
#[tokio::test]
async fn the_window_of_tokio_retry2_opens_when_the_strategy_is_built() {
    let log = Log::default();
    let failing = || async {
        log.attempt();
        Err::<(), _>(tokio_retry2::RetryError::transient("down"))
    };
    let strategy = ExponentialFactorBackoff::from_millis(20, 2.0).max_duration(ms(50));
    tokio::time::sleep(ms(60)).await;
    assert!(tokio_retry2::Retry::spawn(strategy, failing).await.is_err());
    assert_eq!(log.starts().len(), 1);
}

#[test]
fn retry_policies_sleeps_past_its_end() {
    let policy = retry_policies::policies::ExponentialBackoff::builder()
        .retry_bounds(ms(200), secs(60))
        .jitter(Jitter::None)
        .build_with_total_retry_duration(BUDGET);
    // 3 s of 3.5 s have passed, and four retries
    let now = SystemTime::now();
    match policy.should_retry(now - secs(3), 4) {
        RetryDecision::Retry { execute_after } => {
            let sleep = execute_after.duration_since(now).unwrap();
            assert!(sleep >= ms(3_200), "{sleep:?}: 2.7 s past the end");
        }
        RetryDecision::DoNotRetry => panic!("it stopped"),
    }
}

/// What is waited for before an attempt includes everything that the attempt does.
#[tokio::test(start_paused = true)]
async fn backoff_0_4_calls_the_closure_before_it_sleeps() {
    let log = Log::default();
    let called = || {
        log.attempt();
        async { Err::<(), _>(backoff::Error::transient("down")) }
    };
    let policy = backoff::exponential::ExponentialBackoff::<TokioClock> {
        current_interval: secs(1),
        initial_interval: secs(1),
        randomization_factor: 0.0,
        multiplier: 2.0,
        max_elapsed_time: Some(BUDGET),
        ..Default::default()
    };
    assert!(backoff::future::retry(policy, called).await.is_err());
    assert_eq!(log.starts(), [0, 0, 1_000], "the attempts themselves run at 0, 1 and 3 s");
    assert_eq!(log.now(), 3_000);
}

#[test]
fn our_blocking_run_does_the_same_as_the_async_one() {
    let time = backoff_core::testing::VirtualTime::new();
    let started = Instant::now();
    let slow = || {
        time.pass(secs(1));
        None::<()>
    };
    let end = ExponentialBackoff::new().budget(BUDGET).time(&time).wait(slow).unwrap_err();
    assert_eq!((end.attempts(), end.elapsed()), (3, ms(3_600)));
    assert!(started.elapsed() < secs(1));
}
