//! A moment or a length of time that threads share, in 64 bits.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

#[cfg(all(not(loom), target_has_atomic = "64"))]
use core::sync::atomic as numbers;
#[cfg(not(any(loom, target_has_atomic = "64")))]
use locked as numbers;

use super::shared::shared;

shared! {
    /// Who sees a number sees what its writer wrote before.
    Stamp: u64, AtomicU64 in numbers
}

impl Stamp {
    #[inline]
    pub(super) fn get(&self) -> u64 {
        self.number().load(Acquire)
    }

    pub(super) fn set(&self, number: u64) {
        self.number().store(number, Release);
    }

    /// Changes the number, if it is still the one that was seen. Says whether it was.
    #[inline]
    pub(super) fn replace(&self, seen: u64, number: u64) -> bool {
        self.number().compare_exchange(seen, number, AcqRel, Relaxed).is_ok()
    }
}

/// For targets without atomics of 64 bits.
#[cfg(not(any(loom, target_has_atomic = "64")))]
mod locked {
    use core::sync::atomic::Ordering;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    pub(super) struct AtomicU64(Mutex<u64>);

    impl AtomicU64 {
        pub(super) const fn new(number: u64) -> Self {
            Self(Mutex::new(number))
        }

        fn lock(&self) -> MutexGuard<'_, u64> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }

        pub(super) fn load(&self, _: Ordering) -> u64 {
            *self.lock()
        }

        pub(super) fn store(&self, number: u64, _: Ordering) {
            *self.lock() = number;
        }

        pub(super) fn compare_exchange(&self, seen: u64, number: u64, _: Ordering, _: Ordering) -> Result<u64, u64> {
            let mut present = self.lock();
            if *present != seen {
                return Err(*present);
            }
            Ok(core::mem::replace(&mut *present, number))
        }
    }
}
