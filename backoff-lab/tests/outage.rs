//! Strategies side by side: the same figures however many threads, and in the order that was asked for.

use backoff_lab::fleet::{Load, Scenario, Server};
use backoff_lab::outage::{Settings, Which, outage};
use backoff_lab::report::Cell;
use std::time::Duration;

fn small() -> Scenario {
    let usual = Scenario::traffic(0.9);
    Scenario {
        processes: 20,
        load: Load::Traffic { load: 0.9, lasts: Duration::from_secs(15) },
        server: Server { capacity: 1.0, burst: 20.0, refusal_cost: 0.4, ..usual.server },
        end: Duration::from_secs(40),
        ..usual
    }
}

#[test]
fn threads_change_no_figure() {
    let settings = Settings::new(small(), &[Which::Full, Which::Budget, Which::None]);
    let alone = outage(&settings, &|_, _| ()).unwrap();
    let together = outage(&Settings { threads: 3, ..settings.clone() }, &|_, _| ()).unwrap();
    assert_eq!(alone, together);
    let other = outage(&Settings { seed: 2, ..settings }, &|_, _| ()).unwrap();
    assert_ne!(alone, other);
}

#[test]
fn an_outage_tips_full_jitter_over_and_not_the_retry_budget() {
    let found = outage(&Settings::new(small(), &[Which::Full, Which::Budget]), &|_, _| ()).unwrap();
    let report = found.report();
    let row = |at: usize| &report.tables[0].rows[at];
    assert_eq!(
        (row(0)[0].to_string(), row(1)[0].to_string()),
        ("full jitter".into(), "full jitter + retry budget".into())
    );
    let served = |at: usize| match row(at)[1] {
        Cell::Share(share) => share,
        ref other => panic!("{other:?}"),
    };
    assert!(served(0) < 0.7 && served(1) > 0.8, "{} {}", served(0), served(1));
    let figure = report.figure.unwrap();
    assert_eq!((figure.panels.len(), figure.panels[0].series.len()), (2, 2));
}

#[test]
fn a_scenario_that_makes_no_sense_is_refused() {
    let refused = |settings: &Settings| outage(settings, &|_, _| ()).unwrap_err().to_string();
    assert_eq!(refused(&Settings::new(small(), &[])), "there must be one strategy or more");
    let hours = Duration::from_secs(7_200);
    let server = small().server;
    let traffic = |load: f64, lasts: Duration| Scenario { load: Load::Traffic { load, lasts }, ..small() };
    let with = |server: Server| Scenario { server, ..small() };
    for (scenario, sentence) in [
        (Scenario { processes: 0, ..small() }, "`processes` can't be `0`: it must be from 1 to 10,000,000"),
        (Scenario { skew: 4.0, ..small() }, "`skew` can't be `4`: it must be from 0 to 3"),
        (traffic(0.0, hours), "`load` can't be `0`: it must be above 0 and at most 10"),
        (traffic(-0.5, hours), "`load` can't be `-0.5`: it must be above 0 and at most 10"),
        (traffic(f64::NAN, hours), "`load` can't be `NaN`: it must be above 0 and at most 10"),
        (traffic(1.0, hours), "`lasts` can't be `2h`: it must be at most `1h`"),
        (
            Scenario { load: Load::Herd { tasks: 0 }, ..small() },
            "`tasks` can't be `0`: it must be from 1 to 5000000, for 20 processes make at most 100,000,000 calls",
        ),
        (
            Scenario { load: Load::Herd { tasks: 5_000_001 }, ..small() },
            "`tasks` can't be `5000001`: it must be from 1 to 5000000, for 20 processes make at most 100,000,000 calls",
        ),
        (
            with(Server { capacity: 1e300, ..server }),
            "`capacity` can't be `1e300`: it must be above 0 and at most 10,000 a millisecond",
        ),
        (with(Server { burst: 0.5, ..server }), "`burst` can't be `0.5`: it must be from 1 to 1,000,000,000"),
        (with(Server { refusal_cost: 1.5, ..server }), "`refusal_cost` can't be `1.5`: it must be from 0 to 1"),
        (with(Server { dishonest: -1.0, ..server }), "`dishonest` can't be `-1`: it must be from 0 to 1"),
        (with(Server { errors: 2.0, ..server }), "`errors` can't be `2`: it must be from 0 to 1"),
        (with(Server { outage_start: hours, ..server }), "`outage_start` can't be `2h`: it must be at most `1h`"),
        (with(Server { outage: hours, ..server }), "`outage` can't be `2h`: it must be at most `1h`"),
        (Scenario { leg: hours, ..small() }, "`leg` can't be `2h`: it must be at most `1h`"),
        (Scenario { leg_deviation: hours, ..small() }, "`leg_deviation` can't be `2h`: it must be at most `1h`"),
        (
            Scenario { timeout: Duration::ZERO, ..small() },
            "`timeout` can't be `0s`: it must be longer than zero and at most `1h`",
        ),
        (Scenario { end: hours, ..small() }, "`end` can't be `2h`: it must be longer than zero and at most `1h`"),
    ] {
        assert_eq!(refused(&Settings::new(scenario, &[Which::Full])), sentence);
    }
    let most = Scenario { load: Load::Herd { tasks: 5_000_000 }, ..small() };
    assert_eq!(most.check(), Ok(()));
}
