//! What is known so far, on the way down a chain of errors.

use super::Fault;
use crate::{ErrorKind, Phase};

/// What one error says, or several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clue {
    pub(crate) kind: Option<ErrorKind>,
    pub(crate) phase: Option<Phase>,
    /// Something more telling than the errors below: they are not to change the kind.
    pub(crate) certain: bool,
}

impl Clue {
    pub(crate) const fn kind(kind: ErrorKind) -> Self {
        Self { kind: Some(kind), phase: None, certain: false }
    }

    pub(crate) const fn phase(self, phase: Phase) -> Self {
        Self { phase: Some(phase), ..self }
    }

    /// The kind is what this error says, whatever caused it.
    #[cfg_attr(
        not(any(feature = "rustls", feature = "reqwest", feature = "ureq")),
        expect(dead_code, reason = "only errors of some crates are certain")
    )]
    pub(crate) const fn certain(self) -> Self {
        Self { certain: true, ..self }
    }

    /// This and what the next error below says: its kind, because it is nearer to the cause, and its phase if none above
    /// knew.
    pub(super) fn deeper(self, below: Self) -> Self {
        let phase = self.phase.or(below.phase);
        if self.certain {
            return Self { phase, ..self };
        }
        // Data that makes no sense while the connection is set up is a failed handshake.
        let kind = match (self, below.kind) {
            (Self { kind: Some(ErrorKind::Connect), .. }, Some(ErrorKind::Protocol)) => Some(ErrorKind::Tls),
            (_, kind) => kind.or(self.kind),
        };
        Self { kind, phase, certain: below.certain }
    }

    pub(super) fn fault(self) -> Fault {
        let kind = self.kind.unwrap_or(ErrorKind::Unknown);
        Fault { kind, phase: self.phase.unwrap_or(kind.usual_phase()) }
    }
}
