//! CB: the circuit breaker. It opens at five failures in a row for ten seconds, lets one probe through and closes after one
//! success, unless a case says otherwise.

mod support;

use std::time::Duration;

use backoff_core::guard::{BreakerSnapshot, Circuit, CircuitBreaker, Moment, Pacer, Permit};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, exponential_backoff};
use support::{block_on, ms, secs};

fn at(seconds: u64) -> impl Fn() -> Moment {
    move || Moment::at(secs(seconds))
}

fn look(breaker: &CircuitBreaker, seconds: u64) -> BreakerSnapshot {
    breaker.snapshot(Moment::at(secs(seconds)))
}

fn admitted(breaker: &CircuitBreaker, seconds: u64) -> Permit<'_> {
    breaker.admit(at(seconds)).expect("the circuit lets it through")
}

fn fails(breaker: &CircuitBreaker, seconds: u64) {
    admitted(breaker, seconds).failed(at(seconds));
}

/// How long a call has to stay away.
fn rejected(breaker: &CircuitBreaker, seconds: u64) -> Option<Duration> {
    let rejected = breaker.admit(at(seconds)).expect_err("the circuit is not closed");
    assert_eq!(rejected.reason(), Reason::CircuitOpen);
    rejected.retry_after()
}

/// Opens the circuit at zero.
fn opened(breaker: CircuitBreaker) -> CircuitBreaker {
    for _ in 0..5 {
        fails(&breaker, 0);
    }
    assert_eq!(look(&breaker, 0).circuit, Circuit::Open);
    breaker
}

#[test]
fn it_opens_rests_tries_and_closes() {
    let breaker = CircuitBreaker::new();
    for failures in 1..5 {
        fails(&breaker, 0);
        let seen = look(&breaker, 0);
        assert_eq!((seen.circuit, seen.failures, seen.retry_after), (Circuit::Closed, failures, None));
    }
    fails(&breaker, 1);
    assert_eq!(rejected(&breaker, 1), Some(secs(10)));
    assert_eq!(rejected(&breaker, 4), Some(secs(7)));
    assert_eq!((look(&breaker, 4).circuit, look(&breaker, 4).rejected), (Circuit::Open, 2));
    assert_eq!((look(&breaker, 11).circuit, look(&breaker, 11).retry_after), (Circuit::HalfOpen, None));
    admitted(&breaker, 11).succeeded(at(12));
    let seen = look(&breaker, 12);
    assert_eq!((seen.circuit, seen.failures, seen.generation), (Circuit::Closed, 0, 3));
}

#[test]
fn a_success_ends_the_row_of_failures() {
    let breaker = CircuitBreaker::new();
    for _ in 0..3 {
        (0..4).for_each(|_| fails(&breaker, 0));
        admitted(&breaker, 0).succeeded(at(0));
    }
    assert_eq!((look(&breaker, 0).circuit, look(&breaker, 0).failures), (Circuit::Closed, 0));
}

#[test]
fn cb_01_a_probe_that_never_settles_is_given_up_for_lost() {
    let breaker = opened(CircuitBreaker::new().probe_timeout(secs(10)));
    let lost = admitted(&breaker, 10);
    assert_eq!(rejected(&breaker, 15), Some(secs(5)));
    let probe = admitted(&breaker, 25);
    assert!(probe.is_probe());
    assert_eq!(look(&breaker, 25).probes, 1);
    lost.succeeded(at(600));
    assert_eq!((look(&breaker, 600).circuit, look(&breaker, 600).probes), (Circuit::HalfOpen, 1), "too late to count");
    probe.succeeded(at(601));
    assert_eq!(look(&breaker, 601).circuit, Circuit::Closed);
}

#[test]
fn cb_03_a_cancelled_probe_frees_its_place() {
    let breaker = opened(CircuitBreaker::new());
    drop(admitted(&breaker, 10));
    assert_eq!((look(&breaker, 11).circuit, look(&breaker, 11).probes), (Circuit::HalfOpen, 0));
    admitted(&breaker, 11).succeeded(at(11));
    assert_eq!(look(&breaker, 11).circuit, Circuit::Closed);
}

