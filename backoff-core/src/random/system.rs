//! The default generator: a small one for each thread, seeded from the operating system.

use core::cell::Cell;
use std::hash::{BuildHasher as _, RandomState};
use std::time::SystemTime;

use super::{Random, SystemRandom, product};

/// A generator and the process that seeded it: after a `fork` the child must not repeat the parent.
struct Generator {
    /// Zero before the first draw. One number and not a generator of `rand`, whose 32 bytes would cost a draw twice as much.
    state: Cell<u64>,
    process: Cell<u32>,
}

thread_local! {
    static GENERATOR: Generator = const { Generator { state: Cell::new(0), process: Cell::new(0) } };
}

impl SystemRandom {
    /// Gives the generator of this thread a new seed.
    ///
    /// For a machine that was just restored from an image, whose copies would otherwise draw alike. After a `fork` every run
    /// notices by itself, and so does `next_u64`; a child that calls [`draw`](Random::draw) or the policy's `sleep` by hand calls
    /// this first.
    ///
    /// ```
    /// use backoff_core::random::{Random, SystemRandom};
    /// SystemRandom::reseed();
    /// assert!(SystemRandom.draw(10) <= 10);
    /// ```
    pub fn reseed() {
        GENERATOR.with(|generator| {
            generator.process.set(process());
            generator.state.set(seed());
        });
    }
}

impl Random for SystemRandom {
    /// Looks for a fork before each word, because here nobody says where a run begins.
    fn next_u64(&self) -> u64 {
        self.refresh();
        word()
    }

    #[inline]
    fn draw(&self, width: u128) -> u128 {
        #[cfg(feature = "testing")]
        if let Some(drawn) = crate::testing::scripted_draw(width) {
            return drawn;
        }
        super::uniform(word, width)
    }

    /// Once a run and not once a draw, because asking for the process is a system call.
    fn refresh(&self) {
        if GENERATOR.with(|generator| generator.process.get()) != process() {
            Self::reseed();
        }
    }
}

/// The next state is that much further.
const STEP: u64 = 0x2d35_8dcc_aa6c_78a5;
const SPREAD: u64 = 0x8bb8_4b93_962e_acc9;

/// Sixty-four bits of wyrand, the generator of Wang Yi's wyhash 4.2: a multiplication scatters the states of a plain count.
#[inline]
fn word() -> u64 {
    GENERATOR.with(|generator| {
        let state = match generator.state.get() {
            0 => seed(),
            state => state,
        };
        let next = state.wrapping_add(STEP);
        generator.state.set(next);
        let (high, low) = product(next, next ^ SPREAD);
        high ^ low
    })
}

/// The keys come from the operating system, for each thread. The copy of a process or of a machine has the same ones, so what
/// sets it apart is hashed under them.
#[cold]
fn seed() -> u64 {
    RandomState::new().hash_one((process(), SystemTime::now()))
}

/// Only Unix can fork; elsewhere asking for the process may not even be possible.
fn process() -> u32 {
    if cfg!(unix) { std::process::id() } else { 0 }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{GENERATOR, Random as _, SystemRandom, process, word};

    /// The draws of a process whose parent had a generator in one state.
    fn forked() -> Vec<u128> {
        GENERATOR.with(|generator| {
            generator.state.set(7);
            generator.process.set(process() ^ 1);
        });
        SystemRandom.refresh();
        (0..5).map(|_| SystemRandom.draw(1 << 60)).collect()
    }

    #[test]
    #[cfg(unix)]
    fn a_forked_process_does_not_repeat_its_parent() {
        let children: Vec<_> = (0..1_000).map(|_| forked()).collect();
        assert_eq!(children.iter().flatten().collect::<HashSet<_>>().len(), 5_000);
    }

    #[test]
    #[cfg(unix)]
    fn a_process_is_known_by_its_number() {
        assert_eq!(process(), std::process::id());
    }

    #[test]
    fn the_same_process_goes_on() {
        SystemRandom::reseed();
        GENERATOR.with(|generator| generator.state.set(7));
        SystemRandom.refresh();
        assert_eq!(GENERATOR.with(|generator| generator.state.get()), 7);
    }

    #[test]
    fn words_are_those_of_wyrand() {
        SystemRandom::reseed();
        GENERATOR.with(|generator| generator.state.set(1));
        assert_eq!(
            [SystemRandom.next_u64(), word(), word(), word()],
            [0xa833_bdcd_b6d1_beb1, 0x88dc_97e5_aab5_fe3d, 0x3d58_bb03_f31a_4686, 0xc763_de76_4d6f_e1b0]
        );
    }

    #[test]
    fn a_new_seed_is_another() {
        GENERATOR.with(|generator| generator.state.set(7));
        SystemRandom::reseed();
        assert_ne!(GENERATOR.with(|generator| generator.state.get()), 7);
        let words: HashSet<_> = (0..100)
            .map(|_| {
                SystemRandom::reseed();
                word()
            })
            .collect();
        assert_eq!(words.len(), 100);
    }
}
