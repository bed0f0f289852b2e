//! Ten failures, then a success, with a sleep that does nothing.

use std::future::ready;
use std::hint::black_box;
use std::time::{Duration, Instant};

use backoff_core::clock::{AsyncSleep, Clock, Sleep};
use backoff_core::{ExponentialBackoff, Jitter, exponential_backoff};
use backon::{BlockingRetryable as _, Retryable as _};

use crate::Scenario;
use crate::asynchronous::poll_once;
use crate::operation::{CAP, Failure, INITIAL, INITIAL_NANOS, eleventh, grown, jittered, jittered_best};

pub(crate) const SCENARIOS: &[Scenario] = &[
    ("ten failures/bare call", repeat!(state: 0 => ten_bare(&mut state))),
    ("ten failures/hand-written", repeat!(state: 0 => hand(&mut state))),
    ("ten failures/hand-written, best", repeat!(state: 0 => hand_best(&mut state))),
    ("ten failures/hand-written, floating point", repeat!(state: 0 => hand_float(&mut state))),
    ("ten failures/attribute", repeat!(state: 0 => attribute(&mut state))),
    ("ten failures/waiter", repeat!(state: 0 => waiter(&mut state))),
    ("ten failures/by hand", repeat!(state: 0 => by_hand(&mut state))),
    ("ten failures/backon", repeat!(state: 0 => with_backon(&mut state))),
    ("ten failures/retry", repeat!(state: 0 => with_retry(&mut state))),
    ("ten failures/exponential-backoff", repeat!(state: 0 => with_exponential_backoff(&mut state))),
    ("ten failures, async/hand-written", repeat!(state: 0 => poll_once(hand_async(&mut state)))),
    ("ten failures, async/attribute", repeat!(state: 0 => poll_once(attribute_async(&mut state)))),
    ("ten failures, async/backon", repeat!(state: 0 => poll_once(with_backon_async(&mut state)))),
    ("ten failures, async/tower", |times| {
        let mut state = 0;
        let mut service = tower_service(&mut state);
        for _ in 0..times {
            let _ = black_box(poll_once(tower::Service::call(&mut service, ())));
        }
    }),
];

/// A clock that is asked, and a sleep that does nothing.
#[derive(Clone, Copy, Debug)]
struct NoSleep;

impl Clock for NoSleep {
    type Instant = Instant;

    fn now(&self) -> Instant {
        Instant::now()
    }

    fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        to.saturating_duration_since(from)
    }
}

impl Sleep for NoSleep {
    fn sleep(&self, duration: Duration) {
        black_box(duration);
    }
}

impl AsyncSleep for NoSleep {
    fn sleep_async(&self, duration: Duration) -> impl Future<Output = ()> {
        black_box(duration);
        ready(())
    }
}

const ATTEMPTS: u32 = 20;

const POLICY: ExponentialBackoff =
    ExponentialBackoff::new().initial(INITIAL).max_delay(CAP).unlimited().max_attempts(ATTEMPTS).jitter(Jitter::Full);

#[inline(never)]
fn ten_bare(state: &mut u64) -> Result<u64, Failure> {
    for _ in 0..10 {
        let _ = black_box(eleventh(state));
    }
    eleventh(state)
}

#[inline(never)]
fn hand(state: &mut u64) -> Result<u64, Failure> {
    let mut delay = INITIAL_NANOS;
    let mut attempt = 1;
    loop {
        match eleventh(state) {
            Ok(value) => return Ok(value),
            Err(failure) if attempt >= ATTEMPTS => return Err(failure),
            Err(_) => {}
        }
        black_box(jittered(delay));
        delay = grown(delay);
        attempt += 1;
    }
}

#[inline(never)]
fn hand_best(state: &mut u64) -> Result<u64, Failure> {
    let mut delay = INITIAL_NANOS;
    let mut attempt = 1;
    loop {
        match eleventh(state) {
            Ok(value) => return Ok(value),
            Err(failure) if attempt >= ATTEMPTS => return Err(failure),
            Err(_) => {}
        }
        black_box(jittered_best(delay));
        delay = grown(delay);
        attempt += 1;
    }
}

/// What is seen more often, and costs more.
#[inline(never)]
fn hand_float(state: &mut u64) -> Result<u64, Failure> {
    let mut delay = INITIAL;
    let mut attempt = 1;
    loop {
        match eleventh(state) {
            Ok(value) => return Ok(value),
            Err(failure) if attempt >= ATTEMPTS => return Err(failure),
            Err(_) => {}
        }
        black_box(delay.mul_f64(fastrand::f64()));
        delay = delay.saturating_mul(2).min(CAP);
        attempt += 1;
    }
}