#[test]
fn cb_03_so_does_a_probe_whose_future_is_dropped_or_that_panics() {
    static BREAKER: CircuitBreaker = CircuitBreaker::new().failures(1);
    let time = VirtualTime::new();
    let policy = ExponentialBackoff::new().max_attempts(1);
    let error = policy.time(&time).breaker(&BREAKER).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.reason(), error.attempts()), (Reason::Attempts, 1));
    time.pass(secs(10));

    let mut hanging =
        Box::pin(policy.time(&time).breaker(&BREAKER).retry_async(std::future::pending::<Result<(), ()>>));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(hanging.as_mut().poll(&mut context).is_pending());
    assert_eq!(BREAKER.snapshot(Moment::of(&time)).probes, 1);
    drop(hanging);
    assert_eq!(BREAKER.snapshot(Moment::of(&time)).probes, 0);

    let panics = || policy.time(&time).breaker(&BREAKER).retry(|| -> Result<(), ()> { panic!("on purpose") });
    std::panic::catch_unwind(panics).unwrap_err();
    let seen = BREAKER.snapshot(Moment::of(&time));
    assert_eq!((seen.circuit, seen.probes), (Circuit::HalfOpen, 0));

    assert_eq!(policy.time(&time).breaker(&BREAKER).retry(|| Ok::<_, ()>(7)), Ok(7));
    assert_eq!(BREAKER.snapshot(Moment::of(&time)).circuit, Circuit::Closed);
}

#[test]
fn cb_05_asking_changes_nothing() {
    let breaker = opened(CircuitBreaker::new());
    for _ in 0..3 {
        let seen = look(&breaker, 10);
        assert_eq!((seen.circuit, seen.retry_after, seen.probes, seen.generation), (Circuit::HalfOpen, None, 0, 1));
    }
    assert!(admitted(&breaker, 10).is_probe());
}

#[exponential_backoff(max_attempts = 1, breaker = breaker, waiter = ExponentialBackoff::new().time(time))]
fn annotated(breaker: &CircuitBreaker, time: &VirtualTime, probes: &mut u32) -> Option<u8> {
    *probes = seen(breaker, time);
    None
}

#[exponential_backoff(max_attempts = 1, breaker = breaker, waiter = ExponentialBackoff::new().time(time))]
async fn annotated_async(breaker: &CircuitBreaker, time: &VirtualTime, probes: &mut u32) -> Option<u8> {
    *probes = seen(breaker, time);
    None
}

#[exponential_backoff(
    max_attempts = 1,
    breaker = breaker,
    until = |value: &u8| *value > 0,
    exhausted = |_| 0,
    waiter = ExponentialBackoff::new().time(time)
)]
fn annotated_until(breaker: &CircuitBreaker, time: &VirtualTime, probes: &mut u32) -> u8 {
    *probes = seen(breaker, time);
    0
}

fn seen(breaker: &CircuitBreaker, time: &VirtualTime) -> u32 {
    breaker.snapshot(Moment::of(time)).probes
}

#[test]
fn cb_06_one_call_takes_one_permit_whoever_makes_it() {
    let run = |call: &dyn Fn(&CircuitBreaker, &VirtualTime, &mut u32)| {
        let time = VirtualTime::new();
        let breaker = CircuitBreaker::new().probes(2).failures(1);
        breaker.admit(|| Moment::of(&time)).unwrap().failed(|| Moment::of(&time));
        time.pass(secs(10));
        let mut probes = 0;
        call(&breaker, &time, &mut probes);
        assert_eq!(breaker.snapshot(Moment::of(&time)).circuit, Circuit::Open, "the probe failed");
        probes
    };
    let policy = ExponentialBackoff::new().max_attempts(1);
    assert_eq!(run(&|breaker, time, probes| assert_eq!(annotated(breaker, time, probes), None)), 1);
    assert_eq!(run(&|breaker, time, probes| assert_eq!(block_on(annotated_async(breaker, time, probes)), None)), 1);
    assert_eq!(run(&|breaker, time, probes| assert_eq!(annotated_until(breaker, time, probes), 0)), 1);
    assert_eq!(
        run(&|breaker, time, probes| {
            let waiter = policy.time(time).breaker(breaker);
            assert!(
                waiter
                    .wait(|| {
                        *probes = seen(breaker, time);
                        None::<()>
                    })
                    .is_err()
            );
        }),
        1
    );
    assert_eq!(
        run(&|breaker, time, probes| {
            let waiter = policy.time(time).breaker(breaker);
            let count = || {
                *probes = seen(breaker, time);
                std::future::ready(None::<()>)
            };
            assert!(block_on(waiter.wait_async(count)).is_err());
        }),
        1
    );
    assert_eq!(
        run(&|breaker, time, probes| {
            let mut run = policy.time(time).breaker(breaker).try_start_blocking().unwrap();
            *probes = seen(breaker, time);
            run.backoff("down").unwrap_err();
        }),
        1
    );
    assert_eq!(
        run(&|breaker, time, probes| {
            let mut run = block_on(policy.time(time).breaker(breaker).try_start()).unwrap();
            *probes = seen(breaker, time);
            block_on(run.backoff("down")).unwrap_err();
        }),
        1
    );
}

