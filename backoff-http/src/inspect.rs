//! What an error of an HTTP client means: found anywhere in its `source()` chain.

mod clue;
#[cfg(feature = "h2")]
mod h2;
#[cfg(feature = "hyper")]
mod hyper;
#[cfg(feature = "hyper-util")]
mod hyper_util;
mod io;
#[cfg(feature = "reqwest")]
mod reqwest;
#[cfg(feature = "rustls")]
mod rustls;
#[cfg(feature = "ureq")]
mod ureq;

use std::error::Error;

use crate::{ErrorKind, Phase, Verdict};
use clue::Clue;

/// No chain of errors is longer; what comes after is not looked at.
const LONGEST_CHAIN: usize = 64;

/// What went wrong, and how far the request got.
///
/// ```
/// use backoff_http::inspect::Fault;
/// use backoff_http::{ErrorKind, Phase};
/// let fault = Fault { kind: ErrorKind::Timeout, phase: Phase::Sent };
/// assert_eq!(fault.to_string(), "it took too long (the request may have been carried out)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What went wrong.
    pub kind: ErrorKind,
    /// How far the request got. If nothing tells, it may have been carried out.
    pub phase: Phase,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.kind, self.phase)
    }
}

/// Finds what an error means, through all of its sources and what [`std::io::Error`] wraps.
///
/// Errors of the standard library are always understood, and those of a client if its feature is enabled: `hyper`,
/// `hyper-util`, `h2`, `rustls`, `reqwest`, `ureq`. The innermost error that says what happened is believed, and the
/// outermost that says how far the request got. Never panics.
///
/// ```
/// use backoff_http::inspect::inspect;
/// use backoff_http::{ErrorKind, Phase};
/// use std::io;
///
/// let reset = io::Error::other(io::Error::from(io::ErrorKind::ConnectionReset));
/// let fault = inspect(&reset);
/// assert_eq!((fault.kind, fault.phase), (ErrorKind::Reset, Phase::Sent));
/// ```
#[must_use]
pub fn inspect(error: &(dyn Error + 'static)) -> Fault {
    chain(error).fold(Clue::default(), |all, error| all.deeper(clue(error))).fault()
}

/// The verdict of a failure of this crate that is wrapped somewhere in the error: it knows its request.
pub(crate) fn verdict<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Verdict> {
    chain(error).find_map(|error| {
        #[cfg(feature = "reqwest")]
        if let Some(failed) = error.downcast_ref::<crate::reqwest::Failed>() {
            return Some(failed.verdict());
        }
        #[cfg(feature = "ureq")]
        if let Some(failed) = error.downcast_ref::<crate::ureq::Failed>() {
            return Some(failed.verdict());
        }
        #[cfg(feature = "tower")]
        if let Some(error) = error.downcast_ref::<crate::tower::Error>() {
            return error.verdict();
        }
        // Without an adapter there are no such failures.
        let _ = error;
        None
    })
}

/// The error and all below it.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| below(*error)).take(LONGEST_CHAIN)
}

/// What one error says, without its sources.
fn clue(error: &(dyn Error + 'static)) -> Clue {
    let finders: &[fn(&(dyn Error + 'static)) -> Option<Clue>] = &[
        io::clue,
        #[cfg(feature = "hyper")]
        hyper::clue,
        #[cfg(feature = "hyper-util")]
        hyper_util::clue,
        #[cfg(feature = "h2")]
        h2::clue,
        #[cfg(feature = "reqwest")]
        reqwest::clue,
        #[cfg(feature = "rustls")]
        rustls::clue,
        #[cfg(feature = "ureq")]
        ureq::clue,
    ];
    finders.iter().find_map(|find| find(error)).unwrap_or_default()
}

/// The next error of the chain. What an `io::Error` wraps is not its source, but the source of its source is.
fn below<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    #[cfg(feature = "ureq")]
    if let Some(inner) = ureq::below(error) {
        return Some(inner);
    }
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}