#[inline(never)]
#[exponential_backoff(policy = POLICY, waiter = ExponentialBackoff::new().time(NoSleep))]
fn attribute(state: &mut u64) -> Result<u64, Failure> {
    eleventh(state)
}

#[inline(never)]
fn waiter(state: &mut u64) -> Result<u64, backoff_core::RetryError<Failure>> {
    POLICY.time(NoSleep).retry(|| eleventh(state))
}

#[inline(never)]
fn by_hand(state: &mut u64) -> Result<u64, backoff_core::RetryError<Failure>> {
    let mut run = POLICY.time(NoSleep).start_blocking();
    loop {
        match eleventh(state) {
            Ok(value) => return Ok(value),
            Err(failure) => run.backoff(failure)?,
        }
    }
}

fn exponential() -> backon::ExponentialBuilder {
    backon::ExponentialBuilder::default().with_min_delay(INITIAL).with_max_delay(CAP).with_max_times(19).with_jitter()
}

#[inline(never)]
fn with_backon(state: &mut u64) -> Result<u64, Failure> {
    let nothing = |pause: Duration| {
        black_box(pause);
    };
    (|| eleventh(state)).retry(exponential()).sleep(nothing).call()
}

/// Its sleep is the thread's, which returns at once for a pause of zero.
#[inline(never)]
fn with_retry(state: &mut u64) -> Result<u64, retry::Error<Failure>> {
    let delays = retry::delay::Exponential::from_millis_with_factor(200, 2.0).map(retry::delay::jitter);
    let delays = delays.map(|pause| {
        black_box(pause.min(CAP));
        Duration::ZERO
    });
    retry::retry(delays.take(19), || eleventh(state))
}

#[inline(never)]
fn with_exponential_backoff(state: &mut u64) -> Result<u64, Failure> {
    for pause in exponential_backoff::Backoff::new(ATTEMPTS, INITIAL, Some(CAP)) {
        match (eleventh(state), pause) {
            (Ok(value), _) => return Ok(value),
            (Err(_), Some(pause)) => {
                black_box(pause);
            }
            (Err(failure), None) => return Err(failure),
        }
    }
    eleventh(state)
}

async fn eleventh_async(state: &mut u64) -> Result<u64, Failure> {
    eleventh(state)
}

async fn hand_async(state: &mut u64) -> Result<u64, Failure> {
    let mut delay = INITIAL_NANOS;
    let mut attempt = 1;
    loop {
        match eleventh_async(state).await {
            Ok(value) => return Ok(value),
            Err(failure) if attempt >= ATTEMPTS => return Err(failure),
            Err(_) => {}
        }
        ready(black_box(jittered(delay))).await;
        delay = grown(delay);
        attempt += 1;
    }
}

#[exponential_backoff(policy = POLICY, waiter = ExponentialBackoff::new().time(NoSleep))]
async fn attribute_async(state: &mut u64) -> Result<u64, Failure> {
    eleventh_async(state).await
}

async fn with_backon_async(state: &mut u64) -> Result<u64, Failure> {
    let cell = std::cell::Cell::from_mut(state);
    let operation = || async {
        let mut number = cell.get();
        let result = eleventh(&mut number);
        cell.set(number);
        result
    };
    operation
        .retry(exponential())
        .sleep(|pause| {
            black_box(pause);
            ready(())
        })
        .await
}

/// A policy as the documentation of tower writes one, with full jitter. Its backoff would sleep on tokio's timer.
#[derive(Clone)]
struct TowerPolicy {
    delay: u64,
    left: u32,
}

impl tower::retry::Policy<(), u64, Failure> for TowerPolicy {
    type Future = std::future::Ready<()>;

    fn retry(&mut self, (): &mut (), result: &mut Result<u64, Failure>) -> Option<Self::Future> {
        if result.is_ok() || self.left == 0 {
            return None;
        }
        self.left -= 1;
        black_box(jittered(self.delay));
        self.delay = grown(self.delay);
        Some(ready(()))
    }

    fn clone_request(&mut self, (): &()) -> Option<()> {
        Some(())
    }
}

fn tower_service(state: &mut u64) -> impl tower::Service<(), Response = u64, Error = Failure> {
    let cell = std::cell::Cell::from_mut(state);
    // tower clones the service for each retry.
    let service = tower::service_fn(move |()| async move {
        let mut number = cell.get();
        let result = eleventh(&mut number);
        cell.set(number);
        result
    });
    tower::retry::Retry::new(TowerPolicy { delay: INITIAL_NANOS, left: ATTEMPTS - 1 }, service)
}
