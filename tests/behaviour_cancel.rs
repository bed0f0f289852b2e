//! CA: a run that is cancelled stops at once and leaves nothing behind.

mod support;

use std::cell::Cell;
use std::future::{Ready, pending, ready};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use backoff_core::clock::{AsyncSleep, Clock, FuturesTimer, Tokio};
use backoff_core::event::Retry;
use backoff_core::testing::VirtualTime;
use backoff_core::{CancelToken, Reason};
use support::{ms, secs, unlimited};

/// A time at which a token is cancelled.
fn cancelled_at(at: Duration) -> (VirtualTime, CancelToken) {
    let (time, token) = (VirtualTime::new(), CancelToken::new());
    time.at(at, {
        let token = token.clone();
        move || token.cancel()
    });
    (time, token)
}

#[test]
fn ca_01_a_sleep_ends_when_the_token_is_cancelled() {
    let policy = unlimited().initial(ms(10_000)).max_attempts(5);
    let (time, token) = cancelled_at(ms(300));
    let mut calls = 0;
    let error = policy.time(&time).cancel(&token).retry(|| {
        calls += 1;
        Err::<(), _>("down")
    });
    let error = error.expect_err("it was cancelled");
    assert_eq!((calls, time.elapsed()), (1, ms(300)));
    assert_eq!((error.reason(), error.attempts(), error.last()), (Reason::Cancelled, 1, Some(&"down")));
    assert_eq!((error.elapsed(), error.slept()), (ms(300), ms(300)));

    let (time, token) = cancelled_at(ms(300));
    let mut run = policy.time(&time).cancel(&token).start_blocking();
    let error = run.backoff("down").expect_err("it was cancelled");
    assert_eq!((error.reason(), error.last(), time.elapsed()), (Reason::Cancelled, Some(&"down"), ms(300)));
}

#[test]
fn what_was_slept_of_a_sleep_that_was_cut_is_known() {
    // 100 ms of work, 200 ms of sleep, 100 ms of work, and 50 ms of the second sleep.
    let (time, token) = cancelled_at(ms(450));
    let error = unlimited().time(&time).cancel(&token).retry(|| {
        time.pass(ms(100));
        Err::<(), _>("down")
    });
    let error = error.expect_err("it was cancelled");
    assert_eq!((error.attempts(), error.elapsed(), error.slept()), (2, ms(450), ms(250)));
}

#[test]
fn ca_03_a_wait_that_the_server_asked_for_ends_too() {
    let policy = unlimited().initial(ms(100));
    let (time, token) = cancelled_at(ms(20));
    let error = policy.time(&time).cancel(&token).hint(|_: &u16| Some(ms(500))).retry(|| Err::<(), _>(429));
    let error = error.expect_err("it was cancelled");
    assert_eq!((error.reason(), error.elapsed(), error.attempts()), (Reason::Cancelled, ms(20), 1));
}

/// A clock whose timers never end and count how many of them live.
#[derive(Clone, Default)]
struct Endless {
    timers: Rc<Cell<i32>>,
}

struct Timer(Rc<Cell<i32>>);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl Clock for Endless {
    type Instant = ();

    fn now(&self) {}

    fn elapsed(&self, (): (), (): ()) -> Duration {
        Duration::ZERO
    }
}

impl AsyncSleep for Endless {
    async fn sleep_async(&self, _: Duration) {
        self.timers.set(self.timers.get() + 1);
        let _timer = Timer(Rc::clone(&self.timers));
        pending::<()>().await;
    }
}

