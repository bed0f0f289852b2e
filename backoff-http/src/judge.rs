//! The words for `when`, `until` and `hint`: what they can judge.

use std::convert::Infallible;
use std::error::Error;

use backoff_core::RetryAfter;
use http::{HeaderMap, StatusCode};

use crate::{Operation, Rules, Verdict};

const DEFAULT: Rules = Rules::new();

/// What an attempt can end with, and what it means: an answer, an error, or a `Result` of them.
///
/// Implemented for statuses, responses, the errors of the standard library and of the clients whose features are enabled, and
/// for `dyn Error`: for an `anyhow::Error`, say `|error: &anyhow::Error| backoff_http::is_transient(&**error)`. For an error type
/// of your own, pass on what it holds:
///
/// ```
/// use backoff_http::{Judge, Operation, Rules, Verdict};
///
/// enum ApiError {
///     Transport(std::io::Error),
///     Answer(http::Response<String>),
/// }
///
/// impl Judge for ApiError {
///     fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
///         match self {
///             Self::Transport(error) => error.judge(rules, operation),
///             Self::Answer(response) => response.judge(rules, operation),
///         }
///     }
/// }
/// let error = ApiError::Answer(http::Response::builder().status(503).body(String::new()).unwrap());
/// assert!(backoff_http::is_transient(&error));
/// assert!(!backoff_http::is_transient(&ApiError::Transport(std::io::Error::other("out of paper"))));
/// ```
#[diagnostic::on_unimplemented(
    message = "`backoff_http` does not know what `{Self}` means",
    label = "neither a response nor an error of an HTTP client",
    note = "enable the feature of your client (`reqwest`, `ureq`, `hyper-util`), or implement `backoff_http::Judge` for \
            this type"
)]
pub trait Judge {
    /// Whether to try `operation` again after it ended like this. A failure that knows its own request judges by that.
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict;
}

/// Whether a failure is worth another attempt by the default rules, for `when`.
///
/// An error seldom knows what was sent. Where it does not, the function is taken to be one that **may be carried out twice**;
/// for others there is [`is_unsent`]. The failures of this crate's adapters know their request, and are judged by it.
///
/// ```
/// use backoff_core::exponential_backoff;
///
/// #[exponential_backoff(initial = "1ms", max_attempts = 3, when = backoff_http::is_transient)]
/// fn read(calls: &mut u32) -> std::io::Result<()> {
///     *calls += 1;
///     Err(std::io::ErrorKind::ConnectionReset.into())
/// }
/// let mut calls = 0;
/// assert!(read(&mut calls).is_err());
/// assert_eq!(calls, 3);
/// ```
pub fn is_transient<J: Judge + ?Sized>(failure: &J) -> bool {
    failure.judge(&DEFAULT, &Operation::repeatable()).is_retry()
}

/// Whether a failure is worth another attempt by the default rules, for a function that must not be carried out twice: only
/// if nothing was sent, or if the server says that it did nothing.
///
/// A client's own error or answer does not tell whether a redirect was followed, after which something was sent. Where that can
/// be, use the failures of this crate's adapters, which know more.
///
/// ```
/// use std::io::{Error, ErrorKind};
/// assert!(backoff_http::is_unsent(&Error::from(ErrorKind::ConnectionRefused)));
/// assert!(!backoff_http::is_unsent(&Error::from(ErrorKind::ConnectionReset)));
/// ```
pub fn is_unsent<J: Judge + ?Sized>(failure: &J) -> bool {
    failure.judge(&DEFAULT, &Operation::once()).is_retry()
}

/// Whether an outcome ends the run, for `until`: it is a success, or not worth another attempt.
///
/// ```
/// use backoff_core::exponential_backoff;
/// use http::Response;
///
/// #[exponential_backoff(initial = "1ms", until = backoff_http::is_settled, hint = backoff_http::retry_after)]
/// fn page(answers: &mut Vec<u16>) -> Response<()> {
///     Response::builder().status(answers.pop().unwrap()).body(()).unwrap()
/// }
/// assert_eq!(page(&mut vec![200, 503, 429]).status(), 200);
/// assert_eq!(page(&mut vec![200, 404]).status(), 404);
/// ```
pub fn is_settled<J: Judge + ?Sized>(outcome: &J) -> bool {
    !is_transient(outcome)
}

/// How long the server asks to wait, for `hint`: its `Retry-After`.
///
/// ```
/// let busy = http::Response::builder().status(503).header("retry-after", "7").body(()).unwrap();
/// assert_eq!(backoff_http::retry_after(&busy).unwrap().delay().as_secs(), 7);
/// ```
pub fn retry_after<J: Judge + ?Sized>(outcome: &J) -> Option<RetryAfter> {
    outcome.judge(&DEFAULT, &Operation::repeatable()).hint()
}

impl Judge for StatusCode {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        rules.judge_status(operation, *self, &HeaderMap::new())
    }
}

impl<B> Judge for http::Response<B> {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        rules.judge_status(operation, self.status(), self.headers())
    }
}

impl<R: Judge, E: Judge> Judge for Result<R, E> {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        match self {
            Ok(response) => response.judge(rules, operation),
            Err(error) => error.judge(rules, operation),
        }
    }
}

impl<J: Judge + ?Sized> Judge for &J {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        (**self).judge(rules, operation)
    }
}

impl Judge for Infallible {
    fn judge(&self, _: &Rules, _: &Operation) -> Verdict {
        match *self {}
    }
}

impl Judge for dyn Error + 'static {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        rules.judge_error(operation, self)
    }
}

impl Judge for dyn Error + Send + Sync + 'static {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        rules.judge_error(operation, self)
    }
}

impl<J: Judge + ?Sized> Judge for Box<J> {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        (**self).judge(rules, operation)
    }
}

#[cfg(feature = "reqwest")]
impl Judge for reqwest::Response {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        rules.judge_status(operation, self.status(), self.headers())
    }
}

/// An error of `error_for_status` has lost the headers, and the server's hint with them: use
/// [`attempt`](crate::reqwest::RetryRequest::attempt) instead.
#[cfg(feature = "reqwest")]
impl Judge for reqwest::Error {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        match self.status() {
            Some(status) => status.judge(rules, operation),
            None => rules.judge_error(operation, self),
        }
    }
}

/// An error for a status has lost the headers, and the server's hint with them: use
/// [`attempt`](crate::ureq::RetryAgent::attempt) instead.
#[cfg(feature = "ureq")]
impl Judge for ureq::Error {
    fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
        match *self {
            Self::StatusCode(status) => StatusCode::from_u16(status).unwrap_or_default().judge(rules, operation),
            _ => rules.judge_error(operation, self),
        }
    }
}

macro_rules! by_inspection {
    ($($(#[$gate:meta])? $error:ty),+ $(,)?) => {$(
        $(#[$gate])?
        impl Judge for $error {
            fn judge(&self, rules: &Rules, operation: &Operation) -> Verdict {
                rules.judge_error(operation, self)
            }
        }
    )+};
}

by_inspection!(
    std::io::Error,
    backoff_core::AttemptTimeout,
    #[cfg(feature = "hyper")]
    hyper::Error,
    #[cfg(feature = "hyper-util")]
    hyper_util::client::legacy::Error,
    #[cfg(feature = "h2")]
    h2::Error,
);
