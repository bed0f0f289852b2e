//! The lock around the state of a guard: held for a few instructions, never across a sleep or anybody else's code.

use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub(super) struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub(super) const fn new(state: T) -> Self {
        Self(Mutex::new(state))
    }

    /// Nothing that runs under the lock can panic half way, so a poisoned one is as good as any.
    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
