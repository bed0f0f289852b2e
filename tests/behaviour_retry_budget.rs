//! TB: retry budgets and pacers.

mod support;

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use backoff_core::guard::{
    AdaptiveThrottle, Moment, Now, Pacer, Patient, RetryBudget, RetryDeposits, RetryQuota, RetryTokens, Taken,
};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, RetryError, exponential_backoff};
use support::stopped::Stopped;
use support::{all_ms, block_on, ms, secs, unlimited};

const ZERO: Now<'static> = &|| Moment::at(Duration::ZERO);

/// A run that always fails: how often it called, and why it ended.
fn fails(policy: ExponentialBackoff, tokens: &dyn RetryTokens) -> (u32, RetryError<&'static str>) {
    let mut calls = 0;
    let result = policy.time(VirtualTime::new()).retry_budget(tokens).retry(|| {
        calls += 1;
        Err::<(), _>("down")
    });
    (calls, result.unwrap_err())
}

#[test]
fn tb_01_those_who_wait_are_served_by_the_new_rate() {
    // One call each two seconds and no burst; fifty callers at once; at two seconds the rate becomes ten a second.
    let time = VirtualTime::new();
    let pacer: &'static Pacer = Box::leak(Box::new(Pacer::new().interval(secs(2))));
    assert!(pacer.reserve(&time, 1, None).is_some(), "the first is there at once");
    time.at(secs(2), move || pacer.set_interval(ms(100)));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut starts = runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..50 {
            let time = time.clone();
            tasks.spawn(async move {
                let _ = pacer.reserve_async(&time, 1, None).await.expect("nothing ends the wait");
                time.elapsed()
            });
        }
        tasks.join_all().await
    });
    starts.sort();
    let right: Vec<_> = (0..50).map(|call| secs(2) + ms(100) * call).collect();
    assert_eq!(starts, right);
    assert_eq!(starts.last(), Some(&ms(6_900)));
    assert_eq!(pacer.snapshot().waiting, 0);
}

#[test]
fn tb_03_a_quota_is_shared_by_all_runs() {
    let quota = RetryQuota::new();
    for run in 1..=50 {
        let (calls, error) = fails(unlimited().max_attempts(3), &quota);
        assert_eq!((calls, error.reason()), (3, Reason::Attempts), "run {run}");
    }
    assert_eq!(quota.left(), 0);
    let (calls, error) = fails(unlimited().max_attempts(3), &quota);
    assert_eq!((calls, error.reason(), error.last()), (1, Reason::RetryBudget, Some(&"down")));
    assert_eq!((error.attempts(), error.slept()), (1, Duration::ZERO), "a refusal never waits");
}

#[test]
fn tb_05_tokens_are_exact_and_never_nan() {
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.1, 0.0, 0.000_4, 0.100_05, 1_000.001, 1e300] {
        let error = RetryBudget::new().try_ratio(wrong).unwrap_err();
        assert_eq!(error.to_string(), "`ratio` of a retry budget must be from 0.001 to 1,000, in steps of 0.001");
        assert!(RetryBudget::new().try_cost(wrong).is_err());
    }
    let budget = RetryBudget::new();
    (0..3).for_each(|_| budget.failed(ZERO));
    (0..10).for_each(|_| budget.succeeded(None, ZERO));
    assert_eq!(budget.snapshot().thousandths, 8_000, "ten times a tenth is one token");
}

#[test]
fn tb_06_time_that_was_waited_for_tokens_is_not_counted_twice() {
    // One a second and a burst of ten; two are left at the start.
    let time = VirtualTime::new();
    let pacer = Pacer::new().interval(secs(1)).burst(10);
    let _ = pacer.reserve(&time, 8, None).unwrap();
    let _ = pacer.reserve(&time, 5, None).unwrap();
    assert_eq!(time.elapsed(), secs(3));
    let _ = pacer.reserve(&time, 1, None).unwrap();
    assert_eq!(time.elapsed(), secs(4));
}

#[test]
fn tb_08_a_share_is_not_truncated() {
    for (ratio, right) in [(0.6, 6), (0.4, 4), (0.9, 9), (0.1, 1), (0.0, 0), (1.0, 10)] {
        let deposits = RetryDeposits::new().try_ratio(ratio).unwrap().reserve(0);
        (0..10).for_each(|_| deposits.began(ZERO));
        assert_eq!((0..10).filter(|_| deposits.take(ZERO).is_some()).count(), right, "{ratio}");
    }
}

