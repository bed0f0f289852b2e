//! Late attempts, under a cap of 30 s.

use std::time::{Duration, SystemTime};

use backoff::backoff::Backoff as _;
use backoff_compare::{ms, secs};
use backoff_core::ExponentialBackoff;
use backon::{BackoffBuilder as _, ExponentialBuilder};
use retry_policies::{RetryDecision, RetryPolicy as _};
use tokio_retry2::strategy::{ExponentialBackoff as Power, ExponentialFactorBackoff};

const CAP: Duration = secs(30);

#[test]
fn these_hold_at_attempt_ten_thousand() {
    let ours = ExponentialBackoff::new().max_delay(CAP);
    assert_eq!((ours.delay(10_000), ours.delay(u32::MAX)), (CAP, CAP));

    let backon = ExponentialBuilder::new().with_max_delay(CAP).without_max_times();
    assert_eq!(backon.build().nth(10_000), Some(CAP));

    assert_eq!(ExponentialFactorBackoff::from_millis(200, 2.0).max_delay(CAP).nth(10_000), Some(CAP));

    let mut policy = backoff::ExponentialBackoffBuilder::new();
    policy.with_randomization_factor(0.0).with_max_interval(CAP).with_max_elapsed_time(None);
    let mut policy: backoff::ExponentialBackoff = policy.build();
    let last = std::iter::from_fn(|| policy.next_backoff()).nth(10_000).unwrap();
    assert_eq!(last.as_secs(), 30);

    let policy = retry_policies::policies::ExponentialBackoff::builder()
        .retry_bounds(ms(200), CAP)
        .jitter(retry_policies::Jitter::None)
        .build_with_max_retries(u32::MAX);
    let now = SystemTime::now();
    let RetryDecision::Retry { execute_after } = policy.should_retry(now, 10_000) else { panic!("it stopped") };
    assert_eq!(execute_after.duration_since(now).unwrap().as_secs(), 30);
}

const RETRY_IF: retry_if::ExponentialBackoffConfig = retry_if::ExponentialBackoffConfig {
    max_retries: u32::MAX,
    t_wait: secs(1),
    backoff: 2.0,
    t_wait_max: None,
    backoff_max: Some(CAP),
};

#[test]
fn retry_if_holds_at_attempt_63() {
    assert_eq!(RETRY_IF.get_backoff_duration(63), CAP);
}

#[test]
#[should_panic(expected = "too big")]
fn retry_if_panics_at_attempt_64() {
    let _ = RETRY_IF.get_backoff_duration(64);
}

/// The names are alike, the series are not.
#[test]
fn exponential_in_tokio_retry2_means_powers_of_the_first_delay() {
    let powers: Vec<_> = Power::from_millis(200).take(3).collect();
    assert_eq!(powers, [ms(200), ms(40_000), ms(8_000_000)]);
    let ours = ExponentialBackoff::new();
    assert_eq!([0, 1, 2].map(|k| ours.delay(k)), [ms(200), ms(400), ms(800)]);
}

#[test]
fn backon_counts_in_single_precision() {
    let delays: Vec<_> = ExponentialBuilder::new().with_min_delay(ms(200)).build().collect();
    assert_eq!(delays[0], ms(200));
    assert_ne!(delays[1], ms(400));
    assert!(delays[1].abs_diff(ms(400)) < Duration::from_micros(1), "{delays:?}");
}
