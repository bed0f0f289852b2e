//! A number that threads share: an atomic, or under `--cfg loom` one whose interleavings are tried out.

#[cfg(not(loom))]
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

/// Every access is relaxed: what has to be seen together with other state is read again under the lock.
pub(super) struct Word {
    #[cfg(not(loom))]
    number: AtomicU32,
    #[cfg(loom)]
    start: u32,
    /// Made at the first use and never dropped, because loom's own can do neither in a constant.
    #[cfg(loom)]
    number: std::sync::Mutex<Option<&'static loom::sync::atomic::AtomicU32>>,
}

impl Word {
    #[cfg(not(loom))]
    pub(super) const fn new(number: u32) -> Self {
        Self { number: AtomicU32::new(number) }
    }

    #[cfg(loom)]
    pub(super) const fn new(start: u32) -> Self {
        Self { start, number: std::sync::Mutex::new(None) }
    }

    #[cfg(not(loom))]
    #[inline]
    const fn number(&self) -> &AtomicU32 {
        &self.number
    }

    #[cfg(loom)]
    fn number(&self) -> &loom::sync::atomic::AtomicU32 {
        use loom::sync::atomic::AtomicU32;
        let mut number = self.number.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        number.get_or_insert_with(|| Box::leak(Box::new(AtomicU32::new(self.start))))
    }

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
