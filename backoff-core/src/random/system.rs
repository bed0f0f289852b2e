//! The default generator: a small one for each thread, seeded from the operating system.

use core::cell::Cell;
use std::hash::{BuildHasher as _, RandomState};

use rand::rngs::{SmallRng, SysRng};
use rand::{Rng as _, SeedableRng as _};

use super::{Random, SystemRandom};

/// A generator and the process that seeded it: after a `fork` the child must not repeat the parent.
struct Seeded {
    process: u32,
    rng: SmallRng,
}

thread_local! {
    static GENERATOR: Cell<Option<Seeded>> = const { Cell::new(None) };
}

impl Random for SystemRandom {
    fn next_u64(&self) -> u64 {
        // While a thread is torn down its generator is gone; a fresh seed serves as well.
        GENERATOR.try_with(next).unwrap_or_else(|_| seeded().next_u64())
    }

    #[cfg(feature = "testing")]
    fn draw(&self, width: u128) -> u128 {
        match crate::testing::scripted_draw(width) {
            Some(drawn) => drawn,
            None => super::uniform(self, width),
        }
    }
}

fn next(generator: &Cell<Option<Seeded>>) -> u64 {
    let process = process();
    let mut seeded = match generator.take() {
        Some(seeded) if seeded.process == process => seeded,
        _ => Seeded { process, rng: seeded() },
    };
    let word = seeded.rng.next_u64();
    generator.set(Some(seeded));
    word
}

fn seeded() -> SmallRng {
    SmallRng::try_from_rng(&mut SysRng).unwrap_or_else(|_| {
        // The standard library takes the keys of its hash maps from the operating system by other means.
        SmallRng::seed_from_u64(RandomState::new().hash_one(std::thread::current().id()))
    })
}

/// Only Unix can fork; elsewhere asking for the process may not even be possible.
fn process() -> u32 {
    if cfg!(unix) { std::process::id() } else { 0 }
}
