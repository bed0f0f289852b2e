//! What pacers learn, and that the table says so.

use std::time::Duration;

use backoff_core::guard::PacerMode;
use backoff_lab::pacer::{Paces, Settings, pacer};
use backoff_lab::report::Cell;

fn shares(paces: &Paces, column: usize) -> Vec<f64> {
    let table = &paces.report().tables[0];
    table
        .rows
        .iter()
        .map(|row| match &row[column] {
            Cell::Share(number) | Cell::Number(number) => *number,
            #[expect(clippy::cast_precision_loss, reason = "a few hundred calls")]
            Cell::Count(count) => *count as f64,
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn annealed_has_a_tenth_of_the_spread_and_follows_within_a_hundred_calls() {
    let modes = vec![PacerMode::Literal, PacerMode::Annealed];
    let paces = pacer(&Settings { modes, ..Settings::default() }).unwrap();
    let spread = shares(&paces, 4);
    for phase in 0..3 {
        assert!(spread[3 + phase] < spread[phase] / 10.0, "{spread:?}");
    }
    let found_after = shares(&paces, 6);
    assert!(found_after[3..].iter().all(|calls| *calls < 100.0), "{found_after:?}");
    let (asked, learned) = (shares(&paces, 2), shares(&paces, 3));
    for phase in 3..6 {
        assert!((learned[phase] / asked[phase] - 1.0).abs() < 0.05, "{learned:?}");
    }
}

#[test]
fn calls_are_never_closer_than_the_interval_before_them() {
    let paces = pacer(&Settings::default()).unwrap();
    for pace in &paces.paces {
        assert!(pace.calls.windows(2).all(|pair| {
            let apart = pair[1].at.saturating_sub(pair[0].at).as_secs_f64() * 1_000.0;
            apart >= pair[0].interval - 1e-6
        }));
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |settings: Settings| pacer(&settings).unwrap_err().to_string();
    assert_eq!(
        refused(Settings { limits: vec![0.0], ..Settings::default() }),
        "a limit can't be `0`: it must be from 0.01 to 10000 calls a second"
    );
    assert_eq!(
        refused(Settings { hold: Duration::ZERO, ..Settings::default() }),
        "`hold` can't be `0s`: it must be longer than zero and at most `1h`"
    );
    assert_eq!(refused(Settings { up: f64::NAN, ..Settings::default() }), "`up` of a pacer must be from 1 to 100");
    assert_eq!(
        refused(Settings { modes: vec![], ..Settings::default() }),
        "there must be one mode and one limit, or more of either"
    );
}
