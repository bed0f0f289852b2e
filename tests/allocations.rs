//! What a run costs: no allocation at all, no draw and one look at the clock without a failure, and one more of each for
//! every failure.

mod support;

use std::cell::Cell;
use std::time::Duration;

use allocation_counter::measure;
use backoff_core::clock::{AsyncSleep, Clock, Sleep};
use backoff_core::event::Retry;
use backoff_core::guard::{CircuitBreaker, RetryBudget, RetryQuota};
use backoff_core::random::Random;
use backoff_core::{CancelToken, ExponentialBackoff, Jitter, Reason};
use support::{block_on, ms, secs, us};

const POLICY: ExponentialBackoff =
    ExponentialBackoff::new().initial(ms(1)).max_delay(secs(1)).jitter(Jitter::Full).max_attempts(10);

/// A clock, its sleep and a source of draws that count how often they are asked.
#[derive(Default)]
struct Counting {
    now: Cell<Duration>,
    readings: Cell<u32>,
    sleeps: Cell<u32>,
    draws: Cell<u32>,
}

#[derive(Debug, PartialEq)]
struct Asked {
    readings: u32,
    sleeps: u32,
    draws: u32,
}

impl Counting {
    fn asked(&self) -> Asked {
        Asked { readings: self.readings.get(), sleeps: self.sleeps.get(), draws: self.draws.get() }
    }
}

fn count(counter: &Cell<u32>) {
    counter.set(counter.get() + 1);
}

impl Clock for Counting {
    type Instant = Duration;

    fn now(&self) -> Duration {
        count(&self.readings);
        self.now.get()
    }

    fn elapsed(&self, from: Duration, to: Duration) -> Duration {
        to.saturating_sub(from)
    }
}

impl Sleep for Counting {
    fn sleep(&self, duration: Duration) {
        count(&self.sleeps);
        self.now.set(self.now.get() + duration);
    }

    fn sleep_unless(&self, duration: Duration, _: &CancelToken) {
        self.sleep(duration);
    }
}

impl AsyncSleep for Counting {
    async fn sleep_async(&self, duration: Duration) {
        self.sleep(duration);
    }
}

impl Random for Counting {
    fn next_u64(&self) -> u64 {
        count(&self.draws);
        1 << 63
    }
}

/// Calls `f`, which must not allocate, with something that counts the rest.
fn without_allocation(f: impl FnOnce(&Counting)) -> Asked {
    let counting = Counting::default();
    let allocated = measure(|| f(&counting));
    assert_eq!(allocated.count_total, 0, "{allocated:?}");
    counting.asked()
}

const ONE_SUCCESS: Asked = Asked { readings: 1, sleeps: 0, draws: 0 };
/// Ten attempts: the start and ten failures, nine sleeps.
const TEN_FAILURES: Asked = Asked { readings: 11, sleeps: 9, draws: 9 };

#[test]
fn an_allocation_would_be_counted() {
    assert_eq!(measure(|| drop(Box::new(7))).count_total, 1);
}

#[test]
fn a_success_at_once_costs_one_reading_of_the_clock() {
    let asked = without_allocation(|c| assert_eq!(POLICY.time(c).random(c).retry(|| Ok::<_, &str>(7)), Ok(7)));
    assert_eq!(asked, ONE_SUCCESS);
    let asked = without_allocation(|c| assert_eq!(POLICY.time(c).random(c).wait(|| Some(7)), Ok(7)));
    assert_eq!(asked, ONE_SUCCESS);
    let asked = without_allocation(|c| assert_eq!(POLICY.time(c).random(c).until(|n| *n == 7).retry(|| 7), Ok(7)));
    assert_eq!(asked, ONE_SUCCESS);
    let asked = without_allocation(|c| {
        let run = POLICY.time(c).random(c).retry_async(async || Ok::<_, &str>(7));
        assert_eq!(block_on(run), Ok(7));
    });
    assert_eq!(asked, ONE_SUCCESS);
}

