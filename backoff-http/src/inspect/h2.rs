//! Errors of HTTP/2.

use std::error::Error;

use ::h2::Reason;

use super::clue::Clue;
use crate::ErrorKind::{Protocol, Refused, Reset};
use crate::Phase;

pub(super) fn clue(error: &(dyn Error + 'static)) -> Option<Clue> {
    let error = error.downcast_ref::<::h2::Error>()?;
    Some(match error.reason() {
        Some(Reason::REFUSED_STREAM) => Clue::kind(Refused).phase(Phase::NotSent),
        // The server goes away in peace: streams that it still answers do not end like this.
        Some(Reason::NO_ERROR) if error.is_go_away() && error.is_remote() => Clue::kind(Refused).phase(Phase::NotSent),
        Some(
            Reason::PROTOCOL_ERROR
            | Reason::FRAME_SIZE_ERROR
            | Reason::COMPRESSION_ERROR
            | Reason::HTTP_1_1_REQUIRED
            | Reason::INADEQUATE_SECURITY,
        ) => Clue::kind(Protocol),
        _ => Clue::kind(Reset),
    })
}
