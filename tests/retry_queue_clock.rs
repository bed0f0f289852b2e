//! What a retry queue is told about attempts, and when it lets the next probe go.

mod support;

use std::task::{Context, Waker};
use std::time::Duration;

use backoff_core::guard::{Moment, RetryBudget, RetryQueue};
use backoff_core::testing::{Draws, VirtualTime};
use backoff_core::{ExponentialBackoff, Jitter, Reason};
use support::stopped::Stopped;
use support::{ms, unlimited};

/// A queue that lets no call sleep by itself: the first failure uses up its one token.
const fn lined() -> RetryQueue {
    RetryQueue::new().free(RetryBudget::new().max_tokens(1))
}

/// One attempt under the queue, and after how long the next probe may go.
fn attempt(queue: &RetryQueue, time: &VirtualTime, draws: &Draws, result: Result<(), ()>) -> Option<Duration> {
    let policy = ExponentialBackoff::new().initial(ms(100)).jitter(Jitter::Full).max_attempts(1);
    let ended = policy.time(time).random(draws.clone()).retry_queue(queue).retry(|| result);
    assert_eq!(ended.is_ok(), result.is_ok());
    queue.snapshot().next_probe.map(|probe| probe.since(Moment::of(time)))
}

#[test]
fn while_new_traffic_comes_a_probe_waits_for_three_of_its_pauses() {
    let (queue, time, draws) = (lined(), VirtualTime::new(), Draws::always(1.0));
    for _ in 0..3 {
        assert!(attempt(&queue, &time, &draws, Ok(())).is_some());
        time.pass(ms(200));
    }
    assert_eq!(attempt(&queue, &time, &draws, Err(())), Some(ms(600)));
}

#[test]
fn a_failure_draws_the_sleep_before_the_probe_though_nobody_waits_yet() {
    let (queue, time, draws) = (lined(), VirtualTime::new(), Draws::always(0.25));
    assert_eq!(attempt(&queue, &time, &draws, Err(())), Some(ms(25)));
    assert_eq!(draws.widths(), [100_000_000]);
}

#[test]
fn a_success_draws_only_if_someone_waits() {
    let (queue, time, draws) = (lined(), VirtualTime::new(), Draws::always(0.25));
    assert_eq!(attempt(&queue, &time, &draws, Ok(())), Some(ms(100)), "the longest that it could be");
    assert_eq!(draws.widths(), []);

    let waiter = unlimited().initial(ms(100)).time(&time).retry_queue(&queue);
    let mut waiting = Box::pin(waiter.retry_async(|| std::future::ready(Err::<(), _>(()))));
    assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert_eq!(queue.snapshot().waiting, 1);
    assert_eq!(attempt(&queue, &time, &draws, Ok(())), Some(ms(25)));
    assert_eq!(draws.widths(), [100_000_000]);
}

#[test]
fn a_call_in_line_goes_on_though_its_clock_stands_still() {
    let policy = ExponentialBackoff::new().initial(ms(100)).max_attempts(4);
    let (queue, clock) = (lined(), Stopped::default());
    let error = policy.time(&clock).retry_queue(&queue).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.reason(), error.attempts(), queue.snapshot().waiting), (Reason::Attempts, 4, 0));
}
