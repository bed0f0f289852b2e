//! PL: clocks and timers come from the caller or from the runtime, and nothing else is assumed.

mod support;

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use backoff_core::clock::{Clock, Sleep};
use backoff_core::random::NoRandom;
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Jitter, Reason};
use support::{all_ms, ms, unlimited, us};

/// A clock of a platform that has no standard one: it counts in its own way, and writes down its sleeps.
#[derive(Default)]
struct Board {
    now: Cell<u32>,
    sleeps: RefCell<Vec<Duration>>,
}

impl Clock for Board {
    type Instant = u32;

    fn now(&self) -> u32 {
        self.now.get()
    }

    fn elapsed(&self, from: u32, to: u32) -> Duration {
        ms(to.saturating_sub(from).into())
    }
}

impl Sleep for Board {
    fn sleep(&self, duration: Duration) {
        self.sleeps.borrow_mut().push(duration);
        self.now.set(self.now.get() + u32::try_from(duration.as_millis()).expect("a short sleep"));
    }
}

#[test]
fn pl_01_a_clock_of_one_s_own_is_all_that_a_retry_needs() {
    let board = Board::default();
    let mut calls = 0;
    let result = ExponentialBackoff::new().time(&board).random(NoRandom).retry(|| {
        calls += 1;
        if calls == 1 { Err("down") } else { Ok(calls) }
    });
    assert_eq!(result, Ok(2));
    assert_eq!(board.sleeps.into_inner(), [ms(200)]);
}

#[tokio::test(start_paused = true)]
async fn pl_03_the_paused_clock_of_tokio_is_the_clock_of_the_run() {
    let real = Instant::now();
    let start = tokio::time::Instant::now();
    let mut starts = Vec::new();
    let error = ExponentialBackoff::new()
        .wait_async(|| {
            starts.push(start.elapsed());
            async { None::<()> }
        })
        .await
        .expect_err("it never succeeds");
    assert_eq!(starts, all_ms([0, 200, 600, 1_400, 3_000, 3_500]));
    assert_eq!((error.attempts(), error.elapsed(), error.reason()), (6, ms(3_500), Reason::Budget));
    assert!(real.elapsed() < ms(100), "no real time passes: {:?}", real.elapsed());
}

#[tokio::test(start_paused = true)]
async fn pl_05_an_async_wait_lets_others_run() {
    let ticks = Cell::new(0);
    let ticker = async {
        let mut every = tokio::time::interval_at(tokio::time::Instant::now() + ms(100), ms(100));
        loop {
            every.tick().await;
            ticks.set(ticks.get() + 1);
        }
    };
    let policy = unlimited().initial(ms(1_050)).max_attempts(2);
    tokio::select! {
        () = ticker => unreachable!("it ticks for ever"),
        result = policy.wait_async(async || None::<()>) => assert_eq!(result.expect_err("it fails").attempts(), 2),
    }
    assert_eq!(ticks.get(), 10);
}

fn sendable<F: Future + Send>(future: F) -> F {
    future
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pl_06_the_future_of_a_run_can_be_sent() {
    let policy = unlimited().initial(us(1)).max_attempts(4).jitter(Jitter::Full);
    let run = sendable(policy.retry_async(async || Err::<(), _>("down")));
    let error = tokio::spawn(run).await.expect("no panic").expect_err("it never succeeds");
    assert_eq!(error.attempts(), 4);

    let by_hand = sendable(async move {
        let mut run = policy.start();
        loop {
            if let Err(error) = run.backoff("down").await {
                return error.attempts();
            }
        }
    });
    assert_eq!(tokio::spawn(by_hand).await.expect("no panic"), 4);

    let time = VirtualTime::new();
    let scoped = sendable(async move { time.scope(policy.wait_async(async || None::<()>)).await });
    assert!(tokio::spawn(scoped).await.expect("no panic").is_err());
}

#[test]
fn pl_08_fractions_grow_without_floating_point_power() {
    let policy = ExponentialBackoff::new().multiplier(1.5);
    let delays: Vec<_> = (0..6).map(|k| policy.delay(k)).collect();
    assert_eq!(delays, [200_000, 300_000, 450_000, 675_000, 1_012_500, 1_518_750].map(us));
    // In a constant too, where there is no floating-point function at all.
    assert_eq!(const { ExponentialBackoff::new().multiplier(1.5).delay(5) }, us(1_518_750));
}

#[test]
#[should_panic(
    expected = "there is no tokio runtime here, so the feature `tokio` of `backoff-core` has no timer: enable its \
                           feature `futures-timer` as well"
)]
fn no_tokio_runtime_and_no_other_timer_names_the_feature() {
    use backoff_core::clock::{AsyncSleep as _, Tokio};
    drop(Tokio.sleep_async(std::time::Duration::from_secs(1)));
}
