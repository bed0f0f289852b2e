//! The state of a run without the bytes that alignment leaves empty.

use super::Run;
use crate::error::Reason;

/// Thirteen bytes instead of sixteen.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed)]
pub(crate) struct Packed {
    slept: u64,
    failed: u32,
    ending: Option<Reason>,
}

impl Run {
    #[inline]
    pub(crate) const fn pack(self) -> Packed {
        let Self { slept, failed, ending } = self;
        Packed { slept, failed, ending }
    }
}

impl Packed {
    #[inline]
    pub(crate) const fn unpack(self) -> Run {
        let Self { slept, failed, ending } = self;
        Run { slept, failed, ending }
    }
}
