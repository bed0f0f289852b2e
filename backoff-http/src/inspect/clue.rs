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

    #[cfg_attr(
        not(any(feature = "hyper", feature = "h2", feature = "rustls", feature = "ureq")),
        expect(dead_code, reason = "errors of the standard library don't know how far the request got")
    )]
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
        let kind = match (self.kind, below.kind) {
            // Data that makes no sense while the connection is set up is a failed handshake.
            (Some(ErrorKind::Connect), Some(ErrorKind::Protocol)) => Some(ErrorKind::Tls),
            // And where the network fails meanwhile, there is no connection.
            (Some(ErrorKind::Connect), Some(ErrorKind::Transport)) => Some(ErrorKind::Connect),
            // A connection that is there is not made, whatever the system calls its end.
            (Some(above), Some(ErrorKind::Connect | ErrorKind::Dns))
                if !matches!(above, ErrorKind::Connect | ErrorKind::Dns) =>
            {
                Some(above)
            }
            (above, kind) => kind.or(above),
        };
        Self { kind, phase, certain: below.certain }
    }

    pub(super) fn fault(self) -> Fault {
        let kind = self.kind.unwrap_or(ErrorKind::Unknown);
        Fault { kind, phase: self.phase.unwrap_or(kind.usual_phase()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_certain_keeps_its_kind_and_learns_only_how_far_the_request_got() {
        let above = Clue::kind(ErrorKind::Redirect).certain();
        let below = Clue::kind(ErrorKind::Reset).phase(Phase::HeadersReceived);
        let right = Fault { kind: ErrorKind::Redirect, phase: Phase::HeadersReceived };
        assert_eq!(above.deeper(below).fault(), right);
        assert_eq!(above.deeper(below).deeper(Clue::kind(ErrorKind::Dns)).fault(), right, "and stays certain");
    }

    #[test]
    fn the_deepest_kind_counts_and_the_first_phase() {
        let above = Clue::kind(ErrorKind::Transport).phase(Phase::NotSent);
        let below = Clue::kind(ErrorKind::Reset).phase(Phase::HeadersReceived);
        assert_eq!(above.deeper(below).fault(), Fault { kind: ErrorKind::Reset, phase: Phase::NotSent });
        assert_eq!(above.deeper(Clue::default()).fault(), Fault { kind: ErrorKind::Transport, phase: Phase::NotSent });
    }

    #[test]
    fn where_no_phase_is_known_it_is_the_usual_one() {
        let usual = |kind| Clue::kind(kind).fault().phase;
        assert_eq!(usual(ErrorKind::Refused), Phase::NotSent);
        assert_eq!(usual(ErrorKind::Reset), Phase::Sent);
        assert_eq!(usual(ErrorKind::Decode), Phase::HeadersReceived);
        assert_eq!(Clue::default().fault(), Fault { kind: ErrorKind::Unknown, phase: Phase::Sent });
    }

    #[test]
    fn only_a_connection_that_is_being_made_is_refused() {
        let refused = Clue::kind(ErrorKind::Connect);
        for above in [Clue::default(), refused, Clue::kind(ErrorKind::Dns)] {
            assert_eq!(above.deeper(refused).fault(), Fault { kind: ErrorKind::Connect, phase: Phase::NotSent });
        }
        for kind in [ErrorKind::Transport, ErrorKind::Reset, ErrorKind::Timeout, ErrorKind::Body] {
            for below in [refused, Clue::kind(ErrorKind::Dns)] {
                assert_eq!(Clue::kind(kind).deeper(below).fault(), Fault { kind, phase: Phase::Sent });
            }
        }
        let network = Clue::kind(ErrorKind::Transport);
        assert_eq!(refused.deeper(network).fault(), Fault { kind: ErrorKind::Connect, phase: Phase::NotSent });
        assert_eq!(network.deeper(network).fault(), Fault { kind: ErrorKind::Transport, phase: Phase::Sent });
    }

    #[test]
    fn nonsense_while_connecting_is_a_failed_handshake() {
        let connecting = Clue::kind(ErrorKind::Connect);
        assert_eq!(connecting.deeper(Clue::kind(ErrorKind::Protocol)).fault().kind, ErrorKind::Tls);
        assert_eq!(
            Clue::kind(ErrorKind::Reset).deeper(Clue::kind(ErrorKind::Protocol)).fault().kind,
            ErrorKind::Protocol
        );
    }
}
