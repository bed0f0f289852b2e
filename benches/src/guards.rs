//! What many runs share, asked once: each scenario is one question, with the way back where there is one.

use std::hint::black_box;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use backoff_core::guard::{CircuitBreaker, Moment, Pacer, RetryBudget, RetryTokens as _};
use tower::retry::budget::{Budget as _, TpsBudget};

use crate::Scenario;

pub(crate) const SCENARIOS: &[Scenario] = &[
    ("breaker/atomic load", |times| {
        static WORD: AtomicU32 = AtomicU32::new(0);
        for _ in 0..times {
            black_box(load(&WORD));
        }
    }),
    ("breaker/empty call", repeat!(breaker: CircuitBreaker::new() => nothing_asked(&breaker))),
    ("breaker/check", repeat!(breaker: CircuitBreaker::new() => check(&breaker))),
    ("breaker/check and success", repeat!(breaker: CircuitBreaker::new() => checked(&breaker))),
    ("breaker/failsafe", repeat!(breaker: failsafe::Config::new().build() => breaker.is_call_permitted())),
    ("retry budget, success/empty call", repeat!(budget: RetryBudget::new() => nothing_told(&budget))),
    ("retry budget, success/ours", repeat!(budget: RetryBudget::new() => earn(&budget))),
    ("retry budget, success/tower", repeat!(budget: TpsBudget::default() => budget.deposit())),
    ("retry budget, withdraw/empty call", repeat!(budget: RetryBudget::new() => nothing_asked(&budget))),
    ("retry budget, withdraw/ours", |times| {
        // Deep enough that nothing is refused.
        let budget = RetryBudget::new().max_tokens(1_000).cost(0.001);
        for _ in 0..times {
            black_box(withdraw(&budget));
        }
    }),
    ("retry budget, withdraw/tower", |times| {
        let budget = TpsBudget::new(Duration::from_secs(10), 1_000_000, 0.2);
        for _ in 0..times {
            black_box(budget.withdraw());
        }
    }),
    ("pacer/ours", |times| {
        let pacer = Pacer::new().min(Duration::from_micros(1)).interval(Duration::from_micros(1));
        let mut now = Moment::at(Duration::from_secs(1));
        for _ in 0..times {
            now = now.after(Duration::from_millis(1));
            black_box(pace(&pacer, now));
        }
    }),
    ("pacer/governor", |times| {
        use governor::{Quota, RateLimiter};
        let limiter = RateLimiter::direct_with_clock(
            Quota::per_second(std::num::NonZeroU32::MAX),
            governor::clock::FakeRelativeClock::default(),
        );
        for _ in 0..times {
            black_box(limiter.check().is_ok());
        }
    }),
];

#[inline(never)]
fn load(word: &AtomicU32) -> u32 {
    word.load(Relaxed)
}

/// What asking costs without the question: the call, the loop around it, and an answer that the compiler does not know to be one.
#[inline(never)]
fn nothing_asked<T>(_: &T) -> bool {
    black_box(());
    true
}

/// The same where nothing comes back.
#[inline(never)]
fn nothing_told<T>(_: &T) {
    black_box(());
}

#[inline(never)]
fn check(breaker: &CircuitBreaker) -> bool {
    breaker.admit(Moment::now).is_ok()
}

#[inline(never)]
fn checked(breaker: &CircuitBreaker) -> bool {
    match breaker.admit(Moment::now) {
        Ok(permit) => {
            permit.succeeded(Moment::now);
            true
        }
        Err(_) => false,
    }
}

#[inline(never)]
fn earn(budget: &RetryBudget) {
    budget.succeeded(None, &Moment::now);
}

#[inline(never)]
fn withdraw(budget: &RetryBudget) -> bool {
    budget.take(&Moment::now).is_some()
}

#[inline(never)]
fn pace(pacer: &Pacer, now: Moment) -> bool {
    pacer.try_reserve(now, 1).is_ok()
}
