//! Errors of `hyper-util`'s pooled client.

use std::error::Error;

use ::hyper_util::client::legacy;

use super::clue::Clue;
use crate::ErrorKind::{Connect, Dns, Transport};
use crate::Phase;

pub(super) fn clue(error: &(dyn Error + 'static)) -> Option<Clue> {
    let error = error.downcast_ref::<legacy::Error>()?;
    if !error.is_connect() {
        return Some(Clue::kind(Transport));
    }
    // The connector's error is private, and its text is all that tells a missing address from a missing server. Both mean
    // that nothing was sent.
    let dns = error.source().is_some_and(|source| source.to_string() == "dns error");
    Some(Clue::kind(if dns { Dns } else { Connect }).phase(Phase::NotSent))
}
