//! The server asks for 10 s. The formula says 10 ms, the whole run may take 1 s.

use std::time::Duration;

use backoff_compare::{Log, TokioClock, ms, secs};
use backoff_core::{ExponentialBackoff, Reason};
use backon::{ExponentialBuilder, Retryable as _};
use tokio_retry2::strategy::FixedInterval;

const HINT: Duration = secs(10);

#[tokio::test(start_paused = true)]
async fn ours_gives_up_at_once_with_the_hint_in_the_error() {
    let log = Log::default();
    let busy = || async {
        log.attempt();
        Err::<(), _>(HINT)
    };
    let policy = ExponentialBackoff::new().initial(ms(10)).budget(secs(1));
    let end = policy.hint(|hint: &Duration| *hint).retry_async(busy).await.unwrap_err();
    assert_eq!((end.reason(), end.hint(), log.starts()), (Reason::Hint, Some(HINT), vec![0]));
    // with a budget that has room for it, it is obeyed
    let log = Log::default();
    let busy = || async {
        log.attempt();
        Err::<(), _>(HINT)
    };
    let policy = policy.budget(secs(60)).max_attempts(3);
    let end = policy.hint(|hint: &Duration| *hint).retry_async(busy).await.unwrap_err();
    assert_eq!((end.reason(), log.starts()), (Reason::Attempts, vec![0, 10_000, 20_000]));
}

#[tokio::test(start_paused = true)]
async fn backon_obeys_a_hint_and_forgets_its_total_delay() {
    let log = Log::default();
    let busy = || async {
        log.attempt();
        Err::<(), _>(HINT)
    };
    let policy = ExponentialBuilder::new().with_min_delay(ms(10)).with_max_times(3).with_total_delay(Some(secs(1)));
    let end = busy.retry(policy).adjust(|hint: &Duration, next| next.map(|_| *hint)).await;
    assert!(end.is_err());
    assert_eq!(log.starts(), [0, 10_000, 20_000, 30_000]);
}

#[tokio::test(start_paused = true)]
async fn backoff_0_4_obeys_a_hint_and_forgets_its_limit() {
    let log = Log::default();
    let busy = || async {
        log.attempt();
        match log.starts().len() {
            5 => Ok(()),
            _ => Err(backoff::Error::retry_after("busy", HINT)),
        }
    };
    let policy = backoff::exponential::ExponentialBackoff::<TokioClock> {
        max_elapsed_time: Some(secs(1)),
        ..Default::default()
    };
    assert!(backoff::future::retry(policy, busy).await.is_ok());
    assert_eq!(log.now(), 40_000);
}

#[tokio::test(start_paused = true)]
async fn tokio_retry2_passes_a_hint_to_the_notification_and_sleeps_by_the_formula() {
    let log = Log::default();
    let busy = || async {
        log.attempt();
        Err::<(), _>(tokio_retry2::RetryError::retry_after("busy", HINT))
    };
    let end = tokio_retry2::Retry::spawn(FixedInterval::from_millis(10).take(2), busy).await;
    assert!(end.is_err());
    assert_eq!(log.starts(), [0, 10, 20]);
}