#[test]
fn cb_08_half_open_lets_one_through_and_its_failure_opens_at_once() {
    let breaker = opened(CircuitBreaker::new().failure_rate_within(0.25, secs(60), 5));
    let calls: Vec<_> = (0..20).map(|_| breaker.admit(at(10))).collect();
    assert_eq!(calls.iter().filter(|call| call.is_ok()).count(), 1);
    let probe = calls.into_iter().find_map(Result::ok).unwrap();
    probe.failed(at(11));
    assert_eq!((look(&breaker, 11).circuit, rejected(&breaker, 11)), (Circuit::Open, Some(secs(10))));
    assert!(admitted(&breaker, 21).is_probe());
}

#[test]
fn cb_10_a_result_of_an_old_half_open_period_is_ignored() {
    let breaker = opened(CircuitBreaker::new().probes(2));
    let a = admitted(&breaker, 10);
    admitted(&breaker, 10).failed(at(12));
    let b = admitted(&breaker, 22);
    a.succeeded(at(23));
    assert_eq!((look(&breaker, 23).circuit, look(&breaker, 23).probes), (Circuit::HalfOpen, 1));
    b.succeeded(at(24));
    assert_eq!(look(&breaker, 24).circuit, Circuit::Closed);
}

#[test]
fn cb_11_a_slow_failure_from_before_does_not_open_a_recovered_circuit() {
    let breaker = CircuitBreaker::new().failures(1);
    let slow = admitted(&breaker, 0);
    fails(&breaker, 0);
    admitted(&breaker, 20).succeeded(at(20));
    slow.failed(at(21));
    assert_eq!((look(&breaker, 21).circuit, look(&breaker, 21).failures), (Circuit::Closed, 0));
}

#[test]
fn cb_13_a_failure_right_after_closing_counts() {
    let breaker = CircuitBreaker::new().failures(1);
    fails(&breaker, 0);
    admitted(&breaker, 10).succeeded(at(10));
    fails(&breaker, 10);
    assert_eq!((look(&breaker, 10).circuit, rejected(&breaker, 10)), (Circuit::Open, Some(secs(10))));
}

#[test]
fn cb_15_what_is_older_than_the_window_is_gone_however_long_the_gap() {
    for gap in [10, 11, 1_000] {
        let breaker = CircuitBreaker::new().failure_rate_within(1.0, secs(10), 100);
        (1..=10).for_each(|second| fails(&breaker, second));
        assert_eq!((look(&breaker, 10).failures, look(&breaker, 10).calls), (10, 10));
        fails(&breaker, 10 + gap);
        assert_eq!(look(&breaker, 10 + gap).failures, 1, "after {gap} s");
    }
}

#[test]
fn cb_16_half_open_counts_by_number_and_not_by_time() {
    let breaker = CircuitBreaker::new().failure_rate_within(0.5, secs(1), 10).probes(10).probes_to_close(10);
    (0..10).for_each(|_| fails(&breaker, 0));
    // Ten seconds later, a success every 300 ms: a window of one second would never hold ten.
    for probe in 1..=10_u64 {
        let now = move || Moment::at(secs(10) + ms(300) * u32::try_from(probe).unwrap());
        breaker.admit(now).unwrap().succeeded(now);
        let right = if probe < 10 { Circuit::HalfOpen } else { Circuit::Closed };
        assert_eq!(breaker.snapshot(now()).circuit, right, "after {probe} probes");
    }
    // The first failure opens again, without waiting for the others.
    (0..10).for_each(|_| fails(&breaker, 14));
    admitted(&breaker, 24).failed(at(24));
    assert_eq!(look(&breaker, 24).circuit, Circuit::Open);
}

