//! Errors of the standard library.

use std::error::Error;
use std::io;

use super::clue::Clue;
use crate::ErrorKind::{Connect, Dns, Protocol, Reset, Timeout, Transport};

pub(super) fn clue(error: &(dyn Error + 'static)) -> Option<Clue> {
    if error.is::<backoff_core::AttemptTimeout>() {
        return Some(Clue::kind(Timeout));
    }
    Some(of_kind(error.downcast_ref()?))
}

fn of_kind(error: &io::Error) -> Clue {
    match error.kind() {
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
        _ if is_lookup(error) => Clue::kind(Dns),
        _ => Clue::default(),
    }
}

/// Whether a name could not be resolved. Such an error has no kind that can be matched: on Windows it has a number, elsewhere a
/// text.
fn is_lookup(error: &io::Error) -> bool {
    const WSAHOST_NOT_FOUND: i32 = 11_001;
    const WSANO_DATA: i32 = 11_004;
    match error.raw_os_error() {
        Some(number) => cfg!(windows) && (WSAHOST_NOT_FOUND..=WSANO_DATA).contains(&number),
        // What an error wraps is looked at by itself.
        None => error.source().is_none() && error.to_string().starts_with("failed to lookup address information: "),
    }
}
