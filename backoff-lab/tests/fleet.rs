//! The simulator against the published figures of an independent model, at a tenth of its size.

use std::time::Duration;

use backoff_lab::fleet::record::{Contended, contended};
use backoff_lab::fleet::{Load, Outcome, Scenario, Server, Strategy, simulate};

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

#[test]
fn a_seed_says_everything() {
    let scenario = Scenario { skew: 0.7, end: Duration::from_secs(9), ..hot() };
    let run = |seed| simulate(&scenario, &Strategy::preset(&scenario), seed).expect("a scenario that can be simulated");
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}
