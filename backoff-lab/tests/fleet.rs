//! The simulator against the published figures of an independent model, at a tenth of its size.

use std::time::Duration;

use backoff_core::ExponentialBackoff;
use backoff_lab::fleet::record::{Contended, contended};
use backoff_lab::fleet::{Load, Outcome, Scenario, Server, Slice, Strategy, simulate, simulate_with};
use backoff_lab::outage::Which;

/// A tenth of the fleet in front of a tenth of the server: times and ratios stay what they are.
fn tenth(scenario: Scenario) -> Scenario {
    let server = Server { capacity: 1.0, burst: 20.0, ..scenario.server };
    Scenario { processes: scenario.processes / 10, server, ..scenario }
}

fn herd(strategy: fn(&Scenario) -> Strategy) -> Outcome {
    let scenario = tenth(Scenario::herd());
    simulate(&scenario, &strategy(&scenario), 1).expect("a scenario that can be simulated")
}

/// 90 % load, and refusals at 40 % of what serving costs: where every jitter tips over. The burst stays as it is, because
/// chance is no smaller in a small fleet.
fn hot() -> Scenario {
    let scenario = tenth(Scenario::traffic(0.9));
    Scenario { server: Server { refusal_cost: 0.4, burst: 200.0, ..scenario.server }, ..scenario }
}

#[track_caller]
fn near(measured: f64, published: f64, tolerance: f64) {
    assert!((measured / published - 1.0).abs() <= tolerance, "{measured} is not {published} within {tolerance}");
}

#[test]
fn a_herd_disperses_as_published() {
    for (strategy, calls, times) in [
        (Strategy::full as fn(&Scenario) -> Strategy, 8.05, 1.70),
        (Strategy::equal, 7.81, 1.92),
        (Strategy::decorrelated, 8.68, 1.73),
    ] {
        let outcome = herd(strategy);
        assert_eq!(outcome.served, 10_000);
        near(outcome.calls_per_request(), calls, 0.03);
        near(outcome.times_optimum().expect("all were served"), times, 0.15);
    }
}

#[test]
fn a_retry_budget_gives_a_herd_up() {
    let outcome = herd(Strategy::budget);
    assert_eq!((outcome.served, outcome.given_up), (0, 10_000));
    near(outcome.calls_per_request(), 1.04, 0.001);
}

#[test]
fn hot_traffic_tips_over_as_published() {
    let scenario = hot();
    let run = |strategy: &Strategy| simulate(&scenario, strategy, 1).expect("a scenario that can be simulated");
    let full = run(&Strategy::full(&scenario));
    near(full.served_share(), 0.477, 0.08);
    near(full.calls_per_request(), 3.10, 0.02);
    assert_eq!(full.whole_again(), None);
    near(full.latency(0.99).as_secs_f64(), 1.7, 0.05);
    let budget = run(&Strategy::budget(&scenario));
    near(budget.served_share(), 0.9665, 0.005);
    assert_eq!(budget.whole_again(), Some(Duration::ZERO));
    let hinted = run(&Strategy::hinted(&scenario));
    near(hinted.served_share(), 0.753, 0.03);
    near(hinted.calls_per_request(), 2.56, 0.02);
}

/// Errors by chance are nothing that a retry does not mend, and new traffic is as whole as they leave it.
#[test]
fn errors_by_chance_are_no_outage() {
    let traffic = tenth(Scenario::traffic(0.6));
    let server = Server { errors: 0.03, burst: 200.0, outage: Duration::ZERO, ..traffic.server };
    let scenario = Scenario { server, ..traffic };
    for strategy in [Strategy::full(&scenario), Strategy::budget(&scenario), Strategy::preset(&scenario)] {
        let outcome = simulate(&scenario, &strategy, 1).expect("a scenario that can be simulated");
        near(outcome.calls_per_request(), 1.0 / 0.97, 0.002);
        assert!(outcome.served_share() > 0.999, "{}: {}", strategy.name, outcome.served_share());
    }
}

