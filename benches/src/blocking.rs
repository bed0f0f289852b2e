//! Blocking functions whose first attempt succeeds.
//!
//! The compiler puts each into the loop around it if it likes, as it does with a small function of a program. Only in the row
//! "called" it must not: there, what counts most is how many registers each saves.

use std::thread::sleep;
use std::time::{Duration, Instant};

use backoff_core::{ExponentialBackoff, Jitter, exponential_backoff};
use backon::BlockingRetryable as _;

use crate::Scenario;
use crate::operation::{ATTEMPTS, BUDGET, CAP, Failure, INITIAL, INITIAL_NANOS, Large, grown, jittered, large, small};

pub(crate) const SCENARIOS: &[Scenario] = &[
    ("blocking, 8 bytes/bare call", repeat!(state: 0 => bare(&mut state))),
    ("blocking, 8 bytes/hand-written", repeat!(state: 0 => hand(&mut state))),
    ("blocking, 8 bytes/attribute", repeat!(state: 0 => attribute(&mut state))),
    ("blocking, 8 bytes/waiter", repeat!(state: 0 => waiter(&mut state))),
    ("blocking, 8 bytes/by hand", repeat!(state: 0 => by_hand(&mut state))),
    ("blocking, 8 bytes/retry", repeat!(state: 0 => with_retry(&mut state))),
    ("blocking, 8 bytes/backon", repeat!(state: 0 => with_backon(&mut state))),
    ("blocking, 8 bytes/backon-macros", repeat!(state: 0 => with_backon_macros(&mut state))),
    ("blocking, 8 bytes/backoff", repeat!(state: 0 => with_backoff(&mut state))),
    ("blocking, 8 bytes/exponential-backoff", repeat!(state: 0 => with_exponential_backoff(&mut state))),
    ("blocking, 256 bytes/bare call", repeat!(state: 0 => bare_large(&mut state))),
    ("blocking, 256 bytes/hand-written", repeat!(state: 0 => hand_large(&mut state))),
    ("blocking, 256 bytes/attribute", repeat!(state: 0 => attribute_large(&mut state))),
    ("blocking, 256 bytes/backon", repeat!(state: 0 => with_backon_large(&mut state))),
    ("blocking, 256 bytes/retry", repeat!(state: 0 => with_retry_large(&mut state))),
    ("blocking, budget/hand-written", repeat!(state: 0 => hand_budget(&mut state))),
    ("blocking, budget/attribute", repeat!(state: 0 => attribute_budget(&mut state))),
    ("blocking, budget/waiter", repeat!(state: 0 => waiter_budget(&mut state))),
    ("blocking, budget/by hand", repeat!(state: 0 => by_hand_budget(&mut state))),
    ("blocking, budget/backoff", repeat!(state: 0 => with_backoff_budget(&mut state))),
    ("blocking, called/bare call", repeat!(state: 0 => called_bare(&mut state))),
    ("blocking, called/hand-written", repeat!(state: 0 => called_hand(&mut state))),
    ("blocking, called/attribute", repeat!(state: 0 => called_attribute(&mut state))),
    ("blocking, inlined/bare call", repeat!(state: 0 => inlined_bare(&mut state))),
    ("blocking, inlined/hand-written", repeat!(state: 0 => inlined_hand(&mut state))),
    ("blocking, inlined/attribute", repeat!(state: 0 => inlined_attribute(&mut state))),
];

#[inline]
fn bare(state: &mut u64) -> Result<u64, Failure> {
    small(state)
}

/// Bounded attempts, a cap, full jitter under it, and the failure dropped before the sleep.
#[inline]
fn hand(state: &mut u64) -> Result<u64, Failure> {
    let mut delay = INITIAL_NANOS;
    let mut attempt = 1;
    loop {
        match small(state) {
            Ok(value) => return Ok(value),
            Err(failure) if attempt >= ATTEMPTS => return Err(failure),
            Err(_) => {}
        }
        sleep(jittered(delay));
        delay = grown(delay);
        attempt += 1;
    }
}

#[inline]
#[exponential_backoff(initial = "200ms", max_delay = "10s", budget = "unlimited", max_attempts = 4, jitter = "full")]
fn attribute(state: &mut u64) -> Result<u64, Failure> {
    small(state)
}

const BOUNDED: ExponentialBackoff =
    ExponentialBackoff::new().initial(INITIAL).max_delay(CAP).unlimited().max_attempts(ATTEMPTS).jitter(Jitter::Full);

/// The waiter reads the clock: its error says how long the run took.
#[inline]
fn waiter(state: &mut u64) -> Result<u64, backoff_core::RetryError<Failure>> {
    BOUNDED.retry(|| small(state))
}

#[inline]
fn by_hand(state: &mut u64) -> Result<u64, backoff_core::RetryError<Failure>> {
    let mut run = BOUNDED.start_blocking();
    loop {
        match small(state) {
            Ok(value) => return Ok(value),
            Err(failure) => run.backoff(failure)?,
        }
    }
}

fn exponential() -> backon::ExponentialBuilder {
    backon::ExponentialBuilder::default().with_min_delay(INITIAL).with_max_delay(CAP).with_max_times(3).with_jitter()
}

#[inline]
fn with_backon(state: &mut u64) -> Result<u64, Failure> {
    (|| small(state)).retry(exponential()).sleep(sleep).call()
}

#[inline]
fn with_backon_macros(state: &mut u64) -> Result<u64, Failure> {
    // The attribute takes `&self` and shared references only.
    let cell = std::cell::Cell::from_mut(state);
    through_backon_macros(cell)
}

#[backon_macros::backon(backoff = exponential, sleep = sleep)]
fn through_backon_macros(state: &std::cell::Cell<u64>) -> Result<u64, Failure> {
    let mut number = state.get();
    let result = small(&mut number);
    state.set(number);
    result
}