#[test]
fn tb_10_the_ends_of_a_range_belong_to_it() {
    let tried = [0, 1, 1_000, 1_001].map(|tokens| RetryBudget::new().try_max_tokens(tokens).is_ok());
    assert_eq!(tried, [false, true, true, false]);
    let error = RetryBudget::new().try_max_tokens(1_001).unwrap_err();
    assert_eq!(error.to_string(), "`max_tokens` of a retry budget must be from 1 to 1,000");
}

/// Refuses the first few retries.
struct Throttler(AtomicU32);

impl RetryTokens for Throttler {
    fn take(&self, _: Now<'_>) -> Option<Taken> {
        let deny = |left: u32| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, deny).is_err().then_some(Taken(0))
    }
}

#[test]
fn tb_11_a_throttled_retry_is_no_attempt() {
    let policy = unlimited().initial(ms(100)).max_delay(ms(100)).max_attempts(2);
    let throttler = Patient(Throttler(AtomicU32::new(3)));
    let time = VirtualTime::new();
    let mut results = [Err("down"), Ok(7)].into_iter();
    let result = policy.time(&time).retry_budget(&throttler).retry(|| results.next().unwrap());
    assert_eq!((result, time.sleeps()), (Ok(7), all_ms([100; 4])));

    let throttler = Patient(Throttler(AtomicU32::new(3)));
    let time = VirtualTime::new();
    let mut results = [Err("down"), Ok(7)].into_iter();
    let waiter = policy.time(&time).retry_budget(&throttler);
    let result = block_on(waiter.retry_async(|| std::future::ready(results.next().unwrap())));
    assert_eq!((result, time.sleeps()), (Ok(7), all_ms([100; 4])));

    // The budget bounds the waits.
    let (calls, error) = fails(policy.budget(ms(250)), &Patient(Throttler(AtomicU32::new(u32::MAX))));
    assert_eq!((calls, error.reason(), error.attempts()), (1, Reason::Budget, 1));
    assert_eq!((error.elapsed(), error.slept(), error.last()), (ms(200), ms(200), Some(&"down")));
}

#[test]
fn a_patient_run_ends_even_if_the_clock_stands_still() {
    let (clock, throttler) = (Stopped::default(), Patient(Throttler(AtomicU32::new(u32::MAX))));
    let policy = ExponentialBackoff::new().initial(ms(100)).budget(ms(1_000));
    let error = policy.time(&clock).retry_budget(&throttler).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.reason(), error.attempts(), clock.0.get()), (Reason::Budget, 1, 10));
}

#[test]
fn ne_01_nested_runs_share_one_budget() {
    let quota = RetryQuota::new().capacity(4).cost(1);
    let time = VirtualTime::new();
    let calls = Cell::new(0);
    let error = unlimited()
        .max_attempts(4)
        .time(&time)
        .retry_budget(&quota)
        .retry(|| {
            unlimited().max_attempts(3).time(&time).retry_budget(&quota).retry(|| {
                calls.set(calls.get() + 1);
                Err::<(), _>("down")
            })
        })
        .unwrap_err();
    assert_eq!((calls.get(), error.reason()), (5, Reason::RetryBudget));
    assert_eq!(error.into_last().map(|inner| inner.reason()), Some(Reason::RetryBudget));
}

#[test]
fn in_a_full_outage_retries_stay_within_the_ratio() {
    let budget = RetryBudget::new();
    let attempts: u32 = (0..1_000).map(|_| fails(unlimited().max_attempts(4), &budget).0).sum();
    // 9, 8 and 7 tokens are left when the first run asks, 6 when it ends, 5 when the second asks: no more than half.
    assert_eq!(attempts - 1_000, 3);
    let seen = budget.snapshot();
    assert_eq!((seen.thousandths, seen.allowed, seen.refused), (0, 3, 999));

    // Every tenth run succeeds, and earns a tenth of what each of the nine others costs.
    let budget = RetryBudget::new();
    let mut extra = 0;
    for run in 0..10_000 {
        let mut calls = 0;
        let _ = unlimited().max_attempts(4).time(VirtualTime::new()).retry_budget(&budget).retry(|| {
            calls += 1;
            if run % 10 == 0 { Ok(()) } else { Err(()) }
        });
        extra += calls - 1;
    }
    assert_eq!(extra, 3);
}

#[test]
fn sixteen_threads_stay_within_the_ratio_too() {
    let budget = RetryBudget::new().max_tokens(1_000).ratio(0.1);
    let (calls, successes) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for thread in 0..16_u32 {
            let (budget, calls, successes) = (&budget, &calls, &successes);
            scope.spawn(move || {
                for run in 0..2_000 {
                    let _ = unlimited().max_attempts(4).time(VirtualTime::new()).retry_budget(budget).retry(|| {
                        calls.fetch_add(1, Ordering::Relaxed);
                        if (run + thread) % 4 == 0 {
                            successes.fetch_add(1, Ordering::Relaxed);
                            return Ok(());
                        }
                        Err(())
                    });
                }
            });
        }
    });
    let (runs, calls, successes) = (32_000, calls.into_inner(), successes.into_inner());
    let retries = f64::from(calls - runs);
    let most = 500.0 + 0.1 * f64::from(successes);
    assert!(retries <= most * 1.01, "{retries} retries, {most} allowed");
    assert_eq!(budget.snapshot().allowed, calls - runs);
}