#[test]
fn in_an_outage_without_end_retries_stay_within_the_budget() {
    let traffic = hot();
    let server = Server { outage: Duration::from_secs(100), ..traffic.server };
    let scenario = Scenario { server, ..traffic };
    let retries = |strategy: &Strategy| {
        let outcome = simulate(&scenario, strategy, 1).expect("a scenario that can be simulated");
        (outcome.calls - outcome.requests, outcome.served / 10)
    };
    // More than half of ten tokens has to be left after a failure that costs one: four retries, and a tenth of successes.
    let (budget, earned) = retries(&Strategy::budget(&scenario));
    assert!(budget <= 4 * u64::from(scenario.processes) + earned, "{budget}");
    // First attempts are the probes: those in line hardly ever knock at a closed door.
    let (preset, _) = retries(&Strategy::preset(&scenario));
    assert!(preset * 50 <= 54_000, "{preset}");
}

#[test]
fn the_preset_serves_what_the_budget_gives_up() {
    let scenario = hot();
    let outcome = simulate(&scenario, &Strategy::preset(&scenario), 1).expect("a scenario that can be simulated");
    assert!(outcome.served_share() > 0.985, "{}", outcome.served_share());
    assert!(outcome.calls_per_request() < 1.06, "{}", outcome.calls_per_request());
    assert!(outcome.whole_again() <= Some(Duration::from_secs(1)), "{:?}", outcome.whole_again());
    let outcome = herd(Strategy::preset);
    assert_eq!(outcome.served, 10_000);
    assert!(outcome.calls_per_request() < 2.5, "{}", outcome.calls_per_request());
    assert!(outcome.peak() < 1.7, "{}", outcome.peak());
}

#[test]
fn lone_clients_under_the_preset_are_full_jitter() {
    let herd = tenth(Scenario::herd());
    let scenario = Scenario { processes: 5_000, load: Load::Herd { tasks: 1 }, ..herd };
    let run = |strategy: Strategy| simulate(&scenario, &strategy, 1).expect("a scenario that can be simulated");
    let (full, preset) = (run(Strategy::full(&scenario)), run(Strategy::preset(&scenario)));
    near(preset.calls_per_request(), full.calls_per_request(), 0.01);
    assert_eq!(preset.served, 5_000);
}

#[test]
fn calls_that_share_a_line_hardly_contend() {
    let mean = |lined, of: fn(Contended) -> f64| (0..8).map(|seed| of(contended(100, lined, seed))).sum::<f64>() / 8.0;
    near(mean(false, |run| run.calls), 7.95, 0.05);
    near(mean(false, |run| run.time.as_secs_f64()), 2.46 * SERIAL, 0.1);
    assert!(mean(true, |run| run.calls) <= 2.0);
    assert!(mean(true, |run| run.time.as_secs_f64()) <= 1.85 * SERIAL);
}

/// A hundred changes, one in each round trip of 20 ms.
const SERIAL: f64 = 2.0;

/// One client whose patience is over before its call reaches the server: both calls arrive, and nobody hears of it.
#[test]
fn a_client_gives_up_when_its_patience_is_over_and_its_call_arrives_all_the_same() {
    let scenario = Scenario {
        processes: 1,
        load: Load::Herd { tasks: 1 },
        server: Server::new(),
        leg: Duration::from_millis(25),
        leg_deviation: Duration::ZERO,
        timeout: Duration::from_millis(5),
        ..Scenario::herd()
    };
    let policy = ExponentialBackoff::new().initial(Duration::from_millis(40)).max_attempts(2);
    let outcome = simulate(&scenario, &Strategy::new("two", policy), 1).expect("a scenario that can be simulated");
    assert_eq!((outcome.calls, outcome.served, outcome.given_up), (2, 0, 1));
    // The first from 0 to 25 ms, and the second, after 5 ms of patience and 40 ms of sleep, from 45 to 70 ms.
    let once = Slice { arrived: 1, served: 1, ..Slice::default() };
    assert_eq!(outcome.slices[0], Slice { new: 1, ..Slice::default() });
    assert_eq!(outcome.slices[1..10].iter().position(|slice| *slice == once), Some(1));
    assert_eq!(outcome.slices[7], Slice { retries: 1, ..once });
}

