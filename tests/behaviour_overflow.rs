//! OV: no attempt number, multiplier or cap can make a delay wrap, vanish or end a run.

mod support;

use std::cell::Cell;
use std::time::Duration;

use backoff_core::clock::{Chained, Sleep as _, TickClock, TickTimer, Ticks};
use backoff_core::random::NoRandom;
use backoff_core::run::{Decision, Elapsed, Failure, Run};
use backoff_core::testing::{Draws, VirtualTime};
use backoff_core::{ExponentialBackoff, Jitter, Reason};
use support::{Case, all_ms, ms, secs, unlimited};

fn initial(initial: Duration) -> ExponentialBackoff {
    unlimited().initial(initial)
}

fn delays<const N: usize>(policy: ExponentialBackoff, ks: [u32; N]) -> [Duration; N] {
    ks.map(|k| policy.delay(k))
}

#[test]
fn ov_01_growth_accumulator_is_bounded_by_the_cap() {
    let policy = initial(secs(1)).max_delay(ms(10)).max_attempts(101);
    let seen = Case::new(policy).run();
    assert_eq!(seen.calls(), 101);
    assert_eq!(seen.sleeps, [ms(10); 100]);
    assert_eq!(seen.end, ms(1_000));
    assert_eq!(seen.reason(), Reason::Attempts);
    assert_eq!(seen.failure().last().map(|last| last.call), Some(101));
}

#[test]
fn ov_03_a_product_beyond_the_end_of_time_saturates() {
    let policy = initial(ms(10)).multiplier(10.0);
    let rows: Vec<_> = policy.schedule().rows().take(40).collect();
    assert_eq!(rows.len(), 40, "the iterator never ends");
    for (k, row) in (0..).zip(rows) {
        // 10^(k+1) ms
        let expected = match 10_u128.checked_pow(k + 7) {
            Some(nanos) if nanos <= Duration::MAX.as_nanos() => nanos,
            _ => Duration::MAX.as_nanos(),
        };
        assert_eq!(row.delay.as_nanos(), expected, "delay {k}");
        assert_eq!(row.longest, Some(row.delay));
        assert_eq!(row.delay == Duration::MAX, k >= 22);
    }
}

#[test]
fn ov_05_random_access_never_wraps_under_the_cap() {
    let policy = initial(ms(30)).max_delay(secs(1));
    let ks = [0, 4, 5, 6, 39, 63, 64, u32::MAX];
    assert_eq!(delays(policy, ks), [30, 480, 960, 1_000, 1_000, 1_000, 1_000, 1_000].map(ms));
    assert!((0..200).all(|k| policy.delay(k) <= policy.delay(k + 1)));
}

#[test]
fn ov_06_the_cap_holds_where_the_product_overflows() {
    let ks = [33, 34, 63, 64];
    let free = [secs(8_589_934_592), secs(17_179_869_184), secs(1 << 63), Duration::MAX];
    assert_eq!(delays(initial(secs(1)), ks), free);
    assert_eq!(delays(initial(secs(1)).max_delay(secs(60)), ks), [secs(60); 4]);
}

