//! C10: a panic in everything that a run calls, at each passage.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Waker};
use std::thread;
use std::time::Duration;

use backoff_core::guard::{Circuit, CircuitBreaker, CircuitChange, Moment};

use super::scene::{ASYNC, Answer, BLOCKING, Driver, Fault, Scene, polled, spends};

const PLACES: [&str; 9] =
    ["operation", "predicate", "hint", "on_retry", "on_give_up", "on_success", "clock", "random", "sleep"];

/// Panics at the first, second, .. passage until the run comes through. How many there are.
fn at_every_passage(name: &str, driver: Driver, place: &'static str, scene: fn() -> Scene, lost: Option<u32>) -> u32 {
    for passage in 1..1_000 {
        let scene = scene().tripping(place, passage);
        let ran = catch_unwind(AssertUnwindSafe(|| polled(driver(&scene), 1_000)));
        match ran {
            Ok(answer) => {
                assert!(answer.is_some(), "{name} is stuck");
                return passage - 1;
            }
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                assert_eq!(text, format!("tripped at {place}"), "{name}: the panic itself comes out");
                scene.assert_whole(driver, lost, &format!("{name}, panic in {place}, passage {passage}"));
            }
        }
    }
    panic!("{name} never comes through");
}

#[test]
fn c10_a_panic_anywhere_gives_everything_back_and_comes_out_as_it_was() {
    for (name, driver) in ASYNC.into_iter().chain(BLOCKING) {
        for place in PLACES {
            // A clock that panics between the end of a sleep and the attempt leaves a retry paid that is not made.
            let lost = spends(name).map(|_| if place == "clock" { 5 } else { 0 });
            let passages = at_every_passage(name, driver, place, Scene::new, lost);
            let healed = at_every_passage(name, driver, place, || Scene::new().healing_at(3), None);
            // What is cut returns nothing to look at.
            if name != "retry_async with a timeout" || matches!(place, "on_retry" | "on_give_up") {
                let right = match place {
                    "operation" | "predicate" | "hint" => passages == 4,
                    "on_retry" => passages == 3,
                    "on_give_up" => passages == 1,
                    "on_success" => passages == 0 && healed == 1,
                    _ => passages >= 3,
                };
                assert!(right, "{name}: {place} is passed {passages} and {healed} times");
            }
        }
    }
}

#[test]
fn c10_a_neighbour_that_dies_with_a_permit_leaves_it_to_the_others() {
    let breaker = CircuitBreaker::new().failures(1);
    let at = |seconds| move || Moment::at(Duration::from_secs(seconds));
    breaker.admit(at(0)).expect("closed").failed(at(0));
    thread::scope(|scope| {
        let dies = scope.spawn(|| {
            let _probe = breaker.admit(at(60)).expect("half open");
            std::panic::resume_unwind(Box::new("died"));
        });
        assert!(dies.join().is_err());
    });
    assert_eq!(breaker.snapshot(at(60)()).probes, 0);
    assert!(breaker.admit(at(60)).is_ok(), "the place is free");
}

/// Polls two runs by turns until one panics, then the other to its end. None if none panics.
fn survivor(driver: Driver, scene: &Scene) -> Option<Answer> {
    let mut runs = [driver(scene), driver(scene)];
    let mut context = Context::from_waker(Waker::noop());
    let mut is_over = [false; 2];
    while is_over != [true; 2] {
        for at in [0, 1] {
            if is_over[at] {
                continue;
            }
            match catch_unwind(AssertUnwindSafe(|| runs[at].as_mut().poll(&mut context))) {
                Ok(poll) => is_over[at] = poll.is_ready(),
                Err(_) if is_over[1 - at] => return Some(Err(Fault)),
                Err(_) => {
                    let [first, second] = runs;
                    let (dead, other) = if at == 0 { (first, second) } else { (second, first) };
                    drop(dead);
                    return Some(polled(other, 1_000).expect("the other one is stuck"));
                }
            }
        }
    }
    None
}

#[test]
fn c10_a_neighbour_that_panics_holds_nobody_up() {
    for (name, driver) in ASYNC {
        for place in PLACES {
            for passage in 1..1_000 {
                let scene = Scene::new().healing_at(1);
                assert_eq!(polled(driver(&scene), 1_000), Some(Ok(1)), "the circuit is closed");
                scene.begun.set(0);
                let scene = scene.healing_at(u32::MAX).tripping(place, passage);
                let Some(answer) = survivor(driver, &scene) else { break };
                assert_eq!(answer, Err(Fault), "{name}, panic in {place}, passage {passage}");
                let waiting = scene.queue.snapshot().waiting + scene.pacer.snapshot().waiting;
                assert_eq!(waiting, 0, "{name}, panic in {place}, passage {passage}");
                let end = scene.time.elapsed();
                assert!(end < Duration::from_secs(120), "{name}, panic in {place}, passage {passage}: {end:?}");
            }
        }
    }
}

/// A hook that can't bear to see a circuit half open.
fn dies(change: &CircuitChange) {
    if change.to == Circuit::HalfOpen {
        std::panic::resume_unwind(Box::new("died"));
    }
}

#[test]
fn c10_a_hook_that_panics_takes_no_permit_with_it() {
    let breaker = CircuitBreaker::new().failures(1).on_change(dies);
    let at = |seconds| move || Moment::at(Duration::from_secs(seconds));
    breaker.admit(at(0)).expect("closed").failed(at(0));
    assert!(catch_unwind(AssertUnwindSafe(|| breaker.admit(at(60)).is_ok())).is_err(), "the hook was called");
    assert_eq!(breaker.snapshot(at(60)()).probes, 0);
    breaker.admit(at(60)).expect("the place is free").succeeded(at(60));
    assert_eq!(breaker.snapshot(at(60)()).circuit, Circuit::Closed);
}
