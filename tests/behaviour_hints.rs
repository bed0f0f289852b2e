//! RA: what the server asked for is a minimum, and is never cut, doubled or guessed.

mod support;

use std::time::{Duration, SystemTime};

use backoff_core::clock::Chained;
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Jitter, Reason, RetryAfter};
use support::{Case, Op, all_ms, ms, secs, unlimited};

/// A run whose first call fails with a hint, and whose second succeeds.
fn asked(policy: ExponentialBackoff, hint: Duration) -> support::Seen {
    Case::new(policy).ops([Op::Asks(hint), Op::Succeeds]).run()
}

/// Asserts that the run gave up at once, with the hint in the error.
fn assert_refused(policy: ExponentialBackoff, hint: Duration) {
    let seen = asked(policy, hint);
    assert_eq!((seen.calls(), seen.sleeps.len(), seen.reason()), (1, 0, Reason::Hint));
    assert_eq!(seen.failure().hint(), Some(hint));
}

#[test]
fn ra_06_a_huge_hint_ends_the_run_and_overflows_nothing() {
    let huge = secs(9_999_999_999);
    assert_refused(unlimited().max_hint(secs(60)), huge);
    assert_refused(ExponentialBackoff::new().budget(secs(5)).max_hint(Duration::MAX), huge);
    assert_refused(unlimited(), Duration::MAX);
    assert_eq!(asked(unlimited().max_hint(Duration::MAX), Duration::MAX).sleeps, [Duration::MAX]);
}

#[test]
fn ra_10_a_hint_beyond_the_limit_ends_the_run() {
    let policy = unlimited().initial(secs(1)).max_delay(secs(10)).max_attempts(2);
    assert_refused(policy, secs(3_600));
    // Within the limit it is obeyed: the cap is for the formula.
    assert_eq!(asked(policy, secs(60)).sleeps, [secs(60)]);
    assert_eq!(asked(policy, secs(300)).sleeps, [secs(300)], "the default limit is five minutes");
    assert_refused(policy, secs(300) + Duration::from_nanos(1));
}

#[test]
fn ra_15_a_hint_beyond_the_host_s_timer_is_slept_in_pieces() {
    let hint = ms(2_200_000_000);
    assert_refused(unlimited().max_attempts(4), hint);

    let time = VirtualTime::new();
    let timer = Chained::new(&time, ms(2_147_483_647));
    let mut starts = Vec::new();
    let policy = unlimited().max_attempts(4).max_hint(secs(10_000_000));
    let error = policy.time(timer).hint(move |_: &u16| Some(hint)).retry(|| {
        starts.push(time.elapsed());
        Err::<(), _>(429)
    });
    assert!(error.is_err());
    assert_eq!(starts, [0, 1, 2, 3].map(|n| n * hint), "no retry comes early");
    assert_eq!(time.sleeps(), all_ms([2_147_483_647, 52_516_353]).repeat(3));
}

#[test]
fn ra_16_a_date_is_exact_and_zero_is_no_wish() {
    let noon = SystemTime::UNIX_EPOCH + secs(12 * 3_600);
    let hint = RetryAfter::until(noon + secs(2), noon + ms(400));
    assert_eq!(asked(unlimited(), hint.delay()).sleeps, [ms(1_600)]);
    assert_eq!(asked(unlimited(), Duration::ZERO).sleeps, [ms(200)], "the formula");
    let past = RetryAfter::until(noon, noon + secs(1));
    assert_eq!(asked(unlimited(), past.delay()).sleeps, [ms(200)]);
}

#[test]
fn ra_18_a_timestamp_in_place_of_seconds_is_too_long() {
    assert_refused(unlimited().max_hint(secs(120)), secs(1_634_800_030));
}

#[test]
fn jitter_only_adds_to_a_hint() {
    let full = unlimited().initial(ms(200)).jitter(Jitter::Full);
    let sleep = |fraction| Case::new(full).ops([Op::Asks(secs(3)), Op::Succeeds]).draws([fraction]).run().sleeps;
    assert_eq!(sleep(0.0), [secs(3)]);
    assert_eq!(sleep(0.5), [ms(3_100)]);
    assert_eq!(sleep(1.0), [ms(3_200)]);
    let equal = Case::new(full.jitter(Jitter::Equal)).ops([Op::Asks(secs(3)), Op::Succeeds]).draws([1.0]).run();
    assert_eq!(equal.sleeps, [ms(3_100)], "the width of equal jitter is half of the delay");
}

#[test]
fn growth_goes_on_under_a_hint() {
    let ops = [Op::Fails, Op::Asks(secs(1)), Op::Asks(secs(1)), Op::Fails, Op::Succeeds];
    assert_eq!(Case::new(unlimited()).ops(ops).run().sleeps, all_ms([200, 1_000, 1_000, 1_600]));
}

#[test]
fn the_last_sleep_is_never_shorter_than_the_hint() {
    let policy = ExponentialBackoff::new().budget(secs(1)).jitter(Jitter::Full);
    let asks = Case::new(policy).ops([Op::Asks(ms(900))]);
    // 900 ms and a draw of 200 reach the end: half of what remains would be too early.
    assert_eq!(asks.clone().draws([1.0, 0.0]).run().sleeps, [ms(900)]);
    assert_eq!(asks.draws([1.0, 1.0]).run().sleeps, [secs(1)]);
}

#[test]
fn a_hint_below_a_microsecond_does_not_let_a_jittered_run_spin() {
    let hint = Duration::from_nanos(1);
    let policy = unlimited().initial(Duration::from_nanos(10));
    let seen = |policy| Case::new(policy).ops([Op::Asks(hint), Op::Succeeds]).draws([0.0]).run().sleeps;
    assert_eq!(seen(policy.jitter(Jitter::Full)), [Duration::from_micros(1)]);
    assert_eq!(seen(policy.jitter(Jitter::Equal)), [Duration::from_micros(1)]);
    assert_eq!(seen(policy), [hint]);
}
