//! Where jitter puts a sleep whose delay has reached the cap of 1 s: the shortest and the longest of 20,000 draws.

use std::time::{Duration, SystemTime};

use backoff::backoff::Backoff as _;
use backoff_compare::{ms, secs};
use backoff_core::random::SystemRandom;
use backoff_core::run::{Decision, Elapsed, Failure, Run};
use backoff_core::{ExponentialBackoff, Jitter};
use backon::{BackoffBuilder as _, ExponentialBuilder};
use retry_policies::{RetryDecision, RetryPolicy as _};
use tokio_retry2::strategy::{ExponentialFactorBackoff, jitter};

const DRAWS: usize = 20_000;
const CAP: Duration = secs(1);

fn range(sleeps: impl Iterator<Item = Duration>) -> (Duration, Duration) {
    let mut sleeps: Vec<_> = sleeps.skip(20).take(DRAWS).collect();
    assert_eq!(sleeps.len(), DRAWS);
    sleeps.sort();
    (sleeps[0], sleeps[DRAWS - 1])
}

fn ours(jitter: Jitter) -> (Duration, Duration) {
    let policy = ExponentialBackoff::new().max_delay(CAP).unlimited().jitter(jitter);
    let mut run = Run::new();
    range(std::iter::from_fn(|| {
        match run.failed(&policy, Failure::transient(), Elapsed::since_start(Duration::ZERO), &SystemRandom) {
            Decision::Sleep(pause) => Some(pause.sleep),
            Decision::Stop(_) => None,
        }
    }))
}

#[test]
fn ours_stays_under_the_cap_and_keeps_its_width() {
    let (shortest, longest) = ours(Jitter::Full);
    assert!(shortest < ms(10) && longest > ms(990) && longest <= CAP, "{shortest:?} to {longest:?}");
    let (shortest, longest) = ours(Jitter::Equal);
    assert!(
        shortest >= ms(500) && shortest < ms(505) && longest > ms(995) && longest <= CAP,
        "{shortest:?} to {longest:?}"
    );
}

#[test]
fn retry_policies_stays_under_the_cap_and_keeps_its_width() {
    let policy = retry_policies::policies::ExponentialBackoff::builder()
        .retry_bounds(ms(200), CAP)
        .jitter(retry_policies::Jitter::Full)
        .build_with_max_retries(u32::MAX);
    let (shortest, longest) = range((0..u32::MAX).map(|n| match policy.should_retry(SystemTime::now(), n) {
        RetryDecision::Retry { execute_after } => execute_after.duration_since(SystemTime::now()).unwrap_or_default(),
        RetryDecision::DoNotRetry => panic!("it stopped"),
    }));
    assert!(shortest < ms(10) && longest > ms(900) && longest <= CAP, "{shortest:?} to {longest:?}");
}

#[test]
fn backon_sleeps_up_to_twice_the_cap() {
    let policy =
        ExponentialBuilder::new().with_min_delay(ms(200)).with_max_delay(CAP).without_max_times().with_jitter();
    let (shortest, longest) = range(policy.build());
    assert!(shortest >= CAP && longest > ms(1_990) && longest <= secs(2), "{shortest:?} to {longest:?}");
}

#[test]
fn tokio_retry2_sleeps_up_to_one_and_a_half_times_the_cap() {
    let strategy = ExponentialFactorBackoff::from_millis(200, 2.0).max_delay(CAP).map(jitter);
    let (shortest, longest) = range(strategy);
    assert!(shortest < ms(510) && longest > ms(1_490) && longest <= ms(1_500), "{shortest:?} to {longest:?}");
}

#[test]
fn backoff_0_4_sleeps_up_to_one_and_a_half_times_the_cap() {
    let mut policy = backoff::ExponentialBackoffBuilder::new();
    policy.with_initial_interval(ms(200)).with_multiplier(2.0).with_max_interval(CAP).with_max_elapsed_time(None);
    let mut policy: backoff::ExponentialBackoff = policy.build();
    let (shortest, longest) = range(std::iter::from_fn(|| policy.next_backoff()));
    assert!(shortest < ms(510) && longest > ms(1_490) && longest <= ms(1_501), "{shortest:?} to {longest:?}");
}
