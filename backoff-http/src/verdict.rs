//! Whether to try again, and why.

use std::fmt;

use backoff_core::RetryAfter;
use http::StatusCode;

use crate::Operation;
use crate::inspect::Fault;

/// Why an operation is tried again, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Why {
    /// Yes: nothing was sent.
    NotSent,
    /// Yes: the server says that it did nothing.
    NotCarriedOut,
    /// Yes: the method is idempotent.
    Idempotent,
    /// Yes: there is an idempotency key.
    Keyed,
    /// Yes: the caller says that the operation may be carried out twice.
    Repeatable,
    /// Yes: the server says so, in a vendor's header.
    ServerSaidYes,
    /// No: another attempt would end alike.
    Final,
    /// No: this status is worth another attempt only if the server says when, and it does not.
    NotAsked,
    /// No: the request may have been carried out, and must not be carried out twice.
    NotIdempotent,
    /// No: the body is a stream that is used up.
    NotReplayable,
    /// No: the server asks not to be called again.
    ServerSaidNo,
}

impl Why {
    /// Whether it is a reason to try again.
    ///
    /// ```
    /// # use backoff_http::Why;
    /// assert!(Why::NotSent.is_retry() && !Why::Final.is_retry());
    /// ```
    #[must_use]
    pub const fn is_retry(self) -> bool {
        match self {
            Self::NotSent
            | Self::NotCarriedOut
            | Self::Idempotent
            | Self::Keyed
            | Self::Repeatable
            | Self::ServerSaidYes => true,
            Self::Final | Self::NotAsked | Self::NotIdempotent | Self::NotReplayable | Self::ServerSaidNo => false,
        }
    }
}

/// What a verdict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Status(StatusCode),
    /// A status of gRPC, with 200 OK.
    Grpc(u32),
    Fault(Fault),
}

/// Whether to try again, why, and how long the server asks to wait. Prints as a sentence.
///
/// ```
/// use backoff_http::{Operation, Rules, Why};
/// use http::{HeaderMap, Method, StatusCode};
///
/// let get = Operation::new(Method::GET);
/// let verdict = Rules::new().judge_status(&get, StatusCode::BAD_GATEWAY, &HeaderMap::new());
/// assert!(verdict.is_retry());
/// assert_eq!(verdict.why(), Why::Idempotent);
/// assert_eq!(verdict.to_string(), "502 Bad Gateway is worth another attempt: GET is idempotent");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    operation: Operation,
    subject: Subject,
    why: Why,
    hint: Option<RetryAfter>,
}

impl Verdict {
    pub(crate) fn new(operation: &Operation, subject: Subject, why: Why, hint: Option<RetryAfter>) -> Self {
        Self { operation: operation.clone(), subject, why, hint }
    }

