//! The pacer: the traces of `data/pacer.json`, and how it settles, follows and queues.

mod support;

use std::time::Duration;

use backoff_core::guard::{Moment, Pacer, PacerMode, Rejected};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, exponential_backoff};
use serde::Deserialize;
use support::{block_on, ms, secs};

#[derive(Deserialize)]
struct Vectors {
    vectors: Vec<Trace>,
}

#[derive(Deserialize)]
struct Trace {
    name: String,
    mode: String,
    ms0: f64,
    smoothing: f64,
    floor: Option<f64>,
    pattern: Vec<bool>,
    ms_after: Vec<f64>,
}

#[test]
fn the_literal_mode_follows_every_trace() {
    let Vectors { vectors } = serde_json::from_str(include_str!("data/pacer.json")).expect("the vectors can be read");
    assert_eq!(vectors.len(), 7);
    for trace in vectors {
        let time = VirtualTime::new();
        let mut pacer = Pacer::new()
            .mode(PacerMode::Literal)
            .interval(Duration::from_secs_f64(trace.ms0 / 1_000.0))
            .try_smoothing(if trace.mode == "literal" { trace.smoothing } else { 0.0 })
            .unwrap();
        if let Some(floor) = trace.floor {
            pacer = pacer.try_min(Duration::from_secs_f64(floor / 1_000.0)).unwrap();
        }
        for (call, (success, right)) in trace.pattern.iter().zip(&trace.ms_after).enumerate() {
            let slot = pacer.reserve(&time, 1, None).unwrap();
            pacer.settle(slot, *success, || Moment::of(&time));
            let seen = pacer.snapshot().interval_millis;
            assert_eq!(seen.to_bits(), right.to_bits(), "{}: {seen} and not {right} after call {call}", trace.name);
        }
    }
}

/// A server that tolerates a call every `limit` milliseconds: the interval after each of so many calls.
fn against(pacer: &Pacer, time: &VirtualTime, limit: f64, calls: usize) -> Vec<f64> {
    let call = |_| {
        let slot = pacer.reserve(time, 1, None).unwrap();
        let tolerated = pacer.snapshot().interval_millis >= limit;
        pacer.settle(slot, tolerated, || Moment::of(time));
        pacer.snapshot().interval_millis
    };
    (0..calls).map(call).collect()
}