#[test]
fn retries_allocate_nothing() {
    let asked = without_allocation(|c| {
        let error = POLICY.time(c).random(c).retry(|| Err::<(), _>("down")).unwrap_err();
        assert_eq!((error.reason(), error.attempts(), error.into_last()), (Reason::Attempts, 10, Some("down")));
    });
    assert_eq!(asked, TEN_FAILURES);
}

#[test]
fn a_loop_by_hand_allocates_nothing() {
    let asked = without_allocation(|c| {
        let mut run = POLICY.time(c).random(c).start_blocking();
        let error = loop {
            if let Err(error) = run.backoff("down") {
                break error;
            }
        };
        assert_eq!(error.attempts(), 10);
    });
    assert_eq!(asked, TEN_FAILURES);
}

#[test]
fn async_retries_allocate_nothing() {
    let asked = without_allocation(|c| {
        let run = POLICY.time(c).random(c).retry_async(async || Err::<(), _>("down"));
        assert_eq!(block_on(run).unwrap_err().attempts(), 10);
    });
    assert_eq!(asked, TEN_FAILURES);
    let asked = without_allocation(|c| {
        let run = async {
            let mut run = POLICY.time(c).random(c).start();
            loop {
                if let Err(error) = run.backoff("down").await {
                    break error;
                }
            }
        };
        assert_eq!(block_on(run).attempts(), 10);
    });
    assert_eq!(asked, TEN_FAILURES);
}

#[test]
fn predicates_hints_hooks_and_tokens_allocate_nothing() {
    let token = CancelToken::new();
    let asked = without_allocation(|c| {
        let mut retries = 0;
        let error = POLICY
            .budget(secs(60))
            .time(c)
            .random(c)
            .when(|failure: &&str| *failure == "down")
            .hint(|_: &&str| Some(us(10)))
            .on_retry(|_: &Retry<'_, &str>| retries += 1)
            .cancel(&token)
            .retry(|| Err::<(), _>("down"))
            .unwrap_err();
        assert_eq!((error.attempts(), retries), (10, 9));
    });
    assert_eq!(asked, TEN_FAILURES);
}

#[test]
fn the_last_spread_sleep_is_drawn_twice_and_one_without_jitter_never() {
    let one_sleep = ExponentialBackoff::new().budget(ms(100));
    let asked = without_allocation(|c| {
        // The draw of half the delay reaches the end, and the spread is drawn afresh.
        assert!(one_sleep.jitter(Jitter::Full).time(c).random(c).wait(|| None::<()>).is_err());
    });
    assert_eq!(asked, Asked { readings: 3, sleeps: 1, draws: 2 });
    let asked = without_allocation(|c| assert!(one_sleep.time(c).random(c).wait(|| None::<()>).is_err()));
    assert_eq!(asked, Asked { readings: 3, sleeps: 1, draws: 0 });
}

#[test]
fn the_default_time_and_randomness_allocate_nothing_either() {
    let policy = ExponentialBackoff::new().initial(us(1)).jitter(Jitter::Full).max_attempts(5);
    let allocated = measure(|| assert_eq!(policy.retry(|| Err::<(), _>("down")).unwrap_err().attempts(), 5));
    assert_eq!(allocated.count_total, 0, "{allocated:?}");
}

#[test]
fn a_closed_breaker_and_a_full_budget_cost_no_reading_no_draw_and_no_allocation() {
    let (breaker, budget) = (CircuitBreaker::new(), RetryBudget::new());
    let asked = without_allocation(|time| {
        let waiter = POLICY.unlimited().time(time).random(time).breaker(&breaker).retry_budget(&budget);
        assert_eq!(waiter.retry(|| Ok::<_, ()>(7)), Ok(7));
    });
    assert_eq!(asked, ONE_SUCCESS, "as without guards");
    // Nor do failures allocate.
    let quota = RetryQuota::new();
    let asked = without_allocation(|time| {
        let waiter = POLICY.time(time).random(time).breaker(&breaker).retry_budget(&quota);
        assert_eq!(waiter.retry(|| Err::<(), _>(7)).unwrap_err().attempts(), 10);
    });
    assert_eq!((asked.sleeps, asked.draws), (9, 9));
}
