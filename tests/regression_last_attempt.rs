//! The attempt after a trimmed sleep: what remains for it may be a few nanoseconds, which would be no attempt at all.

use std::time::Duration;

use backoff_core::testing::{Draws, VirtualTime};
use backoff_core::{ExponentialBackoff, Jitter};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const POLICY: ExponentialBackoff =
    ExponentialBackoff::new().initial(Duration::from_secs(2)).budget(Duration::from_secs(1)).jitter(Jitter::Equal);

/// Draws the longest sleep, and then a spread one that ends just before the budget does.
fn draws() -> Draws {
    Draws::fractions([1.0, 0.999_999_9])
}

#[tokio::test]
async fn the_last_attempt_of_a_spread_run_is_cut_at_its_timeout_not_at_what_remains() {
    let time = VirtualTime::new();
    let mut calls = 0;
    let waiter = POLICY.time(&time).random(draws()).attempt_timeout(Duration::from_secs(5));
    let result = waiter.retry_async(|| {
        calls += 1;
        let (call, time) = (calls, &time);
        async move {
            time.pass_async(ms(30)).await;
            if call == 1 { Err("down") } else { Ok(call) }
        }
    });
    assert_eq!(result.await, Ok(2));
    let slept = time.sleeps()[0];
    assert!(slept > ms(969) && slept < ms(970), "{slept:?}: a spread sleep that leaves next to nothing");
}

#[test]
fn the_timeout_for_a_client_follows_the_same_rule() {
    let time = VirtualTime::new();
    let mut timeouts = Vec::new();
    let result = POLICY.time(&time).random(draws()).retry_with(|attempt| {
        timeouts.push([attempt.timeout(None, ms(300)), attempt.timeout(Some(ms(40)), ms(300))]);
        None::<u8>
    });
    assert!(result.is_err());
    assert_eq!(timeouts, [[Some(ms(1_000)), Some(ms(40))], [Some(ms(300)), Some(ms(40))]]);
    let unlimited = ExponentialBackoff::new().unlimited().time(&time);
    assert_eq!(unlimited.retry_with(|attempt| Some(attempt.timeout(Some(ms(40)), ms(300)))), Ok(None));
}
