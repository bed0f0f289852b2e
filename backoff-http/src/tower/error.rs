//! What a service with retries fails with.

use std::fmt;

#[cfg(doc)]
use backoff_core::guard::Rejected;
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
    ended: Option<Box<(Stop, Option<Verdict>)>>,
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
    /// println!("{:?}", error.stop().map(|stop| stop.attempts));
    /// # }
    /// ```
    #[must_use]
    pub fn stop(&self) -> Option<&Stop> {
        self.ended.as_deref().map(|(stop, _)| stop)
    }

    /// The verdict about the last attempt. None if there was none: the service was not ready before the first, or a guard did
    /// not let the run begin.
    ///
    /// ```
    /// # fn example(error: backoff_http::tower::Error) {
    /// println!("{}", error.verdict().map(ToString::to_string).unwrap_or_default());
    /// # }
    /// ```
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.ended.as_deref().and_then(|(_, verdict)| verdict.as_ref())
    }

    /// The error of the inner service, or the [`Rejected`] of a guard, moved out.
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
            Some((stop, Some(verdict))) => write!(f, "{stop}: {}", verdict.as_failure()),
            Some((stop, None)) => stop.fmt(f),
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
        // No attempt is cut here and none is cancelled, so it was a guard.
        let source: BoxError = match stop.rejection() {
            Some(rejected) => rejected.into(),
            None => stop.reason.to_string().into(),
        };
        return Err(Error { ended: Some(Box::new((stop, None))), source });
    };
    let verdict = failed.verdict().clone();
    match failed.into_cause() {
        Cause::Answer(mut response) => {
            response.extensions_mut().insert(stop);
            Ok(response)
        }
        Cause::Error(source) => Err(Error { ended: Some(Box::new((stop, Some(verdict)))), source }),
    }
}
