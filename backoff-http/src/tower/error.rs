//! What a service with retries fails with.

use std::fmt;

use backoff_core::{RetryError, Stop};
use http::Response;
use http_body::Body;

use super::attempt::Failed;
use crate::kept::Kept;
use crate::{Cause, Verdict};

/// Any error, as `tower` has it.
///
/// ```
/// let error: backoff_http::tower::BoxError = "down".into();
/// assert_eq!(error.to_string(), "down");
/// ```
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The last error of the inner service, with the verdict about it and what ended the run.
///
/// It prints no URL; the error of the inner service is its source.
///
/// ```
/// fn report(error: &backoff_http::tower::Error) {
///     println!("{error}");
///     if let Some(stop) = error.stop() {
///         println!("{} attempts", stop.attempts);
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Error {
    ended: Option<Box<(Stop, Verdict)>>,
    source: BoxError,
}

impl Error {
    pub(super) fn not_ready(source: BoxError) -> Self {
        Self { ended: None, source }
    }

    /// What ended the run. None if the service was not ready before the first attempt.
    ///
    /// ```
    /// # fn example(error: backoff_http::tower::Error) {
    /// assert!(error.stop().is_none_or(|stop| stop.attempts > 0));
    /// # }
    /// ```
    #[must_use]
    pub fn stop(&self) -> Option<&Stop> {
        self.ended.as_deref().map(|(stop, _)| stop)
    }

    /// The verdict about the last attempt. None if the service was not ready before the first.
    ///
    /// ```
    /// # fn example(error: backoff_http::tower::Error) {
    /// println!("{}", error.verdict().map(ToString::to_string).unwrap_or_default());
    /// # }
    /// ```
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.ended.as_deref().map(|(_, verdict)| verdict)
    }

    /// The error of the inner service, moved out.
    ///
    /// ```
    /// # fn example(error: backoff_http::tower::Error) {
    /// println!("{}", error.into_source());
    /// # }
    /// ```
    #[must_use]
    pub fn into_source(self) -> BoxError {
        self.source
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ended.as_deref() {
            Some((stop, verdict)) => write!(f, "{stop}: {}", verdict.as_failure()),
            None => f.write_str("the service is not ready"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.source)
    }
}

/// The end of a run: the last answer, with what ended the run in its extensions, or the last error.
pub(super) fn into_last<A: Body>(error: RetryError<Failed<A>>) -> Result<Response<Kept<A>>, Error> {
    let stop = *error.stop();
    let Some(failed) = error.into_last() else {
        unreachable!("no attempt is cut without an outcome, and none is cancelled")
    };
    let verdict = failed.verdict().clone();
    match failed.into_cause() {
        Cause::Answer(mut response) => {
            response.extensions_mut().insert(stop);
            Ok(response)
        }
        Cause::Error(source) => Err(Error { ended: Some(Box::new((stop, verdict))), source }),
    }
}
