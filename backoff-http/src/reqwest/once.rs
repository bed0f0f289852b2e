//! One attempt after the other, made from one request.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::{Body, Client, Request, RequestBuilder, Response, ResponseBuilderExt as _, Url};

use super::Failed;
use crate::deadline::DeadlineHeader;
use crate::kept::Kept;
use crate::{IdempotencyKey, Operation, Rules};

/// What limits each attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The bytes of a failed answer that are read.
    pub(super) kept: usize,
    /// The timeout where nothing of the budget is left.
    pub(super) last_attempt: Duration,
    pub(super) header: Option<DeadlineHeader>,
}

/// A request that gives out its copies.
pub(super) struct Template {
    client: Client,
    /// None once a request that can't be copied was given out.
    request: Option<Result<Request, reqwest::Error>>,
    rules: Arc<Rules>,
    limits: Limits,
}

/// An attempt that is about to be made.
pub(super) struct Once {
    client: Client,
    request: Result<Request, reqwest::Error>,
    operation: Operation,
    rules: Arc<Rules>,
    kept: usize,
}

impl Template {
    pub(super) fn new(request: RequestBuilder, rules: &Rules, limits: Limits, key: Option<&IdempotencyKey>) -> Self {
        let (client, mut request) = request.build_split();
        if let (Ok(request), Some(key)) = (&mut request, key) {
            if !rules.is_idempotent(request.method()) {
                key.attach(request.headers_mut());
            }
        }
        Self { client, request: Some(request), rules: Arc::new(*rules), limits }
    }

    /// The next attempt. `timeout` says how long it may take, given the request's own timeout and that of the last attempt.
    ///
    /// # Panics
    /// If the body was a stream and is gone. The verdict about the attempt before was not to try again.
    pub(super) fn next(&mut self, timeout: impl FnOnce(Option<Duration>, Duration) -> Option<Duration>) -> Once {
        let copy = self.request.as_ref().and_then(|request| request.as_ref().ok()?.try_clone());
        let replayable = copy.is_some();
        let gone = "a request whose body is gone is not tried again";
        let mut request = copy.map_or_else(|| self.request.take().expect(gone), Ok);
        let mut operation = Operation::once();
        if let Ok(request) = &mut request {
            operation = Operation::with_headers(request.method(), request.headers()).replayable(replayable);
            if let Some(timeout) = timeout(request.timeout().copied(), self.limits.last_attempt) {
                self.limits.apply(request, timeout);
            }
        }
        Once { client: self.client.clone(), request, operation, rules: Arc::clone(&self.rules), kept: self.limits.kept }
    }
}

impl Limits {
    fn apply(&self, request: &mut Request, timeout: Duration) {
        *request.timeout_mut() = Some(timeout);
        if let Some(header) = self.header {
            header.write(request.headers_mut(), timeout);
        }
    }
}

impl Once {
    /// Sends the request; an answer that is not final is a failure.
    pub(super) async fn send(self) -> Result<Response, Failed> {
        let Self { client, request, operation, rules, kept } = self;
        let (url, answered) = match request {
            Ok(request) => (Some(sent(request.url())), client.execute(request).await),
            Err(error) => (None, Err(error)),
        };
        match answered {
            Ok(response) => {
                let operation = operation.redirected(url.is_some_and(|url| url != *response.url()));
                let verdict = rules.judge_status(&operation, response.status(), response.headers());
                if verdict.is_answer() {
                    return Ok(response);
                }
                Err(Failed::answer(verdict, keep(response, kept).await))
            }
            Err(error) => {
                // Its address is that of the request, and not that of a redirect's target, unless that is no address at all.
                let target = error.url().filter(|_| error.is_builder()).map(sent);
                let operation = operation.redirected(url.zip(target).is_some_and(|(url, target)| url != target));
                Err(Failed::error(rules.judge_error(&operation, &error), error))
            }
        }
    }

    /// Sends the request and reads the answer.
    pub(super) async fn bytes(self) -> Result<http::Response<Bytes>, Failed> {
        let (operation, rules) = (self.operation.clone(), Arc::clone(&self.rules));
        let response = self.send().await?;
        let mut head = http::Response::new(());
        *head.status_mut() = response.status();
        *head.version_mut() = response.version();
        *head.headers_mut() = response.headers().clone();
        match response.bytes().await {
            Ok(bytes) => Ok(head.map(|()| bytes)),
            Err(error) => Err(Failed::error(rules.judge_error(&operation, &error), error)),
        }
    }
}

/// An address as it is sent, without a fragment.
fn sent(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

/// The same response with the beginning of its body, or all of it, in memory.
async fn keep(response: Response, limit: usize) -> Response {
    let url = http::Response::builder().url(response.url().clone()).body(());
    let (mut parts, body) = http::Response::<Body>::from(response).into_parts();
    if let Ok(url) = url {
        parts.extensions.extend(url.into_parts().0.extensions);
    }
    let body = Kept::read(body, limit).await;
    http::Response::from_parts(parts, Body::wrap(body)).into()
}
