//! SH: a policy is a value; all state is in the run.

mod support;

use std::time::Duration;

use backoff_core::ExponentialBackoff;
use backoff_core::testing::VirtualTime;
use support::{Case, Op, all_ms, ms, secs, unlimited};

static POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(ms(100));

/// One run that fails once: its calls and its sleeps.
fn fails_once() -> (u32, Vec<Duration>) {
    let time = VirtualTime::new();
    let mut calls = 0;
    let result = POLICY.time(&time).wait(|| {
        calls += 1;
        (calls == 2).then_some(calls)
    });
    assert_eq!(result, Ok(2));
    (calls, time.sleeps())
}

#[test]
fn sh_01_a_static_policy_does_not_remember_its_runs() {
    for _ in 0..5 {
        assert_eq!(Case::new(POLICY).ops([Op::Fails, Op::Succeeds]).run().sleeps, [ms(100)]);
    }
}

const fn is_shared<T: Copy + Send + Sync + 'static>(_: &T) {}

#[test]
fn sh_03_threads_share_a_policy() {
    let work = || (0..1_000).map(|_| fails_once()).filter(|run| *run == (2, vec![ms(100)])).count();
    let right: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    assert_eq!(right, 8_000);
    is_shared(&POLICY);
}

/// A stream that says hello, stays up for so long, and breaks.
struct Connection(Duration);

/// Connects again and again. A connection that was up for ten seconds was healthy: its break starts a new run.
fn reconnect(policy: ExponentialBackoff, connections: impl IntoIterator<Item = Connection>) -> Vec<Duration> {
    let time = VirtualTime::new();
    let mut run = policy.time(&time).start_blocking();
    for Connection(up) in connections {
        time.pass(up);
        if up >= secs(10) {
            run = policy.time(&time).start_blocking();
        }
        run.backoff("the stream broke").expect("nothing bounds the run");
    }
    time.sleeps()
}

#[test]
fn sh_05_the_caller_says_what_resets_a_backoff() {
    let policy = unlimited().initial(secs(1)).max_delay(secs(300));
    let failing = || (0..6).map(|_| Connection(Duration::ZERO));
    assert_eq!(reconnect(policy, failing()), [1, 2, 4, 8, 16, 32].map(secs));
    let healthy_between = failing().chain([Connection(secs(10))]).chain(failing());
    let sleeps = reconnect(policy, healthy_between);
    assert_eq!(sleeps, [1, 2, 4, 8, 16, 32, 1, 2, 4, 8, 16, 32, 64].map(secs));
}

#[test]
fn sh_06_a_stored_index_is_enough_to_resume() {
    let policy = ExponentialBackoff::new().initial(ms(500)).max_delay(ms(30_000));
    let resumed: Vec<_> = (0..8).map(|k| policy.delay(k)).collect();
    assert_eq!(resumed, all_ms([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]));
}
