//! Very many at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use backoff_core::clock::Tokio;
use backoff_core::guard::{Circuit, CircuitBreaker, Moment, Pacer, RetryBudget, RetryQueue};
use backoff_core::{ExponentialBackoff, Jitter};

const RUNS: u32 = 100_000;

#[tokio::test(start_paused = true)]
async fn c11_a_hundred_thousand_runs_at_once_do_not_touch_each_other() {
    static BREAKER: CircuitBreaker = CircuitBreaker::new().failures(RUNS);
    let policy = ExponentialBackoff::new().initial(Duration::from_millis(100)).jitter(Jitter::Full).max_attempts(5);
    let attempts = Arc::new(AtomicU32::new(0));
    let tasks: Vec<_> = (0..RUNS)
        .map(|run| {
            let attempts = Arc::clone(&attempts);
            tokio::spawn(async move {
                let mut calls = 0;
                let waiter = policy.time(Tokio).breaker(&BREAKER);
                let result = waiter.retry_async(|| {
                    calls += 1;
                    attempts.fetch_add(1, Ordering::Relaxed);
                    // Run 0 fails never, 1 once, 2 twice, and every tenth for ever.
                    let answer = if run % 10 == 9 || calls <= run % 4 { Err(calls) } else { Ok(run) };
                    async move {
                        tokio::task::yield_now().await;
                        answer
                    }
                });
                result.await.map_err(|end| (end.attempts(), end.into_last()))
            })
        })
        .collect();
    let mut served = 0;
    for (run, task) in (0..RUNS).zip(tasks) {
        let result = task.await.expect("no panic");
        if run % 10 == 9 {
            assert_eq!(result, Err((5, Some(5))));
        } else {
            assert_eq!(result, Ok(run));
            served += 1;
        }
    }
    assert_eq!(served, 90_000);
    // 1, 2, 3 or 4 calls by turns, except for every tenth, which makes five.
    let calls: u32 = (0..RUNS).map(|run| if run % 10 == 9 { 5 } else { run % 4 + 1 }).sum();
    assert_eq!(attempts.load(Ordering::Relaxed), calls);
    let seen = BREAKER.snapshot(Moment::of(&Tokio));
    assert_eq!((seen.circuit, seen.probes), (Circuit::Closed, 0));
}

#[tokio::test(start_paused = true)]
async fn c10_ten_thousand_calls_that_wait_in_line_are_dropped_at_once() {
    static PACER: Pacer = Pacer::new().interval(Duration::from_secs(1));
    static QUEUE: RetryQueue = RetryQueue::new().free(RetryBudget::new().max_tokens(1));
    let policy = ExponentialBackoff::new().initial(Duration::from_secs(10)).unlimited();
    let in_pacer = |_| tokio::spawn(policy.time(Tokio).pacer(&PACER).retry_async(async || Err::<(), _>("down")));
    let in_queue = |_| tokio::spawn(policy.time(Tokio).retry_queue(&QUEUE).retry_async(async || Err::<(), _>("down")));
    let tasks: Vec<_> = (0..5_000).map(in_pacer).chain((0..5_000).map(in_queue)).collect();
    // So many are polled before this task is again.
    for _ in 0..10_000 / 50 {
        tokio::task::yield_now().await;
    }
    // The first in the pacer had its slot at once.
    assert_eq!((PACER.snapshot().waiting, QUEUE.snapshot().waiting), (4_999, 5_000));
    for task in tasks {
        task.abort();
        assert!(task.await.expect_err("it was dropped").is_cancelled());
    }
    assert_eq!((PACER.snapshot().waiting, QUEUE.snapshot().waiting), (0, 0));
}
