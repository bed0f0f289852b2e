//! Errors of `reqwest`.

use std::error::Error;

use super::clue::Clue;
use crate::ErrorKind::{Connect, Decode, Redirect, Request, Timeout, Transport};
use crate::Phase;

pub(super) fn clue(error: &(dyn Error + 'static)) -> Option<Clue> {
    let error = error.downcast_ref::<::reqwest::Error>()?;
    Some(if error.is_builder() {
        Clue::kind(Request).certain().phase(Phase::NotSent)
    } else if error.is_redirect() {
        Clue::kind(Redirect).certain().phase(Phase::HeadersReceived)
    } else if error.is_connect() {
        Clue::kind(if error.is_timeout() { Timeout } else { Connect }).phase(Phase::NotSent)
    } else if error.is_decode() {
        // Also what it says of a body that broke off: then there is a lost connection below.
        Clue::kind(if error.is_timeout() { Timeout } else { Decode }).phase(Phase::HeadersReceived)
    } else if error.is_timeout() {
        Clue::kind(Timeout)
    } else {
        Clue::kind(Transport)
    })
}
