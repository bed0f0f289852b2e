//! One test for each rule of the contract, C1 to C17, named after it. `proof/planted.sh` plants a fault in each rule and sees
//! the test of that name fail.

use std::cell::{Cell, RefCell};
use std::error::Error as _;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use backoff_core::clock::{Clock, Sleep};
use backoff_core::event::{GiveUp, Retry, Success};
use backoff_core::guard::RetryQuota;
use backoff_core::random::{Random as _, SystemRandom};
use backoff_core::testing::{Draws, VirtualTime};
use backoff_core::{ExponentialBackoff, FinalSleep, Jitter, Reason};
use backoff_policy::duration::parse;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn all_ms<const N: usize>(millis: [u64; N]) -> Vec<Duration> {
    millis.map(ms).to_vec()
}

/// The sleeps of a run that never succeeds, and how it ends.
fn sleeps(policy: ExponentialBackoff, operation: Duration, draws: &Draws) -> (Vec<Duration>, Reason) {
    let time = VirtualTime::new();
    let end = policy.time(&time).random(draws).wait(|| {
        time.pass(operation);
        None::<u8>
    });
    (time.sleeps(), end.expect_err("it never succeeds").reason())
}

fn plain(policy: ExponentialBackoff) -> Vec<Duration> {
    sleeps(policy, Duration::ZERO, &Draws::fractions([])).0
}

#[test]
fn c01_attempts_are_counted_with_the_first_and_no_sleep_follows_the_last() {
    for attempts in [1, 2, 5] {
        let time = VirtualTime::new();
        let mut starts = Vec::new();
        let policy = ExponentialBackoff::new().unlimited().max_attempts(attempts);
        let end = policy.time(&time).wait(|| {
            starts.push(time.elapsed());
            None::<u8>
        });
        assert_eq!(end.expect_err("it never succeeds").attempts(), attempts);
        assert_eq!(starts, all_ms([0, 200, 600, 1_400, 3_000])[..attempts as usize]);
        assert_eq!(time.elapsed(), starts[attempts as usize - 1], "no sleep after the last");
    }
}

#[test]
fn c02_the_budget_counts_the_operation_too() {
    let (sleeps, reason) = sleeps(ExponentialBackoff::new(), ms(1_000), &Draws::fractions([]));
    assert_eq!((sleeps, reason), (all_ms([200, 400]), Reason::Budget));
}

#[test]
fn c03_growth_is_exact_and_rounds_once_a_step() {
    let policy = ExponentialBackoff::new().initial(Duration::from_nanos(1)).multiplier(1.5);
    let delays: Vec<_> = (0..6).map(|k| policy.delay(k).as_nanos()).collect();
    assert_eq!(delays, [1, 2, 3, 5, 8, 12]);
    assert_eq!(ExponentialBackoff::new().delay(10), ms(204_800));
    assert_eq!(ExponentialBackoff::new().delay(u32::MAX), Duration::MAX);
}

#[test]
fn c04_jitter_spreads_inside_the_delay_and_reaches_both_ends() {
    let policy = |jitter| ExponentialBackoff::new().initial(Duration::from_nanos(20_001)).jitter(jitter);
    let sleep = |jitter, fraction| policy(jitter).sleep(0, &Draws::always(fraction)).as_nanos();
    assert_eq!((sleep(Jitter::Full, 0.0), sleep(Jitter::Full, 1.0)), (1_000, 20_001));
    assert_eq!((sleep(Jitter::Equal, 0.0), sleep(Jitter::Equal, 1.0)), (10_000, 20_001));
}

#[test]
fn c05_the_last_sleep_is_trimmed_and_one_attempt_follows() {
    assert_eq!(plain(ExponentialBackoff::new()), all_ms([200, 400, 800, 1_600, 500]));
    let skip = ExponentialBackoff::new().final_sleep(FinalSleep::Skip);
    assert_eq!(plain(skip), all_ms([200, 400, 800, 1_600]));
    // Spread, it may be over long before the budget is, and still one attempt follows.
    let spread = ExponentialBackoff::new().initial(ms(9_000)).jitter(Jitter::Full);
    assert_eq!(sleeps(spread, Duration::ZERO, &Draws::fractions([1.0, 0.0])).0, all_ms([1_750]));
}

