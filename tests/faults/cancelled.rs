//! C10: a future is dropped at every await there is.

use std::task::{Context, Poll, Waker};

use super::scene::{ASYNC, Answer, Driver, Fault, Future, Scene, polled, spends};

/// Polls so often, then drops. Whether it was pending all the time.
fn dropped_after(mut future: Future<'_>, polls: u32) -> bool {
    let mut context = Context::from_waker(Waker::noop());
    (0..polls).all(|_| future.as_mut().poll(&mut context).is_pending())
}

/// Drops after 0, 1, 2, .. polls until the run ends first. How many polls that takes.
fn at_every_await(name: &str, driver: Driver, scene: fn() -> Scene) -> u32 {
    for polls in 0..1_000 {
        let scene = scene();
        if !dropped_after(driver(&scene), polls) {
            return polls;
        }
        scene.assert_whole(driver, spends(name), &format!("{name}, dropped after {polls} polls"));
    }
    panic!("{name} never ends");
}

#[test]
fn c10_a_run_that_is_dropped_gives_everything_back_wherever_it_waits() {
    for (name, driver) in ASYNC {
        let polls = at_every_await(name, driver, Scene::new);
        // Four attempts that wait, and three sleeps.
        assert!(polls >= 10, "{name} waits {polls} times only");
    }
}

#[test]
fn c10_so_does_one_that_would_have_succeeded() {
    for (name, driver) in ASYNC {
        at_every_await(name, driver, || Scene::new().healing_at(3));
    }
}

/// Two runs in the same guards: the first is dropped after so many polls of both, and the second goes on.
#[test]
fn c10_a_run_that_is_dropped_holds_nobody_up() {
    for (name, driver) in ASYNC {
        // The breaker lets one probe through: let it be closed.
        let whole = || {
            let scene = Scene::new().healing_at(1);
            assert_eq!(polled(driver(&scene), 1_000), Some(Ok(1)));
            scene.begun.set(0);
            scene.healing_at(u32::MAX)
        };
        for polls in 0..200 {
            let scene = whole();
            let (mut first, mut second) = (driver(&scene), driver(&scene));
            let mut context = Context::from_waker(Waker::noop());
            let mut ended: Option<Answer> = None;
            for _ in 0..polls {
                let _ = first.as_mut().poll(&mut context).is_ready() && {
                    first = Box::pin(std::future::pending());
                    true
                };
                if let Poll::Ready(answer) = second.as_mut().poll(&mut context) {
                    ended = Some(answer);
                    break;
                }
            }
            drop(first);
            let answer = ended.or_else(|| polled(second, 1_000));
            assert_eq!(answer, Some(Err(Fault)), "{name}, the other one dropped after {polls} polls");
            assert_eq!(scene.queue.snapshot().waiting + scene.pacer.snapshot().waiting, 0, "{name}, {polls}");
        }
    }
}
