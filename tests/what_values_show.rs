//! What values print of themselves in a log: what they are at the moment, and no more.

use std::time::Duration;

use backoff_core::guard::{
    AdaptiveThrottle, CircuitBreaker, Moment, Now, Pacer, RetryBudget, RetryDeposits, RetryQueue, RetryQuota,
    RetryTokens as _,
};
use backoff_core::random::FromRng;
use backoff_core::testing::VirtualTime;
use backoff_core::waiter::{Guards, Unguarded};
use backoff_core::{CancelToken, ExponentialBackoff};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;

const ZERO: Now<'static> = &|| Moment::at(Duration::ZERO);

#[test]
fn a_breaker_shows_its_name_and_its_circuit() {
    let breaker = CircuitBreaker::new().name("billing").failures(1);
    assert_eq!(format!("{breaker:?}"), r#"CircuitBreaker { name: "billing", circuit: Closed, generation: 0, .. }"#);
    breaker.admit(ZERO).expect("it is closed").failed(ZERO);
    assert_eq!(format!("{breaker:?}"), r#"CircuitBreaker { name: "billing", circuit: Open, generation: 1, .. }"#);
}

#[test]
fn budgets_show_what_is_left() {
    let budget = RetryBudget::new();
    budget.failed(ZERO);
    assert!(budget.take(ZERO).is_some());
    let snapshot = "BudgetSnapshot { thousandths: 9000, max_thousandths: 10000, allowed: 1, refused: 0 }";
    assert_eq!(format!("{budget:?}"), format!("RetryBudget({snapshot})"));

    let quota = RetryQuota::new().capacity(12);
    assert!(quota.take(ZERO).is_some());
    assert_eq!(format!("{quota:?}"), "RetryQuota { left: 7, capacity: 12, .. }");
    assert_eq!(
        format!("{:?}", quota.at_cost(3)),
        "AtCost { quota: RetryQuota { left: 7, capacity: 12, .. }, cost: 3 }"
    );

    let deposits = RetryDeposits::new().ratio(0.25).ttl(Duration::from_secs(5));
    assert_eq!(format!("{deposits:?}"), "RetryDeposits { ratio: 250, ttl: 5s, .. }");
    assert_eq!(format!("{:?}", AdaptiveThrottle::new().requests_per_accept(1.5)), "AdaptiveThrottle { k: 1.5, .. }");
}

#[test]
fn queues_and_pacers_show_who_waits() {
    let free = "BudgetSnapshot { thousandths: 10000, max_thousandths: 10000, allowed: 0, refused: 0 }";
    let queue = format!("RetryQueue(QueueSnapshot {{ waiting: 0, next_probe: None, free: {free} }})");
    assert_eq!(format!("{:?}", RetryQueue::new()), queue);
    let pacer = Pacer::new().interval(Duration::from_millis(20));
    assert_eq!(
        format!("{pacer:?}"),
        "Pacer(PacerSnapshot { interval: 20ms, interval_millis: 20.0, waiting: 0, blocked_until: None })"
    );
}

#[test]
fn tokens_clocks_and_generators_show_little() {
    let token = CancelToken::new();
    assert_eq!(format!("{token:?}"), "CancelToken(false)");
    token.cancel();
    assert_eq!(format!("{token:?}"), "CancelToken(true)");
    let time = VirtualTime::new();
    time.pass(Duration::from_millis(1_500));
    assert_eq!(format!("{time:?}"), "VirtualTime { elapsed: 1.5s, .. }");
    assert_eq!(format!("{:?}", FromRng::new(SmallRng::seed_from_u64(1))), "FromRng { .. }");
}

#[test]
fn waiters_and_runs_show_their_policy_as_a_sentence() {
    let policy = ExponentialBackoff::new().max_attempts(4);
    let sentence = policy.to_string();
    assert_eq!(format!("{:?}", policy.time(VirtualTime::new())), format!("Waiter({sentence})"));
    let run = policy.time(VirtualTime::new()).start_blocking();
    assert_eq!(format!("{run:?}"), format!("BlockingLoop({sentence})"));
    let run = policy.time(VirtualTime::new()).start();
    assert_eq!(format!("{run:?}"), format!("AsyncLoop({sentence})"));
}

#[test]
fn guards_show_which_there_are() {
    let none = "Guards { breaker: None, pacer: None, queue: None, tokens: false, .. }";
    assert_eq!(format!("{:?}", Guards::default()), none);
    assert_eq!(format!("{:?}", Guards::from(Unguarded)), none);
}

#[test]
fn an_attempt_shows_its_number() {
    let mut seen = Vec::new();
    let policy = ExponentialBackoff::new().max_attempts(2);
    let result = policy.time(VirtualTime::new()).retry_with(|attempt| {
        seen.push(format!("{attempt:?}"));
        Err::<(), _>("down")
    });
    assert!(result.is_err());
    assert_eq!(seen, ["Attempt { number: 1, .. }", "Attempt { number: 2, .. }"]);
}
