//! How far a request got before it failed.

use std::fmt;

/// How far a request got. It decides which methods may be tried again.
///
/// ```
/// use backoff_http::Phase;
/// assert_eq!(Phase::NotSent.to_string(), "nothing was sent");
/// assert!(Phase::NotSent < Phase::Sent);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Nothing reached the server, or the server said that it did nothing: any method may be tried again.
    NotSent,
    /// The request, or a part of it, may have reached the server, which may have carried it out. What is not known is
    /// taken to be this.
    Sent,
    /// The head of an answer came: the request was carried out, and the rest of the answer was lost.
    HeadersReceived,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NotSent => "nothing was sent",
            Self::Sent => "the request may have been carried out",
            Self::HeadersReceived => "the request was carried out and the answer was lost",
        })
    }
}
