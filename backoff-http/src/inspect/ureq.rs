//! Errors of `ureq`.

use std::error::Error;

use ::ureq::Timeout;

use super::clue::Clue;
use crate::ErrorKind::{self, Connect, Decode, Dns, Protocol, Redirect, Request, Tls};
use crate::Phase;

pub(super) fn clue(error: &(dyn Error + 'static)) -> Option<Clue> {
    use ::ureq::Error as Ureq;
    Some(match error.downcast_ref::<Ureq>()? {
        Ureq::Http(_) | Ureq::BadUri(_) | Ureq::InvalidProxyUrl | Ureq::RequireHttpsOnly(_) => {
            Clue::kind(Request).certain().phase(Phase::NotSent)
        }
        Ureq::Protocol(error) if is_lost(&error.to_string()) => Clue::kind(Redirect).certain(),
        Ureq::Protocol(_) | Ureq::LargeResponseHeader(..) => Clue::kind(Protocol).certain(),
        Ureq::Timeout(timeout) => timed_out(*timeout),
        Ureq::HostNotFound => Clue::kind(Dns).phase(Phase::NotSent),
        Ureq::ConnectionFailed | Ureq::ConnectProxyFailed(_) => Clue::kind(Connect).phase(Phase::NotSent),
        Ureq::RedirectFailed | Ureq::TooManyRedirects => Clue::kind(Redirect).certain(),
        Ureq::Tls(_) | Ureq::TlsRequired => Clue::kind(Tls).certain().phase(Phase::NotSent),
        // The limit is that of the answer.
        Ureq::StatusCode(_) | Ureq::BodyExceedsLimit(_) => Clue::kind(Decode).phase(Phase::HeadersReceived),
        // What depends on features of `ureq`: certificates, cookies, JSON. Nothing that another attempt mends.
        _ => Clue::default(),
    })
}

/// Whether a redirect does not say where it leads. The type of this error is that of another crate, and its text is all that
/// tells it.
fn is_lost(protocol: &str) -> bool {
    protocol == "missing a location header" || protocol.starts_with("location header is malformed: ")
}

fn timed_out(timeout: Timeout) -> Clue {
    let clue = Clue::kind(ErrorKind::Timeout);
    match timeout {
        Timeout::Resolve | Timeout::Connect => clue.phase(Phase::NotSent),
        Timeout::RecvBody => clue.phase(Phase::HeadersReceived),
        _ => clue,
    }
}

/// What the error wraps: it does not say so itself.
pub(super) fn below<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error.downcast_ref::<::ureq::Error>()? {
        ::ureq::Error::Io(error) => Some(error),
        _ => None,
    }
}