#[test]
fn c06_a_hint_is_a_minimum_that_no_cap_shortens_or_the_end() {
    let asks = |hint| {
        let time = VirtualTime::new();
        let policy = ExponentialBackoff::new().max_delay(ms(300)).max_attempts(2).jitter(Jitter::Full);
        let waiter = policy.time(&time).random(Draws::always(1.0)).hint(move |()| Some(ms(hint)));
        let end = waiter.retry(|| Err::<(), _>(())).expect_err("it never succeeds");
        (time.sleeps(), end.reason(), end.hint())
    };
    assert_eq!(asks(1_000), (all_ms([1_200]), Reason::Attempts, None));
    assert_eq!(asks(0), (all_ms([200]), Reason::Attempts, None));
    assert_eq!(asks(3_501), (vec![], Reason::Hint, Some(ms(3_501))));
}

#[test]
fn c07_the_predicate_alone_decides_what_is_retried() {
    let asked = RefCell::new(Vec::new());
    let time = VirtualTime::new();
    let mut call = 0;
    let waiter = ExponentialBackoff::new().time(&time).when(|error: &u8| {
        asked.borrow_mut().push(*error);
        *error < 3
    });
    let end = waiter.retry(|| {
        call += 1;
        Err::<(), u8>(call)
    });
    let end = end.expect_err("it never succeeds");
    assert_eq!((end.reason(), end.attempts(), asked.into_inner()), (Reason::NotRetryable, 3, vec![1, 2, 3]));
    let value = ExponentialBackoff::new().until(|value: &u8| *value == 7).time(VirtualTime::new()).retry(|| {
        call += 1;
        call
    });
    assert_eq!(value, Ok(7));
}

#[test]
fn c08_a_run_ends_with_the_last_failure_itself_and_the_reason() {
    let time = VirtualTime::new();
    let end = ExponentialBackoff::new().max_attempts(3).time(&time).retry(|| {
        time.pass(ms(10));
        "x".parse::<u8>()
    });
    let end = end.expect_err("it never succeeds");
    assert_eq!((end.reason(), end.attempts(), end.elapsed(), end.slept()), (Reason::Attempts, 3, ms(630), ms(600)));
    assert_eq!(end.source().expect("the failure").to_string(), "invalid digit found in string");
    assert_eq!(end.into_last(), "x".parse::<u8>().err());
}

