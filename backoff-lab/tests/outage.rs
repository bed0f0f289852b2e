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
    let scenario = Scenario { skew: 4.0, ..small() };
    assert_eq!(refused(&Settings::new(scenario, &[Which::Full])), "`skew` must be from 0 to 3");
}