#[test]
fn cb_18_a_rejection_is_not_retried_and_is_no_failure() {
    let time = VirtualTime::new();
    let breaker = CircuitBreaker::new().failures(1);
    breaker.admit(|| Moment::of(&time)).unwrap().failed(|| Moment::of(&time));
    let mut calls = 0;
    let policy = ExponentialBackoff::new().initial(ms(100)).max_attempts(5);
    let error = policy
        .time(&time)
        .breaker(&breaker)
        .retry(|| {
            calls += 1;
            Err::<(), _>("down")
        })
        .unwrap_err();
    assert_eq!((calls, time.sleeps(), error.attempts()), (0, vec![], 0));
    assert_eq!((error.reason(), error.hint(), error.last()), (Reason::CircuitOpen, Some(secs(10)), None));
    assert_eq!(error.stop().to_string(), "gave up after 0 attempts in 0s: the circuit is open; try again in 10s");
    assert_eq!(breaker.snapshot(Moment::of(&time)).rejected, 1);
}

#[test]
fn cb_18_a_circuit_that_opens_during_a_run_does_not_stop_it() {
    // A run counts once, so it is asked once: what opens meanwhile is for others to see.
    let breaker = CircuitBreaker::new().failures(1);
    let time = VirtualTime::new();
    let mut calls = 0;
    let result = ExponentialBackoff::new().time(&time).breaker(&breaker).wait(|| {
        calls += 1;
        if calls == 1 {
            breaker.admit(|| Moment::of(&time)).unwrap().failed(|| Moment::of(&time));
        }
        (calls == 3).then_some(7)
    });
    assert_eq!((result, calls), (Ok(7), 3));
    assert_eq!(breaker.snapshot(Moment::of(&time)).circuit, Circuit::Open, "its success belongs to an old period");
}

#[test]
fn ca_05_a_caller_whose_timeout_is_too_short_is_served_by_a_probe_that_outlives_it() {
    static BREAKER: CircuitBreaker = CircuitBreaker::new();
    (0..5).for_each(|_| fails(&BREAKER, 0));
    // A probe that is cut after a second closes nothing, and wedges nothing: the next call is a probe again.
    for second in [10, 20, 30, 40, 50, 60] {
        drop(admitted(&BREAKER, second));
        assert_eq!(look(&BREAKER, second + 1).circuit, Circuit::HalfOpen);
    }
    // Detached: the permit moves into the task that goes on when the caller is gone.
    let permit = admitted(&BREAKER, 70);
    std::thread::spawn(move || permit.succeeded(at(72))).join().unwrap();
    assert_eq!(look(&BREAKER, 72).circuit, Circuit::Closed);
}

#[test]
fn a_run_counts_once_by_how_it_ended() {
    let breaker = CircuitBreaker::new().failures(2);
    let time = VirtualTime::new();
    let run = |results: [Result<u8, &'static str>; 3]| {
        let mut results = results.into_iter();
        let policy = ExponentialBackoff::new().max_attempts(3);
        let _ = policy.time(&time).breaker(&breaker).when(|e: &&str| *e != "bad").retry(|| results.next().unwrap());
        breaker.snapshot(Moment::of(&time)).failures
    };
    assert_eq!(run([Err("down"), Err("down"), Ok(7)]), 0, "retries absorbed it");
    assert_eq!(run([Err("down"), Err("down"), Err("down")]), 1, "three failed attempts are one failed run");
    assert_eq!(run([Err("bad"), Ok(0), Ok(0)]), 0, "a permanent failure is an answer");
}

#[test]
fn a_run_that_the_pacer_keeps_from_its_first_attempt_says_nothing_about_the_service() {
    let (breaker, pacer) = (CircuitBreaker::new().failures(1), Pacer::new().interval(secs(10)));
    let time = VirtualTime::new();
    let waiter = || ExponentialBackoff::new().time(&time).breaker(&breaker).pacer(&pacer);
    assert_eq!(waiter().wait(|| Some(7)), Ok(7));
    let error = waiter().wait(|| Some(7)).unwrap_err();
    assert_eq!((error.reason(), error.attempts()), (Reason::Budget, 0));
    assert_eq!(breaker.snapshot(Moment::of(&time)).circuit, Circuit::Closed);
    // Nor does it keep the place of a probe.
    breaker.admit(|| Moment::of(&time)).unwrap().failed(|| Moment::of(&time));
    time.pass(secs(10));
    pacer.set_interval(secs(60));
    assert_eq!(waiter().wait(|| Some(7)).unwrap_err().reason(), Reason::Budget);
    assert_eq!(breaker.snapshot(Moment::of(&time)).probes, 0);
}

