//! The decision machine alone, as a driver of somebody's own asks it.

use std::time::Duration;

use backoff_core::ExponentialBackoff;
use backoff_core::random::NoRandom;
use backoff_core::run::{Decision, Elapsed, Failure, Pause, Run};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

const START: Elapsed = Elapsed::since_start(Duration::ZERO);

fn pause(run: &mut Run, failure: Failure) -> Pause {
    match run.failed(&ExponentialBackoff::new(), failure, START, &NoRandom) {
        Decision::Sleep(pause) => pause,
        Decision::Stop(stop) => panic!("{stop}"),
    }
}

#[test]
fn a_failure_is_told_with_its_hint() {
    let told = Failure::transient().hint(Some(ms(1_000)));
    assert_eq!(told, Failure { transient: true, hint: Some(ms(1_000)) });
    assert_eq!(Failure::permanent().hint(Some(ms(1))), Failure { transient: false, hint: Some(ms(1)) });
    assert_eq!(told.hint(None), Failure::transient());
    assert_eq!(pause(&mut Run::new(), Failure::transient()).sleep, ms(200));
    assert_eq!(pause(&mut Run::new(), told).sleep, ms(1_000));
}

#[test]
fn what_was_slept_is_what_the_driver_says() {
    let mut run = Run::new();
    let first = pause(&mut run, Failure::transient());
    assert_eq!((first.sleep, run.slept()), (ms(200), ms(200)));
    run.rested(&first, ms(1_000));
    assert_eq!(run.slept(), ms(1_000));
    let second = pause(&mut run, Failure::transient());
    run.rested(&second, ms(100));
    assert_eq!((second.sleep, run.slept()), (ms(400), ms(1_100)));
}