#[test]
fn a_success_at_full_tokens_changes_nothing_and_tokens_never_exceed_the_most() {
    let budget = RetryBudget::new().max_tokens(2).ratio(1_000.0);
    budget.succeeded(None, ZERO);
    assert_eq!(budget.snapshot().thousandths, 2_000);
    budget.failed(ZERO);
    budget.succeeded(None, ZERO);
    assert_eq!(budget.snapshot().thousandths, 2_000);
    (0..10).for_each(|_| budget.failed(ZERO));
    assert_eq!(budget.snapshot().thousandths, 0);
}

#[test]
fn a_retry_that_is_not_made_gives_back_what_it_took() {
    let quota = RetryQuota::new();
    let time = VirtualTime::new();
    let waiter = unlimited().time(&time).retry_budget(&quota);
    let mut run = Box::pin(waiter.retry_async(|| std::future::ready(Err::<(), _>("down"))));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(run.as_mut().poll(&mut context).is_pending(), "it sleeps before the second attempt");
    assert_eq!(quota.left(), 495);
    drop(run);
    assert_eq!(quota.left(), 500);

    // One that was made is paid for, even if the run is dropped in the next sleep.
    let waiter = unlimited().time(&time).retry_budget(&quota);
    let mut run = Box::pin(waiter.retry_async(|| std::future::ready(Err::<(), _>("down"))));
    while quota.left() > 490 {
        assert!(run.as_mut().poll(&mut context).is_pending());
    }
    drop(run);
    assert_eq!(quota.left(), 495);
}

#[test]
fn a_permanent_failure_costs_nothing() {
    let budget = RetryBudget::new();
    let error = unlimited().when(|_: &&str| false).retry_budget(&budget).retry(|| Err::<(), _>("bad")).unwrap_err();
    assert_eq!((error.reason(), budget.snapshot().thousandths), (Reason::NotRetryable, 10_000));
}

#[test]
fn the_last_attempt_costs_even_if_nobody_asks_for_a_retry() {
    let budget = RetryBudget::new();
    let (_, error) = fails(unlimited().max_attempts(1), &budget);
    let seen = budget.snapshot();
    assert_eq!((error.reason(), seen.thousandths, seen.refused), (Reason::Attempts, 9_000, 0));
}

struct Client {
    tokens: RetryBudget,
    calls: Cell<u32>,
}

impl Client {
    #[exponential_backoff(retry_budget = self.tokens, exhausted = |end| Err(end.reason()))]
    fn blocking(&self) -> Result<(), Reason> {
        self.calls.set(self.calls.get() + 1);
        Err(Reason::Cancelled)
    }

    #[exponential_backoff(retry_budget = self.tokens, exhausted = |end| Err(end.reason()))]
    async fn asynchronous(&self) -> Result<(), Reason> {
        self.calls.set(self.calls.get() + 1);
        Err(Reason::Cancelled)
    }
}

#[test]
fn annotated_methods_share_the_tokens_of_their_client() {
    let time = VirtualTime::new();
    let _guard = time.enter();
    let client = Client { tokens: RetryBudget::new(), calls: Cell::new(0) };
    assert_eq!(client.blocking(), Err(Reason::RetryBudget));
    assert_eq!(client.calls.get(), 5);
    assert_eq!(block_on(time.scope(client.asynchronous())), Err(Reason::RetryBudget));
    assert_eq!(client.calls.get(), 6);
    assert_eq!(time.sleeps(), all_ms([200, 400, 800, 1_600]));
}

#[test]
fn an_adaptive_throttle_refuses_its_share_evenly() {
    let throttle = AdaptiveThrottle::new();
    (0..100).for_each(|_| throttle.began(ZERO));
    (0..20).for_each(|_| throttle.succeeded(None, ZERO));
    let allowed: Vec<_> = (0..10).map(|_| throttle.take(ZERO).is_some()).collect();
    // (100 - 2 * 20) / 101 and rising: 0.59, 1.19, 1.79, 2.40, 3.00..
    assert_eq!(allowed, [true, false, true, false, false, true, false, true, false, false]);
    let later: Now<'_> = &|| Moment::at(secs(121));
    assert!(throttle.take(later).is_some(), "after two minutes it is forgotten");
}