/// Legs that end before the patience does, after it, or never to be counted: time goes forwards, under every guard.
#[test]
fn time_never_runs_backwards() {
    let ms = Duration::from_millis;
    let hour = Duration::from_secs(3_600);
    for (leg, deviation, timeout) in [
        (ms(1_000), ms(500), ms(500)),
        (ms(10), ms(2), Duration::from_micros(1)),
        (ms(10), ms(1_000), ms(500)),
        (hour, hour, Duration::from_nanos(1)),
    ] {
        let traffic = tenth(Scenario::traffic(0.3));
        let scenario = Scenario {
            load: Load::Traffic { load: 0.3, lasts: Duration::from_secs(5) },
            leg,
            leg_deviation: deviation,
            timeout,
            ..traffic
        };
        for which in Which::ALL {
            let mut last = Duration::ZERO;
            let outcome = simulate_with(&scenario, &which.strategy(&scenario), 1, &mut |progress| {
                assert!(progress.time >= last, "{which}: {last:?}, then {:?}", progress.time);
                last = progress.time;
            });
            let outcome = outcome.expect("a scenario that can be simulated");
            assert!(outcome.served + outcome.given_up <= outcome.requests, "{which}");
        }
    }
}

/// What is accepted but longer than the clock counts never happens.
#[test]
fn what_takes_forever_does_not_happen() {
    let traffic = tenth(Scenario::traffic(1e-300));
    let none = simulate(&traffic, &Strategy::full(&traffic), 1).expect("a scenario that can be simulated");
    assert_eq!((none.requests, none.calls), (0, 0));

    let herd = Scenario { processes: 3, load: Load::Herd { tasks: 1 }, ..Scenario::herd() };
    let patient = Strategy::new("patient", ExponentialBackoff::new().initial(Duration::MAX).unlimited());
    let outcome = simulate(&herd, &patient, 1).expect("a scenario that can be simulated");
    assert_eq!((outcome.calls, outcome.served, outcome.given_up), (3, 0, 0));

    let slow = Server { capacity: 1e-300, queue: true, ..Server::new() };
    let outcome = simulate(&Scenario { server: slow, ..herd }, &Strategy::budget(&herd), 1);
    let outcome = outcome.expect("a scenario that can be simulated");
    // Each has four retries, which is what its budget allows.
    assert_eq!((outcome.calls, outcome.served, outcome.given_up), (15, 0, 3));
}

/// A sleep of a nanosecond, and messages that take no time: a budget of 1 ms allows a thousand retries, and ends.
#[test]
fn time_does_not_stand_still() {
    let server = Server { outage: Duration::from_secs(1), ..Server::new() };
    let herd = Scenario { processes: 1, load: Load::Herd { tasks: 1 }, server, ..Scenario::herd() };
    let scenario = Scenario { leg: Duration::ZERO, leg_deviation: Duration::ZERO, ..herd };
    let nano = Duration::from_nanos(1);
    let policy = ExponentialBackoff::new().initial(nano).max_delay(nano).budget(Duration::from_millis(1));
    for strategy in [Strategy::new("nano", policy), Strategy { decorrelated: true, ..Strategy::new("nano", policy) }] {
        let outcome = simulate(&scenario, &strategy, 1).expect("a scenario that can be simulated");
        assert_eq!((outcome.calls, outcome.given_up), (1_001, 1));
    }
}

#[test]
fn a_seed_says_everything() {
    let scenario = Scenario { skew: 0.7, end: Duration::from_secs(9), ..hot() };
    let run = |seed| simulate(&scenario, &Strategy::preset(&scenario), seed).expect("a scenario that can be simulated");
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}
