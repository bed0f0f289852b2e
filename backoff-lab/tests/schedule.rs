//! Schedules: exact sleeps, warnings word for word, and bounds that hold for any policy.

use std::time::Duration;

use backoff_core::{ExponentialBackoff, FinalSleep, Jitter};
use backoff_lab::quantiles::Quantiles;
use backoff_lab::schedule::{Schedule, Settings, schedule};
use backoff_lab::source::Named;
use proptest::prelude::*;

const MS: fn(u64) -> Duration = Duration::from_millis;

fn played(policies: &[ExponentialBackoff], settings: &Settings) -> Schedule {
    let named: Vec<_> = policies.iter().zip(1..).map(|(policy, n)| Named::new(format!("level {n}"), *policy)).collect();
    schedule(&named, settings).unwrap()
}

fn warnings(policy: ExponentialBackoff, settings: &Settings) -> Vec<String> {
    played(&[policy], settings).report().warnings
}

fn few() -> Settings {
    Settings { draws: 200, ..Settings::default() }
}

fn always<T: Copy>(value: T) -> Quantiles<T> {
    Quantiles { low: value, p10: value, p50: value, p90: value, high: value }
}

#[test]
fn without_jitter_every_quantile_is_the_sleep() {
    let found = played(&[ExponentialBackoff::new()], &Settings { operation: MS(30), ..few() });
    let level = &found.levels[0];
    let sleeps: Vec<_> = level.rows.iter().map(|row| row.sleep).collect();
    assert_eq!(sleeps, [200, 400, 800, 1_600, 350].map(|ms| always(MS(ms))));
    assert_eq!(level.rows[4].delay, MS(3_200));
    assert_eq!((level.attempts, level.total), (always(6), always(MS(3_530))));
    assert_eq!(found.calls, always(6));
}

#[test]
fn full_jitter_has_the_quantiles_of_a_uniform_draw() {
    let policy = ExponentialBackoff::new().jitter(Jitter::Full).max_attempts(2);
    let found = played(&[policy], &Settings { draws: 20_000, ..Settings::default() });
    let sleep = found.levels[0].rows[0].sleep;
    for (quantile, expected) in [(sleep.p10, 20), (sleep.p50, 100), (sleep.p90, 180)] {
        assert!(quantile.abs_diff(MS(expected)) < MS(3), "{sleep:?}");
    }
    assert!(sleep.low < MS(1) && sleep.high > MS(199) && sleep.high <= MS(200));
    assert_eq!(found, played(&[policy], &Settings { draws: 20_000, ..Settings::default() }), "the same seed");
}

#[test]
fn nested_runs_use_up_the_outer_budget_and_multiply_at_worst() {
    let outer = ExponentialBackoff::new().max_attempts(4);
    let inner = ExponentialBackoff::new().max_attempts(3);
    let found = played(&[outer, inner], &few());
    // inner: 600 ms; outer: 0.6 + 0.2 + 0.6 + 0.4 + 0.6 + 0.8 + 0.6
    assert_eq!(found.levels[1].total, always(MS(600)));
    assert_eq!(found.levels[0].total, always(MS(3_500) + MS(300)));
    assert_eq!((found.calls, found.product()), (always(12), 12));
    assert_eq!(
        found.report().warnings,
        [
            "nested retries multiply: where attempts fail at once, one call comes to 4 x 3 = 12 attempts of the operation; retry \
          at one level only, or let the inner one end with the outer (`propagate`)"
        ]
    );
}

#[test]
fn a_policy_without_an_end_is_followed_for_as_long_as_it_is_listed() {
    let policy = ExponentialBackoff::new().unlimited().max_delay(MS(1_000));
    let found = played(&[policy], &Settings { rows: 7, ..few() });
    assert_eq!((found.levels[0].rows.len(), found.levels[0].endless), (7, true));
    assert_eq!(
        found.report().warnings,
        ["nothing ends a run that keeps failing: set a budget or `max_attempts`, or hand a deadline down"]
    );
    assert_eq!(found.report().sentences[1], "When every attempt fails, a run goes on; it was followed for 7 attempts.");
}

#[test]
fn every_warning_says_what_will_hurt_and_how_to_mend_it() {
    let policy = ExponentialBackoff::new();
    let crowd = Settings { clients: Some(500), ..few() };
    let slow = Settings { operation: MS(4_000), ..few() };
    for (policy, settings, warning) in [
        (
            policy.max_delay(MS(100)),
            few(),
            "`max_delay` (100ms) is shorter than `initial` (200ms), so every delay is 100ms: if that is meant, set both to the \
             same",
        ),
        (policy, slow, "the budget of 3.5s allows no second attempt, because an attempt takes 4s: make it longer"),
        (
            policy.budget(MS(100)).final_sleep(FinalSleep::Skip),
            few(),
            "the budget of 100ms allows no second attempt, because the first sleep of 200ms does not fit, and `skip` leaves it \
             out: make it longer",
        ),
        (
            policy.max_attempts(1),
            few(),
            "nothing is retried: `max_attempts` counts the first attempt, so 2 allows one retry",
        ),
        (
            policy.max_attempts(10),
            few(),
            "`max_attempts = 10` was never reached: the budget ends a run after 6 attempts at most",
        ),
        (
            policy,
            crowd.clone(),
            "500 clients that fail together come back together, at every retry: spread them with `jitter = \"full\"`",
        ),
        (
            policy.jitter(Jitter::Full).final_sleep(FinalSleep::Trim),
            crowd,
            "`trim` brings the 500 clients together again at the end of the budget: leave `final_sleep` out, and jitter spreads \
             the last sleep as well",
        ),
    ] {
        assert_eq!(warnings(policy, &settings), [warning]);
    }
    assert!(warnings(policy.jitter(Jitter::Full), &Settings { clients: Some(500), ..few() }).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_sleep_and_no_run_is_longer_than_the_policy_allows(
        initial in 1_u64..2_000,
        cap in 1_u64..5_000,
        budget in 1_u64..20_000,
        attempts in 1_u32..12,
        jitter in prop::sample::select(vec![Jitter::None, Jitter::Full, Jitter::Equal]),
        operation in 0_u64..500,
        seed: u64,
    ) {
        let policy = ExponentialBackoff::new()
            .initial(MS(initial))
            .max_delay(MS(cap))
            .budget(MS(budget))
            .max_attempts(attempts)
            .jitter(jitter);
        let found = played(&[policy], &Settings { operation: MS(operation), draws: 30, seed, ..Settings::default() });
        let level = &found.levels[0];
        prop_assert!(level.attempts.high <= attempts);
        prop_assert!(level.total.high <= MS(budget + operation));
        prop_assert!(level.slept.high <= MS(budget));
        for row in &level.rows {
            let sleep = row.sleep;
            prop_assert!(sleep.low > Duration::ZERO && sleep.high <= row.delay && row.delay <= MS(cap));
            prop_assert!(sleep.low <= sleep.p10 && sleep.p10 <= sleep.p50 && sleep.p50 <= sleep.p90 && sleep.p90 <= sleep.high);
        }
        prop_assert!(level.rows.windows(2).all(|pair| pair[0].share >= pair[1].share));
        prop_assert_eq!(found.calls.high, u64::from(level.attempts.high));
    }
}
