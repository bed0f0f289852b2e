//! Errors of `hyper`.

use std::error::Error;

use super::clue::Clue;
use crate::ErrorKind::{Body, Protocol, Reset, Timeout, Transport};
use crate::Phase;

pub(super) fn clue(error: &(dyn Error + 'static)) -> Option<Clue> {
    let error = error.downcast_ref::<hyper::Error>()?;
    Some(if error.is_canceled() {
        // The request was handed back: the connection was gone before it could be written.
        Clue::kind(Transport).phase(Phase::NotSent)
    } else if error.is_timeout() {
        Clue::kind(Timeout)
    } else if error.is_incomplete_message() || error.is_closed() || error.is_body_write_aborted() {
        Clue::kind(Reset)
    } else if error.is_parse() {
        Clue::kind(Protocol)
    } else if error.is_user() {
        Clue::kind(Body)
    } else {
        Clue::kind(Transport)
    })
}
