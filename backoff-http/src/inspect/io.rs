//! Errors of the standard library.

use std::error::Error;
use std::io;

use super::clue::Clue;
use crate::ErrorKind::{Connect, Protocol, Reset, Timeout, Transport};

pub(super) fn clue(error: &(dyn Error + 'static)) -> Option<Clue> {
    if error.is::<backoff_core::AttemptTimeout>() {
        return Some(Clue::kind(Timeout));
    }
    Some(of_kind(error.downcast_ref::<io::Error>()?.kind()))
}

fn of_kind(kind: io::ErrorKind) -> Clue {
    match kind {
        io::ErrorKind::ConnectionRefused | io::ErrorKind::AddrNotAvailable => Clue::kind(Connect),
        // A connection ends like that too, if the network goes away under it. The errors above tell whether it was being made.
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable | io::ErrorKind::NetworkDown => {
            Clue::kind(Transport)
        }
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::NotConnected
        | io::ErrorKind::UnexpectedEof => Clue::kind(Reset),
        // A socket with a timeout of its own says `WouldBlock` on Unix.
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Clue::kind(Timeout),
        io::ErrorKind::InvalidData => Clue::kind(Protocol),
        _ => Clue::default(),
    }
}
