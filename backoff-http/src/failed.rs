//! A request that failed, with all that is known about it.

use std::error::Error;
use std::fmt;

use backoff_core::RetryAfter;
use http::StatusCode;

use crate::{Judge, Operation, Rules, Verdict};

/// An attempt that was no success: the answer or the error itself, and the verdict about it.
///
/// Unlike a client's own error for a status, it keeps the response, and with it the headers and the body. It knows its
/// request: [`is_transient`](crate::is_transient) and [`retry_after`](crate::retry_after) judge it by its method and key.
/// It prints the method and what happened, and never a URL.
///
/// ```
/// use backoff_http::{Failed, Operation, Rules};
/// use http::{HeaderMap, Method, StatusCode};
///
/// let post = Operation::new(Method::POST);
/// let verdict = Rules::new().judge_status(&post, StatusCode::BAD_GATEWAY, &HeaderMap::new());
/// let failed: Failed<&str, std::io::Error> = Failed::answer(verdict, "the response");
/// assert!(!backoff_http::is_transient(&failed));
/// assert_eq!(
///     failed.to_string(),
///     "POST: 502 Bad Gateway; POST is not idempotent and the request may have been carried out: send an idempotency key"
/// );
/// assert_eq!(failed.into_response(), Some("the response"));
/// ```
#[derive(Clone, Debug)]
pub struct Failed<R, E> {
    /// In a box, so that a `Result` with it is no larger than one with a client's own error.
    inner: Box<Inner<R, E>>,
}

#[derive(Clone, Debug)]
struct Inner<R, E> {
    verdict: Verdict,
    cause: Cause<R, E>,
}

/// What came instead of a success.
///
/// ```
/// # use backoff_http::{Cause, Failed, Operation, Rules};
/// # let error = std::io::Error::from(std::io::ErrorKind::TimedOut);
/// # let verdict = Rules::new().judge_error(&Operation::once(), &error);
/// # let failed: Failed<(), _> = Failed::error(verdict, error);
/// match failed.into_cause() {
///     Cause::Answer(response) => println!("the server said no: {response:?}"),
///     Cause::Error(error) => println!("there was no answer: {error}"),
/// }
/// ```
#[derive(Clone, Debug)]
pub enum Cause<R, E> {
    /// An answer with a status that is a failure.
    Answer(R),
    /// No answer, or not all of it.
    Error(E),
}

impl<R, E> Failed<R, E> {
    /// An answer that is a failure.
    ///
    /// ```
    /// # use backoff_http::{Failed, Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// # let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::BAD_GATEWAY, &HeaderMap::new());
    /// let failed: Failed<u8, std::io::Error> = Failed::answer(verdict, 7);
    /// assert_eq!(failed.response(), Some(&7));
    /// ```
    #[must_use]
    pub fn answer(verdict: Verdict, response: R) -> Self {
        Self { inner: Box::new(Inner { verdict, cause: Cause::Answer(response) }) }
    }

    /// An error.
    ///
    /// ```
    /// # use backoff_http::{Failed, Operation, Rules};
    /// # let error = std::io::Error::from(std::io::ErrorKind::TimedOut);
    /// # let verdict = Rules::new().judge_error(&Operation::once(), &error);
    /// let failed: Failed<(), std::io::Error> = Failed::error(verdict, error);
    /// assert!(failed.response().is_none());
    /// ```
    #[must_use]
    pub fn error(verdict: Verdict, error: E) -> Self {
        Self { inner: Box::new(Inner { verdict, cause: Cause::Error(error) }) }
    }

    /// Whether to try again, and why.
    ///
    /// ```
    /// # use backoff_http::{Failed, Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// # let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::BAD_GATEWAY, &HeaderMap::new());
    /// let failed: Failed<u8, std::io::Error> = Failed::answer(verdict.clone(), 7);
    /// assert_eq!(failed.verdict(), &verdict);
    /// ```
    #[must_use]
    pub const fn verdict(&self) -> &Verdict {
        &self.inner.verdict
    }

    /// How long the server asks to wait.
    ///
    /// ```
    /// # use backoff_http::{Failed, Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// # let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::BAD_GATEWAY, &HeaderMap::new());
    /// assert_eq!(Failed::<u8, std::io::Error>::answer(verdict, 7).hint(), None);
    /// ```
    #[must_use]
    pub const fn hint(&self) -> Option<RetryAfter> {
        self.inner.verdict.hint()
    }

    /// The status, if there was an answer.
    ///
    /// ```
    /// # use backoff_http::{Failed, Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// # let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::BAD_GATEWAY, &HeaderMap::new());
    /// assert_eq!(Failed::<u8, std::io::Error>::answer(verdict, 7).status(), Some(StatusCode::BAD_GATEWAY));
    /// ```
    #[must_use]
    pub const fn status(&self) -> Option<StatusCode> {
        self.inner.verdict.status()
    }

    /// The answer, if there was one.
    ///
    /// ```
    /// # use backoff_http::{Failed, Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// # let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::BAD_GATEWAY, &HeaderMap::new());
    /// assert_eq!(Failed::<u8, std::io::Error>::answer(verdict, 7).response(), Some(&7));
    /// ```
    #[must_use]
    pub const fn response(&self) -> Option<&R> {
        match &self.inner.cause {
            Cause::Answer(response) => Some(response),
            Cause::Error(_) => None,
        }
    }

    /// The answer, moved out.
    ///
    /// ```
    /// # use backoff_http::{Failed, Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// # let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::BAD_GATEWAY, &HeaderMap::new());
    /// assert_eq!(Failed::<u8, std::io::Error>::answer(verdict, 7).into_response(), Some(7));
    /// ```
    #[must_use]
    pub fn into_response(self) -> Option<R> {
        match self.inner.cause {
            Cause::Answer(response) => Some(response),
            Cause::Error(_) => None,
        }
    }

    /// The answer or the error, moved out.
    ///
    /// ```
    /// # use backoff_http::{Cause, Failed, Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// # let verdict = Rules::new().judge_status(&Operation::once(), StatusCode::BAD_GATEWAY, &HeaderMap::new());
    /// assert!(matches!(Failed::<u8, std::io::Error>::answer(verdict, 7).into_cause(), Cause::Answer(7)));
    /// ```
    #[must_use]
    pub fn into_cause(self) -> Cause<R, E> {
        self.inner.cause
    }
}

impl<R, E> Judge for Failed<R, E> {
    /// The verdict that was given when it happened, by the rules and the request of then.
    fn judge(&self, _: &Rules, _: &Operation) -> Verdict {
        self.inner.verdict.clone()
    }
}

impl<R, E> fmt::Display for Failed<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.inner.verdict.as_failure(), f)
    }
}

impl<R: fmt::Debug, E: Error + 'static> Error for Failed<R, E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.inner.cause {
            Cause::Answer(_) => None,
            Cause::Error(error) => Some(error),
        }
    }
}
