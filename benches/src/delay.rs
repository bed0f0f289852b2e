//! One delay with full jitter.

use std::time::Duration;

use backoff_core::random::SystemRandom;
use backoff_core::run::{Decision, Elapsed, Failure, Run};
use backoff_core::{ExponentialBackoff, Jitter};

use crate::Scenario;
use crate::operation::{CAP, INITIAL, INITIAL_NANOS, grown, jittered, jittered_best};

pub(crate) const SCENARIOS: &[Scenario] = &[
    ("one delay/hand-written", |times| {
        let mut delay = INITIAL_NANOS;
        for _ in 0..times {
            std::hint::black_box(hand(&mut delay));
        }
    }),
    ("one delay/hand-written, best", |times| {
        let mut delay = INITIAL_NANOS;
        for _ in 0..times {
            std::hint::black_box(hand_best(&mut delay));
        }
    }),
    ("one delay/hand-written, floating point", |times| {
        let mut delay = INITIAL;
        for _ in 0..times {
            std::hint::black_box(hand_float(&mut delay));
        }
    }),
    ("one delay/ours", |times| {
        let mut k = 0;
        for _ in 0..times {
            std::hint::black_box(ours(&mut k));
        }
    }),
    ("one delay/ours, whole decision", |times| {
        let mut run = Run::new();
        for _ in 0..times {
            let _ = std::hint::black_box(decision(&mut run));
        }
    }),
    ("one delay/backon", |times| {
        let mut delays = backon::BackoffBuilder::build(
            backon::ExponentialBuilder::default()
                .with_min_delay(INITIAL)
                .with_max_delay(CAP)
                .without_max_times()
                .with_jitter(),
        );
        for _ in 0..times {
            std::hint::black_box(delays.next());
        }
    }),
    ("one delay/backoff", |times| {
        let mut policy =
            backoff::ExponentialBackoff { max_elapsed_time: None, ..backoff::ExponentialBackoff::default() };
        for _ in 0..times {
            std::hint::black_box(backoff::backoff::Backoff::next_backoff(&mut policy));
        }
    }),
    ("one delay/retry-policies", |times| {
        use retry_policies::RetryPolicy as _;
        let policy = retry_policies::policies::ExponentialBackoff::builder()
            .retry_bounds(INITIAL, CAP)
            .jitter(retry_policies::Jitter::Full)
            .build_with_max_retries(u32::MAX);
        let start = std::time::SystemTime::now();
        for past in 0..times {
            let past = u32::try_from(past % 11).unwrap_or(0);
            std::hint::black_box(policy.should_retry(start, past));
        }
    }),
    ("one delay/retry", |times| {
        let mut delays = retry::delay::Exponential::from_millis_with_factor(200, 2.0)
            .map(|delay| delay.min(CAP))
            .map(retry::delay::jitter);
        for _ in 0..times {
            std::hint::black_box(delays.next());
        }
    }),
    ("one delay/tokio-retry2", |times| {
        let mut delays = tokio_retry2::strategy::ExponentialFactorBackoff::from_millis(200, 2.0)
            .max_delay(CAP)
            .map(tokio_retry2::strategy::jitter);
        for _ in 0..times {
            std::hint::black_box(delays.next());
        }
    }),
];

#[inline]
fn hand(delay: &mut u64) -> Duration {
    let pause = jittered(*delay);
    *delay = grown(*delay);
    pause
}

#[inline]
fn hand_best(delay: &mut u64) -> Duration {
    let pause = jittered_best(*delay);
    *delay = grown(*delay);
    pause
}

/// What is seen more often, and costs more.
#[inline]
fn hand_float(delay: &mut Duration) -> Duration {
    let pause = delay.mul_f64(fastrand::f64());
    *delay = delay.saturating_mul(2).min(CAP);
    pause
}

const POLICY: ExponentialBackoff =
    ExponentialBackoff::new().initial(INITIAL).max_delay(CAP).unlimited().jitter(Jitter::Full);

/// As in one run that never ends: what the loop by hand does too.
#[inline]
fn ours(k: &mut u32) -> Duration {
    let pause = POLICY.sleep(*k, &SystemRandom);
    *k += 1;
    pause
}

/// The delay and all that is decided with it: whether the run goes on, and what its events are told.
#[inline]
fn decision(run: &mut Run) -> Decision {
    run.failed(&POLICY, Failure::transient(), Elapsed::since_start(Duration::ZERO), &SystemRandom)
}