#[inline]
fn with_retry(state: &mut u64) -> Result<u64, retry::Error<Failure>> {
    let delays = retry::delay::Exponential::from_millis_with_factor(200, 2.0).map(capped).map(retry::delay::jitter);
    retry::retry(delays.take(3), || small(state))
}

fn capped(delay: Duration) -> Duration {
    delay.min(CAP)
}

fn backoff_policy(budget: Option<Duration>) -> backoff::ExponentialBackoff {
    backoff::ExponentialBackoff {
        current_interval: INITIAL,
        initial_interval: INITIAL,
        multiplier: 2.0,
        max_interval: CAP,
        max_elapsed_time: budget,
        ..backoff::ExponentialBackoff::default()
    }
}

#[inline]
fn with_backoff(state: &mut u64) -> Result<u64, backoff::Error<Failure>> {
    backoff::retry(backoff_policy(None), || small(state).map_err(backoff::Error::transient))
}

#[inline]
fn with_exponential_backoff(state: &mut u64) -> Result<u64, Failure> {
    for pause in exponential_backoff::Backoff::new(ATTEMPTS, INITIAL, Some(CAP)) {
        match (small(state), pause) {
            (Ok(value), _) => return Ok(value),
            (Err(_), Some(pause)) => sleep(pause),
            (Err(failure), None) => return Err(failure),
        }
    }
    small(state)
}

#[inline]
fn bare_large(state: &mut u64) -> Result<Large, Failure> {
    large(state)
}

/// Tests the result where it is, so that nothing is copied.
#[inline]
fn hand_large(state: &mut u64) -> Result<Large, Failure> {
    let mut delay = INITIAL_NANOS;
    let mut attempt = 1;
    loop {
        let result = large(state);
        if result.is_ok() || attempt >= ATTEMPTS {
            return result;
        }
        sleep(jittered(delay));
        delay = grown(delay);
        attempt += 1;
    }
}

#[inline]
#[exponential_backoff(initial = "200ms", max_delay = "10s", budget = "unlimited", max_attempts = 4, jitter = "full")]
fn attribute_large(state: &mut u64) -> Result<Large, Failure> {
    large(state)
}

#[inline]
fn with_backon_large(state: &mut u64) -> Result<Large, Failure> {
    (|| large(state)).retry(exponential()).sleep(sleep).call()
}

#[inline]
fn with_retry_large(state: &mut u64) -> Result<Large, retry::Error<Failure>> {
    let delays = retry::delay::Exponential::from_millis_with_factor(200, 2.0).map(capped).map(retry::delay::jitter);
    retry::retry(delays.take(3), || large(state))
}

/// A budget that counts the attempts too, and a last sleep that is cut to fit.
#[inline]
fn hand_budget(state: &mut u64) -> Result<u64, Failure> {
    let start = Instant::now();
    let mut delay = INITIAL;
    let mut is_last = false;
    loop {
        let result = small(state);
        if result.is_ok() || is_last {
            return result;
        }
        let remaining = BUDGET.saturating_sub(start.elapsed());
        if remaining.is_zero() {
            return result;
        }
        is_last = delay >= remaining;
        sleep(delay.min(remaining));
        delay = delay.saturating_mul(2);
    }
}

#[inline]
#[exponential_backoff(initial = "200ms", budget = "3.5s")]
fn attribute_budget(state: &mut u64) -> Result<u64, Failure> {
    small(state)
}

const BUDGETED: ExponentialBackoff = ExponentialBackoff::new().initial(INITIAL).budget(BUDGET);

#[inline]
fn waiter_budget(state: &mut u64) -> Result<u64, backoff_core::RetryError<Failure>> {
    BUDGETED.retry(|| small(state))
}

#[inline]
fn by_hand_budget(state: &mut u64) -> Result<u64, backoff_core::RetryError<Failure>> {
    let mut run = BUDGETED.start_blocking();
    loop {
        match small(state) {
            Ok(value) => return Ok(value),
            Err(failure) => run.backoff(failure)?,
        }
    }
}

#[inline]
fn with_backoff_budget(state: &mut u64) -> Result<u64, backoff::Error<Failure>> {
    backoff::retry(backoff_policy(Some(BUDGET)), || small(state).map_err(backoff::Error::transient))
}

#[inline(never)]
fn called_bare(state: &mut u64) -> Result<u64, Failure> {
    bare(state)
}

#[inline(never)]
fn called_hand(state: &mut u64) -> Result<u64, Failure> {
    hand(state)
}

#[inline(never)]
fn called_attribute(state: &mut u64) -> Result<u64, Failure> {
    attribute(state)
}

/// An operation that the compiler can put into its caller.
#[inline]
fn tiny(state: &mut u64) -> Result<u64, Failure> {
    *state = state.wrapping_add(1);
    if *state == 0 { Err(Failure(1)) } else { Ok(*state) }
}

#[inline]
fn inlined_bare(state: &mut u64) -> Result<u64, Failure> {
    tiny(state)
}

#[inline]
fn inlined_hand(state: &mut u64) -> Result<u64, Failure> {
    let mut delay = INITIAL_NANOS;
    let mut attempt = 1;
    loop {
        match tiny(state) {
            Ok(value) => return Ok(value),
            Err(failure) if attempt >= ATTEMPTS => return Err(failure),
            Err(_) => {}
        }
        sleep(jittered(delay));
        delay = grown(delay);
        attempt += 1;
    }
}

#[inline]
#[exponential_backoff(initial = "200ms", max_delay = "10s", budget = "unlimited", max_attempts = 4, jitter = "full")]
fn inlined_attribute(state: &mut u64) -> Result<u64, Failure> {
    tiny(state)
}
