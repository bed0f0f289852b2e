//! A herd, against figures that an independent model produced.

use std::time::Duration;

use backoff_core::{ExponentialBackoff, FinalSleep, Jitter};
use backoff_lab::herd::{Settings, Wave, herd};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    jitter: String,
    #[serde(rename = "final")]
    final_sleep: String,
    clients: u32,
    total_attempts: u64,
    peak_10ms_after_t0: u64,
    peak_at_ms: u64,
}

fn settings() -> Settings {
    Settings { interval: Duration::from_millis(10), ..Settings::default() }
}

fn second_peak(wave: &Wave) -> u64 {
    let (_, at) = wave.peak();
    let rest = Wave { arrivals: wave.arrivals.clone(), ..wave.clone() };
    let others = rest.arrivals.iter().enumerate().skip(1).filter(|(other, _)| *other != at);
    others.map(|(_, count)| *count).max().unwrap_or(0)
}

#[test]
fn peaks_and_attempts_are_those_of_the_independent_model() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("data/final_sleep_herd.json")).unwrap();
    let found = herd(&settings()).unwrap();
    assert_eq!(rows.len(), found.waves.len());
    for row in rows {
        let jitter: Jitter = row.jitter.parse().unwrap();
        let final_sleep = match row.final_sleep.as_str() {
            "trim" => FinalSleep::Trim,
            "stop" => FinalSleep::Skip,
            _ => FinalSleep::Spread,
        };
        assert_eq!(row.clients, 1_000);
        let wave = found
            .waves
            .iter()
            .find(|wave| (wave.policy.get_jitter(), wave.policy.get_final_sleep()) == (jitter, final_sleep))
            .unwrap();
        let name = format!("{jitter} {final_sleep}");
        let (peak, at) = wave.peak();
        if row.peak_10ms_after_t0 == 1_000 {
            assert_eq!((peak, at as u64 * 10), (1_000, row.peak_at_ms), "{name}");
        } else {
            // the largest of some dozen counts of about 80, in both models
            assert!(peak.abs_diff(row.peak_10ms_after_t0) < 30, "{name}: {peak}");
        }
        // a client makes about 0.9 attempts more or less than another one, so a thousand make 28 more or less
        let tolerance = if jitter == Jitter::None { 0 } else { 160 };
        assert!(wave.attempts.abs_diff(row.total_attempts) <= tolerance, "{name}: {}", wave.attempts);
    }
}

#[test]
fn only_a_spread_last_sleep_keeps_the_herd_apart() {
    let found = herd(&Settings { jitters: vec![Jitter::Full], ..settings() }).unwrap();
    let [trim, spread, skip] = found.waves.as_slice() else { panic!("{found:?}") };
    assert_eq!(trim.peak(), (1_000, 350));
    assert!(second_peak(trim) < 120);
    assert!(spread.peak().0 < 120);
    assert!(skip.peak().0 < 120);
}

#[test]
fn the_same_seed_is_the_same_herd() {
    let settings = Settings { clients: 50, ..settings() };
    assert_eq!(herd(&settings).unwrap(), herd(&settings).unwrap());
    let other = Settings { seed: 2, ..settings.clone() };
    assert_ne!(herd(&settings).unwrap().waves[8].arrivals, herd(&other).unwrap().waves[8].arrivals);
}

#[test]
fn what_has_no_end_is_refused() {
    let refused = |settings: Settings| herd(&settings).unwrap_err().to_string();
    assert_eq!(
        refused(Settings { policy: ExponentialBackoff::new().unlimited(), ..settings() }),
        "this herd never fails for good: give the policy a budget or `max_attempts`"
    );
    assert_eq!(refused(Settings { clients: 0, ..settings() }), "`clients` can't be `0`: it must be from 2 to 10000000");
    assert_eq!(
        refused(Settings { interval: Duration::ZERO, ..settings() }),
        "the interval must be longer than zero, such as `10ms`"
    );
    let century = ExponentialBackoff::new().budget(Duration::from_secs(3_000_000_000));
    assert_eq!(
        refused(Settings { policy: century, ..settings() }),
        "that is more time, or more attempts, than can be shown: shorten the budget, or count in longer intervals"
    );
}
