//! The simulations, shared out among threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use super::Settings;
use crate::Error;
use crate::fleet::{Outcome, Progress, simulate_with};

/// Every outcome, in the order of the strategies. Each has its own generator, so the order of work changes nothing.
pub(super) fn all(settings: &Settings, progress: &(dyn Fn(usize, Progress) + Sync)) -> Result<Vec<Outcome>, Error> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.clamp(1, settings.strategies.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(strategy) = settings.strategies.get(at) else { return };
                    let outcome =
                        simulate_with(&settings.scenario, strategy, settings.seed, &mut |now| progress(at, now));
                    if sender.send((at, outcome)).is_err() {
                        return;
                    }
                }
            });
        }
    });
    drop(sender);
    let mut outcomes: Vec<_> = receiver.into_iter().collect();
    outcomes.sort_by_key(|(at, _)| *at);
    outcomes.into_iter().map(|(_, outcome)| outcome.map_err(|error| Error::Setting(error.to_string()))).collect()
}
