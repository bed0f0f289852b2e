//! The default generator: a small one for each thread, seeded from the operating system.

use core::cell::Cell;
use std::hash::{BuildHasher as _, RandomState};
use std::time::SystemTime;

use rand::TryRng as _;
use rand::rngs::SysRng;

use super::{Random, SystemRandom, product};

thread_local! {
    /// Zero before the first draw. One number and not a generator of `rand`, whose 32 bytes would cost a draw twice as much.
    static STATE: Cell<u64> = const { Cell::new(0) };
}

impl SystemRandom {
    /// Gives the generator of this thread a new seed from the operating system.
    ///
    /// For a process that was just forked, or a machine that was just restored from an image, if it is not enough that runs
    /// part ways by the time at which they first sleep.
    ///
    /// ```
    /// use backoff_core::random::{Random, SystemRandom};
    /// SystemRandom::reseed();
    /// assert!(SystemRandom.draw(10) <= 10);
    /// ```
    pub fn reseed() {
        STATE.set(seed());
    }
}

impl Random for SystemRandom {
    /// Refreshes before each word, because here nobody says where a run begins.
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

    /// Stirs in the time, which the copy of a process does not share. Asking for its number would be a system call.
    fn refresh(&self) {
        // Elsewhere nothing forks, and there may be no clock to ask.
        if cfg!(any(unix, windows)) {
            let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            let nanos = time.as_secs().wrapping_mul(1_000_000_000).wrapping_add(time.subsec_nanos().into());
            STATE.with(|state| state.set(seeded(state).wrapping_add(nanos.wrapping_mul(SPREAD))));
        }
    }
}

/// The next state is that much further. Not a multiple of [`SPREAD`] by any small number: two processes must not walk into
/// each other's states.
const STEP: u64 = 0x2d35_8dcc_aa6c_78a5;
const SPREAD: u64 = 0x8bb8_4b93_962e_acc9;

/// Sixty-four bits of wyrand, the generator of Wang Yi's wyhash 4.2: a multiplication scatters the states of a plain count.
#[inline]
fn word() -> u64 {
    STATE.with(|state| {
        let next = seeded(state).wrapping_add(STEP);
        state.set(next);
        let (high, low) = product(next, next ^ SPREAD);
        high ^ low
    })
}

#[inline]
fn seeded(state: &Cell<u64>) -> u64 {
    match state.get() {
        0 => seed(),
        state => state,
    }
}

#[cold]
fn seed() -> u64 {
    SysRng.try_next_u64().unwrap_or_else(|_| {
        // The standard library takes the keys of its hash maps from the operating system by other means.
        RandomState::new().hash_one(std::thread::current().id())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Random as _, STATE, SystemRandom, word};

    /// The draws of a process that was copied with its generator in one state.
    fn copied() -> Vec<u128> {
        STATE.set(7);
        SystemRandom.refresh();
        (0..5).map(|_| SystemRandom.draw(1 << 60)).collect()
    }

    #[test]
    fn copies_part_ways() {
        let copies: Vec<_> = (0..1_000).map(|_| copied()).collect();
        assert_eq!(copies.iter().collect::<HashSet<_>>().len(), 1_000);
        assert_eq!(copies.iter().flatten().collect::<HashSet<_>>().len(), 5_000, "nor do they follow each other");
    }

    #[test]
    fn a_new_seed_is_another() {
        let words: HashSet<_> = (0..100)
            .map(|_| {
                SystemRandom::reseed();
                word()
            })
            .collect();
        assert_eq!(words.len(), 100);
    }
}