fn poll_once<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn ca_03_dropping_the_future_drops_its_timer() {
    let clock = Endless::default();
    let waiter = unlimited().time(clock.clone()).hint(|_: &u16| Some(ms(500)));
    {
        let mut run = pin!(waiter.retry_async(async || Err::<(), _>(429)));
        assert!(poll_once(run.as_mut()).is_pending());
        assert_eq!(clock.timers.get(), 1, "it waits");
    }
    assert_eq!(clock.timers.get(), 0, "and nothing is left of it");

    // The timer that cuts attempts goes with its attempt.
    let waiter = unlimited().time(clock.clone()).attempt_timeout(secs(1));
    {
        let mut run = pin!(waiter.retry_async(pending::<Result<(), u16>>));
        assert!(poll_once(run.as_mut()).is_pending());
        assert_eq!(clock.timers.get(), 1);
    }
    assert_eq!(clock.timers.get(), 0);
    let mut run = pin!(waiter_that_answers(&clock));
    assert!(poll_once(run.as_mut()).is_ready());
    assert_eq!(clock.timers.get(), 0);
}

async fn waiter_that_answers(clock: &Endless) {
    let answer = || -> Ready<Result<u8, u16>> { ready(Ok(7)) };
    assert_eq!(unlimited().time(clock).attempt_timeout(secs(1)).retry_async(answer).await, Ok(7));
}

#[test]
fn a_future_can_be_dropped_after_its_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let mut of_tokio = Box::pin(unlimited().time(Tokio).retry_async(async || Err::<(), _>("down")));
    let mut of_any = Box::pin(unlimited().time(FuturesTimer).retry_async(async || Err::<(), _>("down")));
    runtime.block_on(async {
        assert!(poll_once(of_tokio.as_mut()).is_pending());
    });
    assert!(poll_once(of_any.as_mut()).is_pending());
    drop(runtime);
    drop(of_tokio);
    drop(of_any);
}

#[test]
fn a_success_of_a_cancelled_run_is_still_a_success() {
    let token = CancelToken::new();
    let result = unlimited().time(VirtualTime::new()).cancel(&token).retry(|| {
        token.cancel();
        Ok::<_, &str>(7)
    });
    assert_eq!(result, Ok(7));
}

/// How long a blocking run of 60 s takes to come back after it was cancelled from this thread.
fn time_to_come_back() -> Duration {
    let token = CancelToken::new();
    let (sleeping, is_sleeping) = mpsc::channel();
    let worker = std::thread::spawn({
        let token = token.clone();
        move || {
            let policy = unlimited().initial(secs(60)).waiter();
            let hook = |_: &Retry<'_, &str>| sleeping.send(()).expect("someone listens");
            policy.on_retry(hook).cancel(&token).retry(|| Err::<(), _>("down"))
        }
    });
    is_sleeping.recv().expect("it retries");
    // The hook is called just before the sleep: time itself is what is tested here, so give it the time to begin.
    std::thread::sleep(ms(2));
    let cancelled = Instant::now();
    token.cancel();
    let error = worker.join().expect("no panic").expect_err("it was cancelled");
    let took = cancelled.elapsed();
    assert_eq!((error.reason(), error.attempts()), (Reason::Cancelled, 1));
    took
}

#[test]
fn a_blocked_thread_comes_back_within_ten_milliseconds() {
    let mut times: Vec<_> = (0..20).map(|_| time_to_come_back()).collect();
    times.sort_unstable();
    assert!(times[19] < secs(1), "{times:?}");
    assert!(times[10] < ms(10), "{times:?}");
}

#[test]
fn a_token_of_tokens_hears_of_all_of_them_when_one_in_the_middle_is_gone() {
    for place in 0..4 {
        let [a, b, c, d] = std::array::from_fn(|_| CancelToken::new());
        let any = a.or(&b).or(&c).or(&a.or(&d));
        assert!(!any.is_cancelled());
        [&a, &b, &c, &d][place].cancel();
        assert!(any.is_cancelled(), "token {place}");
    }
    let (a, b) = (CancelToken::new(), CancelToken::new());
    let middle = a.or(&b);
    let any = middle.or(&b);
    middle.cancel();
    assert!(any.is_cancelled() && !a.is_cancelled() && !b.is_cancelled());
    a.cancel();
    assert!(a.or(&b).or(&b).is_cancelled(), "made of one that was cancelled before");
}