/// The standard deviation of the logarithms: how far the interval swings, as a factor.
fn spread(intervals: &[f64]) -> f64 {
    let count = f64::from(u32::try_from(intervals.len()).unwrap());
    let mean = intervals.iter().map(|interval| interval.ln()).sum::<f64>() / count;
    (intervals.iter().map(|interval| (interval.ln() - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[test]
fn the_annealed_mode_settles_at_the_limit_with_a_tenth_of_the_spread() {
    let time = VirtualTime::new();
    let sawtooth = Pacer::new().mode(PacerMode::Literal).smoothing(0.0);
    let annealed = Pacer::new();
    for limit in [10.0, 40.0, 2.5, 1.3] {
        against(&sawtooth, &time, limit, 400);
        against(&annealed, &time, limit, 400);
        let (plain, settled) = (against(&sawtooth, &time, limit, 300), against(&annealed, &time, limit, 300));
        assert!(spread(&settled) < 0.1 * spread(&plain), "{} of {} at {limit}", spread(&settled), spread(&plain));
        let mean = settled.iter().sum::<f64>() / 300.0;
        assert!((0.97..1.06).contains(&(mean / limit)), "{mean} for a limit of {limit}");
    }
}

#[test]
fn the_annealed_mode_follows_a_fourfold_change_within_a_hundred_calls() {
    let time = VirtualTime::new();
    let pacer = Pacer::new();
    let mut limit = 10.0;
    against(&pacer, &time, limit, 600);
    for change in [4.0, 0.25, 4.0, 0.25, 0.25, 4.0] {
        limit *= change;
        let after = against(&pacer, &time, limit, 100);
        let near = |interval: &f64| (0.9..1.1).contains(&(interval / limit));
        assert!(after.iter().any(near), "{limit}: {:?}", after.last());
        against(&pacer, &time, limit, 300);
    }
}

#[test]
fn failures_that_were_under_way_together_count_once() {
    let time = VirtualTime::new();
    let pacer = Pacer::new().mode(PacerMode::Literal).smoothing(0.0).burst(20);
    let slots: Vec<_> = (0..20).map(|_| pacer.reserve(&time, 1, None).unwrap()).collect();
    assert_eq!(time.elapsed(), Duration::ZERO);
    time.pass(ms(20));
    for slot in slots {
        pacer.settle(slot, false, || Moment::of(&time));
    }
    assert_eq!(pacer.snapshot().interval, ms(2), "once, not a million times");
    let slot = pacer.reserve(&time, 1, None).unwrap();
    pacer.settle(slot, false, || Moment::of(&time));
    assert_eq!(pacer.snapshot().interval, ms(4), "the next one has seen the new interval");
}

#[test]
fn a_hint_blocks_everyone_and_is_never_shortened() {
    let time = VirtualTime::new();
    let pacer = Pacer::new();
    pacer.block_until(Moment::of(&time).after(secs(30)));
    pacer.block_until(Moment::of(&time).after(secs(10)));
    let _ = pacer.reserve(&time, 1, None).unwrap();
    assert_eq!(time.elapsed(), secs(30));

    // The hint of one run blocks the next.
    let time = VirtualTime::new();
    let pacer = Pacer::new();
    let hinted =
        ExponentialBackoff::new().max_attempts(1).time(&time).pacer(&pacer).hint(|error: &Duration| Some(*error));
    assert!(hinted.retry(|| Err::<(), _>(secs(2))).is_err());
    assert_eq!(ExponentialBackoff::new().time(&time).pacer(&pacer).wait(|| Some(7)), Ok(7));
    assert_eq!(time.elapsed(), secs(2));
}

#[test]
fn a_hint_that_no_run_would_obey_blocks_nobody() {
    let policy = ExponentialBackoff::new().max_hint(secs(5));
    for (is_transient, hint, reason, blocked) in [
        (true, secs(5), Reason::Hint, secs(5)),
        (true, secs(5) + Duration::from_nanos(1), Reason::Hint, Duration::ZERO),
        (true, Duration::MAX, Reason::Hint, Duration::ZERO),
        (false, secs(5), Reason::NotRetryable, Duration::ZERO),
    ] {
        let (time, pacer) = (VirtualTime::new(), Pacer::new());
        let waiter = policy.time(&time).pacer(&pacer).when(|_: &&str| is_transient).hint(|_: &&str| hint);
        assert_eq!(waiter.retry(|| Err::<(), _>("later")).unwrap_err().reason(), reason);
        time.pass(ms(10));
        assert_eq!(ExponentialBackoff::new().unlimited().time(&time).pacer(&pacer).wait(|| Some(7)), Ok(7));
        assert_eq!(time.elapsed(), blocked.max(ms(10)), "{hint:?}");
    }
}

#[test]
fn a_turn_that_lies_behind_the_end_of_the_run_is_not_waited_for() {
    let time = VirtualTime::new();
    let pacer = Pacer::new().interval(secs(10));
    let policy = ExponentialBackoff::new();
    assert_eq!(policy.time(&time).pacer(&pacer).wait(|| Some(7)), Ok(7));
    let mut calls = 0;
    let error = policy
        .time(&time)
        .pacer(&pacer)
        .wait(|| {
            calls += 1;
            None::<()>
        })
        .unwrap_err();
    assert_eq!((calls, error.reason(), error.attempts(), error.elapsed()), (0, Reason::Budget, 0, Duration::ZERO));
    assert_eq!((time.elapsed(), pacer.snapshot().waiting), (Duration::ZERO, 0));

    // Between attempts the last failure is kept, and comes back.
    let pacer = Pacer::new().interval(secs(4));
    let error = policy.time(&time).pacer(&pacer).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.reason(), error.attempts(), error.last()), (Reason::Budget, 1, Some(&"down")));
    assert_eq!(error.elapsed(), ms(200), "the second slot is six seconds away after a failure");
}

#[exponential_backoff(pacer = pacer, waiter = ExponentialBackoff::new().time(time))]
fn annotated(pacer: &Pacer, time: &VirtualTime) -> Result<u8, Rejected> {
    Ok(7)
}

#[exponential_backoff(pacer = pacer, waiter = ExponentialBackoff::new().time(time))]
async fn annotated_async(pacer: &Pacer, time: &VirtualTime) -> Result<u8, Rejected> {
    Ok(7)
}

#[test]
fn the_attribute_paces_too() {
    let time = VirtualTime::new();
    let pacer = Pacer::new().interval(secs(1)).down(1.0);
    assert_eq!(annotated(&pacer, &time), Ok(7));
    assert_eq!(annotated(&pacer, &time), Ok(7));
    assert_eq!(time.elapsed(), secs(1));
    assert_eq!(block_on(annotated_async(&pacer, &time)), Ok(7));
    assert_eq!(time.elapsed(), secs(2));
    pacer.set_interval(secs(10));
    let rejected = annotated(&pacer, &time).unwrap_err();
    assert_eq!(rejected.to_string(), "no attempt was made: the budget is used up");
    assert_eq!(block_on(annotated_async(&pacer, &time)).unwrap_err().reason(), Reason::Budget);
}

#[test]
fn those_who_leave_the_line_hold_nobody_up() {
    let time = VirtualTime::new();
    let pacer = Pacer::new().interval(secs(1));
    let _ = pacer.reserve(&time, 1, None).unwrap();
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let mut head = Box::pin(pacer.reserve_async(&time, 1, None));
    let mut next = Box::pin(pacer.reserve_async(&time, 1, None));
    assert!(head.as_mut().poll(&mut context).is_pending());
    assert!(next.as_mut().poll(&mut context).is_pending());
    assert_eq!(pacer.snapshot().waiting, 2);
    drop(head);
    assert_eq!(pacer.snapshot().waiting, 1);
    assert!(block_on(next).is_some());
    assert_eq!((time.elapsed(), pacer.snapshot().waiting), (secs(1), 0));
}

#[test]
fn two_threads_never_go_out_together() {
    let pacer = Pacer::new().interval(ms(2)).min(ms(2)).down(1.0);
    let mut starts: Vec<_> = std::thread::scope(|scope| {
        let calls =
            || (0..5).map(|_| pacer.exec(|| Ok::<_, ()>(std::time::Instant::now())).unwrap()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(calls)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    starts.sort();
    let least = starts.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap();
    let whole = *starts.last().unwrap() - starts[0];
    assert!(whole >= ms(2) * 18, "nineteen intervals in {whole:?}, the closest two {least:?} apart");
}

#[test]
fn a_wait_of_hours_is_waited_for_if_the_run_has_no_end() {
    let (time, pacer) = (VirtualTime::new(), Pacer::new());
    pacer.block_until(Moment::of(&time).after(secs(5 * 3_600)));
    let policy = ExponentialBackoff::new().unlimited();
    assert_eq!(policy.time(&time).pacer(&pacer).wait(|| Some(7)), Ok(7));
    assert_eq!(time.elapsed(), secs(5 * 3_600));
}

#[test]
fn a_clock_that_steps_back_makes_nobody_wait_for_it() {
    let pacer = Pacer::new().interval(secs(1));
    let at = |seconds| Moment::at(secs(seconds));
    assert!(pacer.try_reserve(at(1_000), 1).is_ok());
    assert_eq!(pacer.try_reserve(at(1_000), 1), Err(at(1_001)));
    assert_eq!(pacer.try_reserve(at(10), 1), Err(at(11)), "an interval from now");
    assert!(pacer.try_reserve(at(11), 1).is_ok());
}

#[test]
fn a_block_holds_though_calls_went_out_before_it() {
    let (time, pacer) = (VirtualTime::new(), Pacer::new().interval(ms(10)));
    let reserved = || {
        let _ = pacer.reserve(&time, 1, None).expect("nothing ends the wait");
        time.elapsed()
    };
    assert_eq!((reserved(), reserved()), (ms(0), ms(10)));
    // The next slot is due by now, so that nothing but the block is waited for.
    time.pass(ms(90));
    pacer.block_until(Moment::of(&time).after(secs(5)));
    assert_eq!((reserved(), reserved(), reserved()), (ms(5_100), ms(5_110), ms(5_120)));
}