#[test]
fn c09_observers_hear_of_every_sleep_before_it_and_of_the_end_once() {
    let heard = RefCell::new(Vec::new());
    let tell = |what: &str, number: u32, delay: Duration| heard.borrow_mut().push((what.to_owned(), number, delay));
    let time = VirtualTime::new();
    let waiter = ExponentialBackoff::new()
        .max_attempts(3)
        .time(&time)
        .on_retry(|retry: &Retry<'_, u8>| tell("retry", retry.attempt, retry.delay))
        .on_give_up(|end: &GiveUp<'_, u8>| tell("give up", end.stop.attempts, time.elapsed()))
        .on_success(|end: &Success| tell("success", end.attempts, end.slept));
    assert!(waiter.retry(|| Err::<(), u8>(7)).is_err());
    let right = [("retry", 1, 200), ("retry", 2, 400), ("give up", 3, 600)];
    assert_eq!(heard.into_inner(), right.map(|(what, number, millis)| (what.to_owned(), number, ms(millis))));
}

#[test]
fn c10_a_dropped_run_gives_back_what_it_took() {
    let (time, quota) = (VirtualTime::new(), RetryQuota::new().capacity(10));
    {
        let waiter = ExponentialBackoff::new().time(&time).retry_budget(&quota);
        let mut run = pin!(waiter.retry_async(async || Err::<(), u8>(7)));
        assert!(run.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(quota.left(), 5, "it sleeps before a retry");
    }
    assert_eq!(quota.left(), 10);
}

#[test]
fn c11_two_runs_of_one_policy_do_not_touch_each_other() {
    const POLICY: ExponentialBackoff = ExponentialBackoff::new();
    let time = VirtualTime::new();
    let (mut first, mut second) = (POLICY.time(&time).start_blocking(), POLICY.time(&time).start_blocking());
    first.backoff(1).expect("a sleep");
    first.backoff(1).expect("a sleep");
    second.backoff(2).expect("a sleep");
    assert_eq!(time.sleeps(), all_ms([200, 400, 200]));
}

#[test]
fn c12_the_default_generator_differs_between_threads() {
    let words = || [SystemRandom.next_u64(), SystemRandom.next_u64()];
    let (here, there) = (words(), thread::spawn(words).join().expect("no panic"));
    assert_ne!(here, there);
    assert_ne!(here[0], here[1]);
}

/// A clock that stands still.
struct Stopped(Cell<u32>);

impl Clock for Stopped {
    type Instant = ();

    fn now(&self) {}

    fn elapsed(&self, (): (), (): ()) -> Duration {
        Duration::ZERO
    }
}

impl Sleep for Stopped {
    fn sleep(&self, _: Duration) {
        self.0.set(self.0.get() + 1);
        assert!(self.0.get() < 1_000, "the run does not end");
    }
}

#[test]
fn c13_a_clock_that_stands_still_does_not_keep_a_run_going() {
    let time = Stopped(Cell::new(0));
    let end = ExponentialBackoff::new().max_delay(ms(500)).time(&time).wait(|| None::<u8>);
    let end = end.expect_err("it never succeeds");
    // 200, 400 and 500 ms as often as they fit into 3.5 s.
    assert_eq!((end.reason(), time.0.get(), end.slept()), (Reason::Budget, 8, ms(3_500)));
}

#[test]
fn c14_the_nearer_of_deadline_and_budget_ends_a_run() {
    let run = |deadline| {
        let time = VirtualTime::new();
        let end = ExponentialBackoff::new().time(&time).deadline(time.now() + ms(deadline)).wait(|| None::<u8>);
        (time.elapsed(), end.expect_err("it never succeeds").reason())
    };
    assert_eq!(run(1_000), (ms(1_000), Reason::Deadline));
    assert_eq!(run(10_000), (ms(3_500), Reason::Budget));
}

#[test]
fn c15_an_attempt_is_cut_at_its_timeout_and_that_is_retried() {
    let time = VirtualTime::new();
    let waiter = ExponentialBackoff::new().max_attempts(2).time(&time).attempt_timeout(ms(300));
    let mut run = pin!(waiter.retry_async(|| async {
        time.pass_async(ms(1_000)).await;
        Ok::<u8, u8>(7)
    }));
    let mut context = Context::from_waker(Waker::noop());
    let end = (0..100).find_map(|_| match run.as_mut().poll(&mut context) {
        Poll::Ready(end) => Some(end),
        Poll::Pending => None,
    });
    let end = end.expect("it ends").expect_err("it is cut");
    assert_eq!((end.attempts(), end.reason(), end.last()), (2, Reason::Attempts, None));
    assert_eq!(time.elapsed(), ms(300 + 200 + 300));
}

#[test]
fn c16_what_the_table_rejects_is_refused_by_name() {
    let builder = ExponentialBackoff::builder;
    let zero = Duration::ZERO;
    for (field, refused) in [
        ("initial", builder().initial(zero).build()),
        ("budget", builder().budget(Some(zero)).build()),
        ("multiplier", builder().multiplier(1.0).build()),
        ("multiplier", builder().multiplier(f64::INFINITY).build()),
        ("max_delay", builder().max_delay(zero).build()),
        ("max_attempts", builder().max_attempts(0).build()),
        ("max_hint", builder().max_hint(zero).build()),
    ] {
        let error = refused.expect_err(field).to_string();
        assert!(error.starts_with(&format!("`{field}` can't be `")), "{error}");
    }
}

#[test]
fn c17_durations_in_text_are_exact_and_in_order() {
    for (text, nanos) in [("200ms", 200_000_000), ("3.5s", 3_500_000_000), ("1m 30s", 90_000_000_000), ("0.5us", 500)] {
        assert_eq!(parse(text), Ok(Duration::from_nanos(nanos)), "{text}");
    }
    for wrong in ["0.1ns", "30s 1m", "1s 1s", "1.5m 30s", "1s  1ms", "5", "", "-1s", "99999999999999999999h"] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
    let start = Instant::now();
    assert!(parse(&"9".repeat(100_000)).is_err());
    assert!(start.elapsed() < Duration::from_secs(5));
}