    /// The verdict as a failure prints it: what happened to which method, and what the caller can do about it.
    pub(crate) const fn as_failure(&self) -> AsFailure<'_> {
        AsFailure(self)
    }

    /// Whether to try again.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// assert!(!Rules::new().judge_status(&Operation::repeatable(), StatusCode::OK, &HeaderMap::new()).is_retry());
    /// ```
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        self.why.is_retry()
    }

    /// Whether it is an answer that can be used or reported as it is: a status that is not worth another attempt, be it 200
    /// or 404. An error never is; neither is a status that would be tried again if only the request could be.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules};
    /// # use http::{HeaderMap, Method, StatusCode};
    /// let judge = |status| Rules::new().judge_status(&Operation::new(Method::POST), status, &HeaderMap::new());
    /// assert!(judge(StatusCode::NOT_FOUND).is_answer());
    /// assert!(!judge(StatusCode::BAD_GATEWAY).is_answer() && !judge(StatusCode::BAD_GATEWAY).is_retry());
    /// ```
    #[must_use]
    pub const fn is_answer(&self) -> bool {
        !matches!(self.subject, Subject::Fault(_)) && matches!(self.why, Why::Final | Why::NotAsked)
    }

    /// Why.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules, Why};
    /// # use http::{HeaderMap, StatusCode};
    /// let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::NOT_FOUND, &HeaderMap::new());
    /// assert_eq!(verdict.why(), Why::Final);
    /// ```
    #[must_use]
    pub const fn why(&self) -> Why {
        self.why
    }

    /// How long the server asks to wait, whether or not there will be another attempt.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::NOT_FOUND, &HeaderMap::new());
    /// assert_eq!(verdict.hint(), None);
    /// ```
    #[must_use]
    pub const fn hint(&self) -> Option<RetryAfter> {
        self.hint
    }

    /// The status, if it is about an answer.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::NOT_FOUND, &HeaderMap::new());
    /// assert_eq!(verdict.status(), Some(StatusCode::NOT_FOUND));
    /// ```
    #[must_use]
    pub const fn status(&self) -> Option<StatusCode> {
        match self.subject {
            Subject::Status(status) => Some(status),
            Subject::Grpc(_) => Some(StatusCode::OK),
            Subject::Fault(_) => None,
        }
    }

    /// What went wrong and how far the request got, if it is about an error.
    ///
    /// ```
    /// # use backoff_http::{ErrorKind, Operation, Rules};
    /// let timeout = std::io::Error::from(std::io::ErrorKind::TimedOut);
    /// let fault = Rules::new().judge_error(&Operation::once(), &timeout).fault();
    /// assert_eq!(fault.unwrap().kind, ErrorKind::Timeout);
    /// ```
    #[must_use]
    pub const fn fault(&self) -> Option<Fault> {
        match self.subject {
            Subject::Status(_) | Subject::Grpc(_) => None,
            Subject::Fault(fault) => Some(fault),
        }
    }

    /// What was judged: the method, the key, the body.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::OK, &HeaderMap::new());
    /// assert_eq!(verdict.operation(), &Operation::once());
    /// ```
    #[must_use]
    pub const fn operation(&self) -> &Operation {
        &self.operation
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, subject, .. } = self;
        match self.why {
            Why::NotSent => write!(f, "{subject}, and nothing was sent: {operation} can be tried again"),
            Why::NotCarriedOut => write!(f, "{subject} is worth another attempt: {operation} was not carried out"),
            Why::Idempotent => write!(f, "{subject} is worth another attempt: {operation} is idempotent"),
            Why::Keyed => write!(f, "{subject} is worth another attempt: {operation} has an idempotency key"),
            Why::Repeatable => write!(f, "{subject} is worth another attempt: {operation} may be carried out twice"),
            Why::ServerSaidYes => write!(f, "{subject}, and the server asks for another attempt of {operation}"),
            Why::Final => write!(f, "{subject} is final: another attempt of {operation} would end alike"),
            Why::NotAsked => write!(f, "{subject} is final unless the server says when to come back, and it does not"),
            Why::NotIdempotent => {
                let phase = match subject {
                    Subject::Status(_) | Subject::Grpc(_) => crate::Phase::Sent,
                    Subject::Fault(fault) => fault.phase,
                };
                write!(f, "{operation} is not idempotent and {phase}: send an idempotency key")
            }
            Why::NotReplayable => {
                write!(f, "the body of {operation} is a stream that can't be sent again: send it from memory")
            }
            Why::ServerSaidNo => write!(f, "{subject}, and the server asks for no other attempt of {operation}"),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Not its own `Display`, which has a placeholder for statuses without a name.
            Self::Status(status) => match status.canonical_reason() {
                Some(reason) => write!(f, "{} {reason}", status.as_u16()),
                None => write!(f, "{}", status.as_u16()),
            },
            Self::Grpc(status) => write!(f, "gRPC {status} {}", crate::grpc::name(*status)),
            Self::Fault(fault) => fmt::Display::fmt(&fault.kind, f),
        }
    }
}

/// A verdict as a failure prints it.
pub(crate) struct AsFailure<'a>(&'a Verdict);

impl fmt::Display for AsFailure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(verdict) = self;
        write!(f, "{}: {}", verdict.operation, verdict.subject)?;
        match verdict.why {
            Why::NotIdempotent | Why::NotReplayable => write!(f, "; {verdict}"),
            Why::ServerSaidNo => f.write_str("; the server asks for no other attempt"),
            _ => Ok(()),
        }
    }
}
