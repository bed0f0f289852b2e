//! A number that threads share.

use core::sync::atomic::Ordering::Relaxed;

use super::shared::shared;

shared! {
    /// Every access is relaxed: what has to be seen together with other state is read again under the lock.
    Word: u32, AtomicU32 in core::sync::atomic
}

impl Word {
    #[inline]
    pub(super) fn get(&self) -> u32 {
        self.number().load(Relaxed)
    }

    #[cfg(feature = "std")]
    pub(super) fn set(&self, number: u32) {
        self.number().store(number, Relaxed);
    }

    /// Adds one, and begins again at zero after four billion.
    #[inline]
    pub(super) fn count(&self) {
        self.number().fetch_add(1, Relaxed);
    }

    /// Changes the number, unless `change` has nothing to change. Says whether it did.
    #[inline]
    pub(super) fn change(&self, change: impl Fn(u32) -> Option<u32>) -> bool {
        self.number().fetch_update(Relaxed, Relaxed, change).is_ok()
    }
}
