//! Errors of `rustls`.

use std::error::Error;

use super::clue::Clue;
use crate::ErrorKind::Tls;
use crate::Phase;

/// Whatever it is, the next handshake would end alike: certificates, versions and keys do not change between attempts. A
/// connection that is lost during a handshake is an error of the standard library.
pub(super) fn clue(error: &(dyn Error + 'static)) -> Option<Clue> {
    error.downcast_ref::<::rustls::Error>()?;
    Some(Clue::kind(Tls).certain().phase(Phase::NotSent))
}
