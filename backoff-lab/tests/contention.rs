//! Contention, against figures that an independent model produced.

use std::time::Duration;

use backoff_lab::contention::{Contention, Row, Settings, Wait, contention};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    rows: Vec<Published>,
}

#[derive(Deserialize)]
struct Published {
    clients: u32,
    kind: String,
    reps: u32,
    mean_completion_ms: f64,
    mean_calls: f64,
}

fn simulated(settings: &Settings) -> Contention {
    contention(settings, &mut |_| ()).unwrap()
}

/// Both are means of samples, so their difference has the error of both.
fn agrees(ours: f64, error: f64, theirs: f64, repeats: u32, reps: u32) -> bool {
    let error = error * (1.0 + f64::from(repeats) / f64::from(reps)).sqrt();
    (ours - theirs).abs() <= 4.0 * error
}

#[test]
fn calls_and_time_are_those_of_the_published_model() {
    let settings = Settings { repeats: 16, ..Settings::default() };
    let found = simulated(&settings);
    let vectors: Vectors = serde_json::from_str(include_str!("data/contention.json")).unwrap();
    let mut compared = 0;
    for row in vectors.rows {
        // two kinds of other libraries are in the file as well
        let Ok(wait) = row.kind.parse::<Wait>() else { continue };
        let ours: &Row = found.rows.iter().find(|ours| (ours.clients, ours.wait) == (row.clients, wait)).unwrap();
        assert!(
            agrees(ours.calls, ours.calls_error, row.mean_calls, settings.repeats, row.reps),
            "{} {wait}: {} calls, not {}",
            row.clients,
            ours.calls,
            row.mean_calls
        );
        assert!(
            agrees(
                ours.seconds * 1_000.0,
                ours.seconds_error * 1_000.0,
                row.mean_completion_ms,
                settings.repeats,
                row.reps
            ),
            "{} {wait}: {} s, not {} ms",
            row.clients,
            ours.seconds,
            row.mean_completion_ms
        );
        compared += 1;
    }
    assert_eq!(compared, 20);
}

#[test]
fn a_lone_client_needs_one_call_and_four_messages() {
    let settings = Settings {
        clients: vec![1],
        waits: vec![Wait::Full],
        deviation: Duration::ZERO,
        repeats: 1,
        ..Settings::default()
    };
    let row = simulated(&settings).rows[0];
    assert_eq!((row.calls, row.seconds), (1.0, 0.04));
}

#[test]
fn two_clients_in_step_conflict_once_and_wait_twice_the_base() {
    let settings = Settings {
        clients: vec![2],
        waits: vec![Wait::None, Wait::Exponential],
        deviation: Duration::ZERO,
        repeats: 1,
        ..Settings::default()
    };
    let rows = simulated(&settings).rows;
    assert_eq!((rows[0].calls, rows[0].seconds), (3.0, 0.08), "without a wait: four messages again");
    assert_eq!((rows[1].calls, rows[1].seconds), (3.0, 0.09), "and 10 ms between them, twice the base");
}

#[test]
fn the_same_seed_is_the_same_simulation() {
    let waits = Wait::ALL[..5].to_vec();
    let settings = Settings { clients: vec![10], waits, repeats: 3, ..Settings::default() };
    assert_eq!(simulated(&settings), simulated(&settings));
    let calls: Vec<f64> = simulated(&settings).rows.iter().map(|row| (row.calls * 3.0).round()).collect();
    assert_eq!(calls, [153.0, 149.0, 130.0, 115.0, 116.0]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |settings: Settings| contention(&settings, &mut |_| ()).unwrap_err().to_string();
    assert_eq!(
        refused(Settings { clients: vec![10, 0], ..Settings::default() }),
        "`clients` can't be `0`: it must be from 1 to 5000"
    );
    assert_eq!(
        refused(Settings { leg: Duration::ZERO, waits: vec![Wait::Full], ..Settings::default() }),
        "a message must take some time, such as `10ms`"
    );
    assert_eq!(
        refused(Settings { base: Duration::from_millis(6), ..Settings::default() }),
        "`preset` is simulated with the published times only: leave it out, or base, cap, leg and deviation"
    );
    assert_eq!(
        "jitter".parse::<Wait>().unwrap_err().to_string(),
        "`jitter` is no way to wait: choose `none`, `expo`, `equal`, `full`, `decorr` or `preset`"
    );
}

#[test]
fn clients_that_know_of_each_other_get_through_with_fewer_calls_than_lone_ones_can() {
    let settings =
        Settings { clients: vec![100], waits: vec![Wait::Full, Wait::Preset], repeats: 10, ..Settings::default() };
    let rows = simulated(&settings).rows;
    assert!(rows[1].calls < rows[0].calls / 3.0 && rows[1].seconds < rows[0].seconds, "{rows:?}");
}