#[test]
fn ov_08_overflow_falls_back_to_the_cap_not_to_the_end_of_time() {
    let policy = initial(secs(2)).max_delay(secs(300));
    let first: Vec<_> = policy.schedule().rows().take(10).map(|row| row.delay).collect();
    assert_eq!(first, [2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map(secs));
    assert_eq!(policy.delay(10_000), secs(300));
}

#[test]
fn a_sleep_of_more_than_584_years_is_spread_like_any_other() {
    let policy = initial(secs(40_000_000_000));
    let draws = Draws::always(0.5);
    let sleeps = [Jitter::None, Jitter::Full, Jitter::Equal].map(|jitter| policy.jitter(jitter).sleep(0, &draws));
    assert_eq!(sleeps, [40, 20, 30].map(|billions| secs(billions * 1_000_000_000)));
}

#[test]
fn ov_10_jitter_on_an_endless_cap_does_not_overflow() {
    let policy = initial(secs(1)).max_delay(Duration::MAX).jitter(Jitter::Equal);
    let draws = Draws::always(0.999);
    let mut run = Run::new();
    let mut sleep = Duration::ZERO;
    for _ in 0..=70 {
        let decision = run.failed(&policy, Failure::transient(), Elapsed::since_start(Duration::ZERO), &draws);
        let Decision::Sleep(pause) = decision else { panic!("nothing bounds this run") };
        sleep = pause.sleep;
    }
    assert_eq!(policy.delay(70), Duration::MAX);
    assert!(Duration::MAX / 2 < sleep && sleep < Duration::MAX, "{sleep:?}");

    let capped = initial(secs(10)).max_delay(secs(5)).max_attempts(5);
    assert_eq!(Case::new(capped).run().sleeps, all_ms([5_000; 4]));
    let jittered = capped.jitter(Jitter::Equal);
    assert_eq!(Case::new(jittered).every_draw(0.0).run().sleeps, all_ms([2_500; 4]));
}

#[test]
fn ov_11_arithmetic_never_ends_a_run() {
    let policy = initial(secs(1)).max_delay(secs(3_600)).max_attempts(721);
    let seen = Case::new(policy).run();
    let growing: Vec<_> = (0..12).map(|k| secs(1 << k)).collect();
    assert_eq!(seen.sleeps.len(), 720);
    assert_eq!(seen.sleeps[..12], growing);
    assert_eq!(seen.sleeps[12..], [secs(3_600); 708]);
    assert_eq!(seen.end, secs(2_552_895));
    assert_eq!(seen.reason(), Reason::Attempts);
}

#[test]
fn ov_13_a_zero_delay_is_no_policy() {
    for jitter in [Jitter::None, Jitter::Full] {
        let error = ExponentialBackoff::builder()
            .initial(Duration::ZERO)
            .max_delay(secs(60))
            .jitter(jitter)
            .build()
            .expect_err("zero is refused");
        assert_eq!(
            error.to_string(),
            "`initial` can't be `0s`: the first delay must be longer than zero, such as `200ms`"
        );
    }
    // The shortest delay there is takes the same path, and does not jump to the cap before its time.
    let policy = initial(Duration::from_nanos(1)).max_delay(secs(60));
    assert_eq!(delays(policy, [0, 1, 35]), [1, 2, 1 << 35].map(Duration::from_nanos));
    assert_eq!(delays(policy, [36, 1_024, 2_000]), [secs(60); 3]);
}

#[test]
fn ov_15_overflow_saturates_upwards() {
    let policy = initial(secs(1)).multiplier(1_000.0);
    assert_eq!(delays(policy, [5, 6, 7]), [secs(10_u64.pow(15)), secs(10_u64.pow(18)), Duration::MAX]);
}

#[test]
fn ov_16_a_multiplier_that_can_t_grow_is_refused() {
    for multiplier in [-2.0, -0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let built = ExponentialBackoff::builder().initial(secs(10)).multiplier(multiplier).build();
        let message = built.expect_err("no policy, so the operation can't be called").to_string();
        assert!(message.starts_with("`multiplier` can't be `"), "{message}");
    }
}

/// A timer at 1 MHz that stands at 5 and remembers until when it slept.
struct Timer(Cell<u64>);

impl TickClock for &Timer {
    const HZ: u64 = 1_000_000;

    fn now(&self) -> u64 {
        self.0.get()
    }
}

impl TickTimer for &Timer {
    fn sleep_until(&self, tick: u64) {
        self.0.set(tick);
    }
}

#[test]
fn ov_18_a_tick_counter_is_clamped_to_its_end() {
    let timer = Timer(Cell::new(5));
    Ticks(&timer).sleep(Duration::MAX);
    assert_eq!(timer.0.get(), u64::MAX, "a sleep of u64::MAX - 5 ticks");

    // The same through a run: the delay saturates, then the timer does.
    let timer = Timer(Cell::new(5));
    let policy = initial(Duration::MAX).max_attempts(2);
    let error = policy.time(Ticks(&timer)).random(NoRandom).wait(|| None::<()>).expect_err("it never succeeds");
    assert_eq!((error.attempts(), timer.0.get()), (2, u64::MAX));
}

#[test]
fn ov_20_a_timer_of_32_bits_sleeps_in_pieces() {
    const LIMIT: Duration = ms(2_147_483_647);
    let policy = initial(secs(1)).multiplier(10.0);
    assert_eq!(delays(policy, [6, 7]), [ms(1_000_000_000), ms(10_000_000_000)]);
    let pieces = |k| {
        let time = VirtualTime::new();
        let once = initial(policy.delay(k)).max_attempts(2);
        let error = once.time(Chained::new(&time, LIMIT)).wait(|| None::<()>);
        assert!(error.is_err());
        assert_eq!(time.elapsed(), policy.delay(k));
        time.sleeps()
    };
    assert_eq!(pieces(6), [ms(1_000_000_000)]);
    assert_eq!(pieces(7), [LIMIT, LIMIT, LIMIT, LIMIT, ms(1_410_065_412)]);
}

#[test]
fn ov_21_the_exponent_counts_retries_from_zero() {
    let policy = initial(ms(100)).max_attempts(6);
    let seen = Case::new(policy).run();
    assert_eq!(seen.sleeps, all_ms([100, 200, 400, 800, 1_600]));
    assert_eq!(seen.end, ms(3_100));
    assert_eq!(policy.delay(200), Duration::MAX);
}