#[test]
fn shares_are_counted_over_calls_or_over_time() {
    let breaker = CircuitBreaker::new().failure_rate(0.5, 10);
    (0..5).for_each(|_| admitted(&breaker, 0).succeeded(at(0)));
    (0..4).for_each(|_| fails(&breaker, 0));
    assert_eq!(
        (look(&breaker, 0).circuit, look(&breaker, 0).failures, look(&breaker, 0).calls),
        (Circuit::Closed, 4, 9)
    );
    fails(&breaker, 0);
    assert_eq!(look(&breaker, 0).circuit, Circuit::Open, "five of ten");

    // The ring forgets the oldest.
    let breaker = CircuitBreaker::new().failure_rate(0.5, 4);
    for _ in 0..100 {
        fails(&breaker, 0);
        (0..3).for_each(|_| admitted(&breaker, 0).succeeded(at(0)));
        assert_eq!((look(&breaker, 0).failures, look(&breaker, 0).calls), (1, 4));
    }

    let breaker = CircuitBreaker::new().failure_rate_within(0.5, secs(10), 4);
    (0..2).for_each(|_| admitted(&breaker, 0).succeeded(at(0)));
    fails(&breaker, 1);
    assert_eq!(look(&breaker, 1).circuit, Circuit::Closed);
    fails(&breaker, 1);
    assert_eq!(look(&breaker, 1).circuit, Circuit::Open, "two of four within ten seconds");
}

#[test]
fn changes_are_told_outside_of_the_lock() {
    use std::sync::Mutex;
    static SEEN: Mutex<Vec<(Circuit, Circuit, Duration)>> = Mutex::new(Vec::new());
    static BREAKER: CircuitBreaker = CircuitBreaker::new().name("billing").failures(1).on_change(|change| {
        assert_eq!(change.name, "billing");
        // A hook may ask the breaker itself.
        assert_eq!(BREAKER.snapshot(change.at).circuit, change.to);
        SEEN.lock().unwrap().push((change.from, change.to, change.at.since(Moment::at(Duration::ZERO))));
    });
    fails(&BREAKER, 1);
    let probe = admitted(&BREAKER, 11);
    probe.succeeded(at(12));
    assert_eq!(
        *SEEN.lock().unwrap(),
        [
            (Circuit::Closed, Circuit::Open, secs(1)),
            (Circuit::Open, Circuit::HalfOpen, secs(11)),
            (Circuit::HalfOpen, Circuit::Closed, secs(12)),
        ]
    );
}

#[test]
fn a_hundred_threads_at_the_moment_of_reopening_are_one_probe() {
    for round in 0..20 {
        let breaker = opened(CircuitBreaker::new());
        let barrier = std::sync::Barrier::new(100);
        let probes: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..100)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        let permit = breaker.admit(at(10));
                        barrier.wait();
                        usize::from(permit.is_ok())
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(probes, 1, "round {round}");
        assert_eq!((look(&breaker, 10).circuit, look(&breaker, 10).probes), (Circuit::HalfOpen, 0), "all were dropped");
    }
}

#[test]
fn a_clock_that_jumps_wedges_nothing() {
    let breaker = opened(CircuitBreaker::new());
    // Back in time: the rest begins anew, and nobody waits for the clock to be where it was.
    let before = || Moment::at(Duration::ZERO).before(secs(100));
    assert_eq!(breaker.admit(before).unwrap_err().retry_after(), Some(secs(10)));
    let later = || Moment::at(Duration::ZERO).before(secs(90));
    drop(breaker.admit(later).unwrap());
    let far = || Moment::at(Duration::MAX);
    breaker.admit(far).unwrap().failed(far);
    assert!(breaker.admit(far).unwrap().is_probe(), "the end of time is not waited for");
}
