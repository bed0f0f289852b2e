//! The state of a run as a future keeps it.

use super::Progress;
use crate::clock::Clock;
use crate::run;

/// A run without guards, and without the bytes that alignment leaves empty.
///
/// A future keeps a byte of its own, which says where it stands. Beside values that are aligned it takes eight; here it finds
/// room where they would have had nothing but padding.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed)]
pub struct Packed<I> {
    run: Option<run::Packed>,
    start: Option<I>,
}

impl<I: Copy> Packed<I> {
    /// A run that starts now.
    #[inline]
    pub fn timed<C: Clock<Instant = I>>(clock: &C) -> Self {
        Self { run: None, start: Some(clock.now()) }
    }

    /// A run of which nothing will ever ask how much time has passed.
    #[inline]
    #[must_use]
    pub const fn untimed() -> Self {
        Self { run: None, start: None }
    }

    /// The state to look at.
    #[inline]
    pub fn unpack(self) -> Progress<I> {
        let Self { run, start } = self;
        Progress { run: run.map(run::Packed::unpack), start, held: () }
    }

    /// The state to work with: what is not aligned can't be lent.
    #[inline]
    pub fn with<Out>(&mut self, work: impl FnOnce(&mut Progress<I>) -> Out) -> Out {
        let mut progress = self.unpack();
        let out = work(&mut progress);
        let Progress { run, start, held: () } = progress;
        *self = Self { run: run.map(run::Run::pack), start };
        out
    }
}
