//! One attempt with one clone of the service.

use std::future::poll_fn;
use std::time::Duration;

use backoff_core::{AttemptTimeout, RetryAfter};
use http::{Request, Response};
use http_body::Body;
use tower_service::Service;

use super::BoxError;
use crate::inspect::{Fault, inspect};
use crate::kept::Kept;
use crate::{Operation, Phase, Rules};

pub(super) type Failed<A> = crate::Failed<Response<Kept<A>>, BoxError>;

// Functions, not closures: with a closure the compiler can't tell that the future may move between threads.

pub(super) fn is_retry<A: Body>(failed: &Failed<A>) -> bool {
    failed.verdict().is_retry()
}

pub(super) fn hint<A: Body>(failed: &Failed<A>) -> Option<RetryAfter> {
    failed.hint()
}

/// How long the attempt after the last sleep may take: nothing of the budget is left for it, and a timeout of zero would be no
/// attempt.
pub(super) const LAST_ATTEMPT: Duration = Duration::from_secs(1);

/// An attempt that is about to be made.
pub(super) struct Attempt<S> {
    pub(super) service: S,
    pub(super) is_ready: bool,
    pub(super) operation: Operation,
    pub(super) rules: Rules,
    pub(super) kept: usize,
    pub(super) limit: Option<Duration>,
}

impl<S> Attempt<S> {
    /// Waits until the service is ready, and calls it; an answer that is not final is a failure.
    pub(super) async fn make<B, A>(self, request: Request<Kept<B>>) -> Result<Response<Kept<A>>, Failed<A>>
    where
        S: Service<Request<Kept<B>>, Response = Response<A>>,
        S::Error: Into<BoxError>,
        B: Body + Unpin,
        A: Body + Unpin,
    {
        let Self { mut service, is_ready, operation, rules, kept, limit } = self;
        let end = limit.filter(|_| tokio::runtime::Handle::try_current().is_ok());
        let end = end.and_then(|limit| tokio::time::Instant::now().checked_add(limit));
        let fail = |error: BoxError, phase: Option<Phase>| {
            let fault = inspect(&*error);
            let fault = Fault { phase: phase.unwrap_or(fault.phase), ..fault };
            Failed::error(rules.judge_fault(&operation, fault), error)
        };
        if !is_ready {
            let ready = cut(end, poll_fn(|context| service.poll_ready(context))).await;
            ready.map_err(|error| fail(error, Some(Phase::NotSent)))?;
        }
        let response = cut(end, service.call(request)).await.map_err(|error| fail(error, None))?;
        let verdict = rules.judge_status(&operation, response.status(), response.headers());
        if verdict.is_answer() {
            return Ok(response.map(Kept::unread));
        }
        let (head, body) = response.into_parts();
        Err(Failed::answer(verdict, Response::from_parts(head, Kept::read(body, kept).await)))
    }
}

/// Waits for a future until `end`, if there is one.
async fn cut<V, E: Into<BoxError>>(
    end: Option<tokio::time::Instant>,
    future: impl Future<Output = Result<V, E>>,
) -> Result<V, BoxError> {
    let outcome = match end {
        Some(end) => tokio::time::timeout_at(end, future).await.map_err(|_| AttemptTimeout)?,
        None => future.await,
    };
    outcome.map_err(Into::into)
}
