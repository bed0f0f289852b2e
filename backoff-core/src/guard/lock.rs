//! The lock around the state of a guard: held for a few instructions, never across a sleep or anybody else's code.

#[cfg(loom)]
use std::sync::OnceLock;
use std::sync::{Mutex, PoisonError};

/// A mutex, or under `--cfg loom` one whose interleavings are tried out.
pub(super) struct Lock<T> {
    state: Mutex<T>,
    #[cfg(loom)]
    turn: OnceLock<loom::sync::Mutex<()>>,
}

/// The state, as long as it is locked.
pub(super) struct Locked<'a, T> {
    state: std::sync::MutexGuard<'a, T>,
    /// Behind the state, so that it is given up after it.
    #[cfg(loom)]
    _turn: loom::sync::MutexGuard<'a, ()>,
}

impl<T> Lock<T> {
    pub(super) const fn new(state: T) -> Self {
        Self {
            state: Mutex::new(state),
            #[cfg(loom)]
            turn: OnceLock::new(),
        }
    }

    /// Nothing that runs under the lock can panic half way, so a poisoned one is as good as any.
    pub(super) fn lock(&self) -> Locked<'_, T> {
        #[cfg(loom)]
        let turn = self.turn.get_or_init(|| loom::sync::Mutex::new(())).lock().unwrap_or_else(PoisonError::into_inner);
        Locked {
            state: self.state.lock().unwrap_or_else(PoisonError::into_inner),
            #[cfg(loom)]
            _turn: turn,
        }
    }
}

impl<T> core::ops::Deref for Locked<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.state
    }
}

impl<T> core::ops::DerefMut for Locked<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.state
    }
}
