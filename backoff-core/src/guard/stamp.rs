//! A moment or a length of time that threads share, in 64 bits: an atomic, or under `--cfg loom` one whose interleavings are
//! tried out.

#[cfg(all(not(loom), target_has_atomic = "64"))]
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

#[cfg(not(any(loom, target_has_atomic = "64")))]
use locked::AtomicU64;

/// Who sees a number sees what its writer wrote before.
pub(super) struct Stamp {
    #[cfg(not(loom))]
    number: AtomicU64,
    #[cfg(loom)]
    start: u64,
    /// Made at the first use and never dropped, because loom's own can do neither in a constant.
    #[cfg(loom)]
    number: std::sync::Mutex<Option<&'static loom::sync::atomic::AtomicU64>>,
}

impl Stamp {
    #[cfg(not(loom))]
    pub(super) const fn new(number: u64) -> Self {
        Self { number: AtomicU64::new(number) }
    }

    #[cfg(loom)]
    pub(super) const fn new(start: u64) -> Self {
        Self { start, number: std::sync::Mutex::new(None) }
    }

    #[cfg(not(loom))]
    #[inline]
    const fn number(&self) -> &AtomicU64 {
        &self.number
    }

    #[cfg(loom)]
    fn number(&self) -> &loom::sync::atomic::AtomicU64 {
        use loom::sync::atomic::AtomicU64;
        let mut number = self.number.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        number.get_or_insert_with(|| Box::leak(Box::new(AtomicU64::new(self.start))))
    }

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
