//! What jitter does to many clients at once: `data/final_sleep_herd.json` and `data/jitter_stats.json`, on the engine.

mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use backoff_core::random::FromRng;
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, FinalSleep, Jitter};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use serde::Deserialize;
use serde_json::Value;
use support::{ms, secs, unlimited};

/// When each attempt of one client starts, if nothing ever succeeds. Each client has a generator of its own.
fn attempts(policy: ExponentialBackoff, client: u64) -> Vec<Duration> {
    let time = VirtualTime::new();
    let random = FromRng::new(SmallRng::seed_from_u64(client));
    let mut starts = Vec::new();
    let error = policy.time(&time).random(&random).wait(|| {
        starts.push(time.elapsed());
        None::<()>
    });
    assert!(error.is_err());
    starts
}

fn within(seen: f64, expected: f64, tolerance: f64) -> bool {
    (seen - expected).abs() <= tolerance
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn float(count: usize) -> f64 {
    count as f64
}

#[derive(Deserialize)]
struct Row {
    jitter: String,
    #[serde(rename = "final")]
    last: String,
    clients: u64,
    total_attempts: usize,
    peak_10ms_after_t0: usize,
    peak_at_ms: u128,
    second_peak: usize,
}

struct Herd {
    total: usize,
    /// The largest numbers of attempts in one bin of 10 ms, with the start of the bin in milliseconds, largest first.
    peaks: Vec<(usize, u128)>,
}

fn herd(policy: ExponentialBackoff, clients: u64) -> Herd {
    let starts: Vec<_> = (0..clients).flat_map(|client| attempts(policy, client)).collect();
    let mut bins = BTreeMap::new();
    for start in starts.iter().filter(|start| !start.is_zero()) {
        *bins.entry(start.as_millis() / 10 * 10).or_insert(0) += 1;
    }
    let mut peaks: Vec<_> = bins.into_iter().map(|(at, count)| (count, at)).collect();
    peaks.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    Herd { total: starts.len(), peaks }
}

#[test]
fn a_herd_of_a_thousand_clients_is_as_it_was_measured() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("data/final_sleep_herd.json")).expect("the rows");
    assert_eq!(rows.len(), 9);
    for row in rows {
        let name = format!("{} jitter, {}", row.jitter, row.last);
        let last = match row.last.as_str() {
            "jitter_trim" => FinalSleep::Spread,
            "stop" => FinalSleep::Skip,
            other => other.parse().expect("a final sleep"),
        };
        let jitter: Jitter = row.jitter.parse().expect("a jitter");
        let herd = herd(ExponentialBackoff::new().jitter(jitter).final_sleep(last), row.clients);
        let [(peak, at), (second, _), ..] = herd.peaks[..] else { panic!("{name}: no peaks") };
        // The count of a bin varies by its root; two samples of a largest bin are within a third of each other.
        let agrees = |seen: usize, file: usize| within(float(seen), float(file), float(file) / 3.0);
        if jitter == Jitter::None && last != FinalSleep::Spread {
            assert_eq!((herd.total, peak, at), (row.total_attempts, row.peak_10ms_after_t0, row.peak_at_ms), "{name}");
            assert_eq!(second, row.second_peak, "{name}");
            continue;
        }
        // One client makes 6.7 attempts, give or take 0.75: a thousand, give or take 24, and so does the file.
        assert!(within(float(herd.total), float(row.total_attempts), 120.0), "{name}: {} attempts", herd.total);
        if row.peak_10ms_after_t0 == 1_000 {
            assert_eq!((peak, at), (1_000, row.peak_at_ms), "{name}");
        } else {
            assert!(agrees(peak, row.peak_10ms_after_t0), "{name}: a peak of {peak} at {at} ms");
        }
        assert!(agrees(second, row.second_peak), "{name}: a second peak of {second}");
    }
}

#[test]
fn trimming_alone_brings_the_herd_back_and_spreading_does_not() {
    let full = ExponentialBackoff::new().jitter(Jitter::Full);
    let trimmed = herd(full.final_sleep(FinalSleep::Trim), 1_000);
    assert_eq!(trimmed.peaks[0], (1_000, 3_500), "everyone's last attempt");
    assert!(trimmed.peaks[1].0 <= 110, "and none of the others: {}", trimmed.peaks[1].0);

    let spread = herd(full, 1_000);
    assert!(spread.peaks[0].0 <= 105, "a peak of {} at {} ms", spread.peaks[0].0, spread.peaks[0].1);
    let last = |client| *attempts(full, client).last().expect("an attempt");
    assert!((0..1_000).map(last).all(|at| at > ms(1_750) && at <= ms(3_500)), "no last attempt in the first half");
}

#[test]
fn a_run_in_the_default_budget_makes_as_many_attempts_as_measured() {
    const RUNS: u64 = 10_000;
    let file: Value = serde_json::from_str(include_str!("data/jitter_stats.json")).expect("the statistics");
    for jitter in [Jitter::None, Jitter::Full, Jitter::Equal] {
        let expected = &file["attempts_in_default_budget"][jitter.word()];
        let policy = ExponentialBackoff::new().jitter(jitter).final_sleep(FinalSleep::Trim);
        let mut counts: Vec<_> = (0..RUNS).map(|client| attempts(policy, client).len()).collect();
        counts.sort_unstable();
        let mean = float(counts.iter().sum()) / float(counts.len());
        let file_mean = expected["mean"].as_f64().expect("a mean");
        // A standard deviation of 0.75 in 10,000 runs, and the file rounds to two places.
        assert!(within(mean, file_mean, 0.03), "{jitter}: {mean} attempts on average, {file_mean} in the file");
        let quantile = |percent: usize| counts[counts.len() * percent / 100];
        assert_eq!(Some(quantile(50) as u64), expected["p50"].as_u64(), "{jitter}: median");
        assert_eq!(Some(quantile(99) as u64), expected["p99"].as_u64(), "{jitter}: the 99th of 100");
    }
}

#[test]
fn jitter_keeps_its_full_width_at_the_cap() {
    let file: Value = serde_json::from_str(include_str!("data/jitter_stats.json")).expect("the statistics");
    let rows = file["spread_at_saturation"]["rows"].as_array().expect("rows");
    for (jitter, formula) in [(Jitter::Full, "seed/AWS full: U(0,min(cap,e))"), (Jitter::Equal, "equal")] {
        let expected = rows.iter().find(|row| row["formula"] == formula).expect("the row");
        let policy = unlimited().initial(ms(100)).max_delay(secs(10)).max_attempts(14).jitter(jitter);
        let at_the_cap = |client| {
            let starts = attempts(policy, client);
            starts[13].saturating_sub(starts[12]).as_secs_f64()
        };
        let mut sleeps: Vec<_> = (0..20_000).map(at_the_cap).collect();
        sleeps.sort_by(f64::total_cmp);
        for (name, at) in [("p5", 1_000), ("p95", 19_000)] {
            let file_value = expected[name].as_f64().expect("a quantile");
            assert!(within(sleeps[at], file_value, 0.1), "{jitter} {name}: {} s, {file_value} in the file", sleeps[at]);
        }
        assert_eq!(expected["exactly_cap"].as_f64(), Some(0.0));
        assert!(sleeps.iter().all(|sleep| *sleep < 10.0), "{jitter}: no sleep is exactly the cap");
    }
}
