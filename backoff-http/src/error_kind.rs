//! What can go wrong on the way, apart from statuses.

use std::fmt;

/// What went wrong with a request that got no complete answer.
///
/// ```
/// use backoff_http::ErrorKind;
/// assert_eq!(ErrorKind::Reset.to_string(), "the connection was lost");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The name of the server could not be resolved.
    Dns,
    /// No connection could be made: refused, unreachable.
    Connect,
    /// The connection was reset, closed or broken off.
    Reset,
    /// Something took too long.
    Timeout,
    /// The server refused the stream before it looked at the request (HTTP/2 `REFUSED_STREAM`).
    Refused,
    /// Some other fault of the connection.
    Transport,
    /// TLS: a certificate that isn't trusted, or no common ground.
    Tls,
    /// What came is not HTTP.
    Protocol,
    /// The URL, or the request itself, is not valid.
    Request,
    /// Too many redirects, or one that can't be followed.
    Redirect,
    /// The request's own body failed while it was sent.
    Body,
    /// The answer's body is not what it says it is.
    Decode,
    /// Nothing that this crate knows.
    Unknown,
}

impl ErrorKind {
    pub(crate) const ALL: [Self; 13] = [
        Self::Dns,
        Self::Connect,
        Self::Reset,
        Self::Timeout,
        Self::Refused,
        Self::Transport,
        Self::Tls,
        Self::Protocol,
        Self::Request,
        Self::Redirect,
        Self::Body,
        Self::Decode,
        Self::Unknown,
    ];

    pub(crate) const fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dns => "the name of the server could not be resolved",
            Self::Connect => "no connection could be made",
            Self::Reset => "the connection was lost",
            Self::Timeout => "it took too long",
            Self::Refused => "the server refused the stream",
            Self::Transport => "the connection failed",
            Self::Tls => "TLS failed or the certificate isn't trusted",
            Self::Protocol => "the answer is not HTTP",
            Self::Request => "the request is not valid",
            Self::Redirect => "the redirects lead nowhere",
            Self::Body => "the body of the request failed",
            Self::Decode => "the answer can't be decoded",
            Self::Unknown => "an unknown error",
        })
    }
}

impl ErrorKind {
    /// How far a request gets that ends like this, if nothing else is known.
    pub(crate) const fn usual_phase(self) -> crate::Phase {
        match self {
            Self::Dns | Self::Connect | Self::Refused | Self::Tls | Self::Request => crate::Phase::NotSent,
            Self::Decode => crate::Phase::HeadersReceived,
            _ => crate::Phase::Sent,
        }
    }
}
