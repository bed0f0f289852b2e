//! A layer for `tower` services that speak HTTP: clients of `hyper`, `axum`, `tonic`, and whatever is stacked on them.
//!
//! ```
//! use backoff_core::{ExponentialBackoff, Jitter};
//! use backoff_http::tower::RetryLayer;
//! use tower_layer::Layer;
//!
//! # #[derive(Clone)] struct Client;
//! const POLICY: ExponentialBackoff = ExponentialBackoff::new().jitter(Jitter::Full);
//! let client = RetryLayer::new(POLICY).layer(Client);
//! ```
//!
//! The body of a request is read into memory, up to a limit, so that it can be sent again; a longer one, or one that comes
//! slowly, is passed on as a stream and sent once. Each attempt has a clone of the service, waits until it is ready, and is
//! cut when the budget is used up. A failed answer is read (up to 64 KiB and half a second) and dropped before the sleep, so
//! that its connection can be used again. Nothing is locked, and what was made ready is used or dropped at once: no permit is
//! held during a sleep.
//!
//! The layer belongs beneath one that follows redirects. Above it, a target that can't be reached or that did nothing would look
//! as if the request before it had not been carried out.
//!
//! What comes out at the end: an answer, the last one with what ended the run ([`Stop`](backoff_core::Stop)) in its
//! extensions if it is a failure; or an [`Error`] with the last error as its source. Timers are tokio's; outside of its
//! runtime, attempts are not cut.

//! # Bodies
//!
//! The inner service gets requests whose body is a [`Kept`] of the caller's: what was read, and what follows. A `hyper` client
//! takes any body type, `Client<_, Kept<Full<Bytes>>>` for instance. For a service with a body type of its own, map it in
//! between; for a channel of `tonic`:
//!
//! ```ignore
//! let channel = channel.map_request(|request: Request<Kept<_>>| request.map(tonic::body::Body::new));
//! let client = GreeterClient::new(RetryLayer::new(POLICY).rules(RULES).layer(channel));
//! ```

mod attempt;
mod error;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use backoff_core::clock::System;
use backoff_core::random::{Random, SystemRandom};
use backoff_core::waiter::{Any, GuardSet, Guards, Nothing, Unguarded};
use backoff_core::{ExponentialBackoff, Waiter};
use http::{Request, Response};
use http_body::Body;
use tower_layer::Layer;
use tower_service::Service;

use crate::deadline::DeadlineHeader;
use crate::{IdempotencyKey, Operation, Rules};
use attempt::Attempt;

pub use crate::kept::Kept;
pub use error::{BoxError, Error};

/// How much of a request's body is read so that it can be sent again, and of a failed answer's so that its connection can be
/// used again.
const KEPT: usize = 64 * 1_024;

/// What all requests through a layer have in common.
#[derive(Clone, Copy, Debug)]
struct Settings {
    rules: Rules,
    buffer: usize,
    kept: usize,
    keys: bool,
    header: Option<DeadlineHeader>,
}

/// Retries for a service. See [the module](self).
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use backoff_http::Rules;
/// use backoff_http::tower::RetryLayer;
/// let layer = RetryLayer::new(ExponentialBackoff::new()).rules(Rules::new().not_idempotent("PUT")).buffer(1_024);
/// ```
#[derive(Clone, Copy)]
#[must_use = "a layer does nothing before it is put on a service"]
pub struct RetryLayer<R = SystemRandom, G = Unguarded> {
    waiter: Waiter<System, R, Any, Nothing, Nothing, G>,
    settings: Settings,
}

impl RetryLayer {
    /// Retries under a policy.
    ///
    /// ```
    /// # use backoff_http::tower::RetryLayer;
    /// let layer = RetryLayer::new(backoff_core::ExponentialBackoff::new());
    /// ```
    pub const fn new(policy: ExponentialBackoff) -> Self {
        Self::with_waiter(policy.waiter())
    }
}

impl<R, G> RetryLayer<R, G> {
    /// Retries under a waiter, with randomness of your own, guards or a name. Guards are `static`s here. It has no conditions and no hints, because the
    /// [`Rules`] decide; no hooks, because requests run side by side; and the default time, because a service has to be able to
    /// move between threads while it sleeps.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::tower::RetryLayer;
    /// let layer = RetryLayer::with_waiter(ExponentialBackoff::new().waiter().name("orders"));
    ///
    /// static BREAKER: backoff_core::guard::CircuitBreaker = backoff_core::guard::CircuitBreaker::new();
    /// let layer = RetryLayer::with_waiter(ExponentialBackoff::new().breaker(&BREAKER));
    /// ```
    pub const fn with_waiter(waiter: Waiter<System, R, Any, Nothing, Nothing, G>) -> Self {
        let settings = Settings { rules: Rules::new(), buffer: KEPT, kept: KEPT, keys: false, header: None };
        Self { waiter, settings }
    }

    /// Sets the rules. Default: [`Rules::new`].
    ///
    /// ```
    /// # use backoff_http::{Rules, tower::RetryLayer};
    /// let layer = RetryLayer::new(backoff_core::ExponentialBackoff::new()).rules(Rules::nothing());
    /// ```
    pub fn rules(mut self, rules: Rules) -> Self {
        self.settings.rules = rules;
        self
    }

    /// How many bytes of a request's body are read so that it can be sent again. A longer body is sent once. Default: 65,536.
    ///
    /// ```
    /// # use backoff_http::tower::RetryLayer;
    /// let layer = RetryLayer::new(backoff_core::ExponentialBackoff::new()).buffer(1_024);
    /// ```
    pub fn buffer(mut self, bytes: usize) -> Self {
        self.settings.buffer = bytes;
        self
    }

    /// How many bytes of a failed answer are read, so that its connection can be used again. Default: 65,536.
    ///
    /// ```
    /// # use backoff_http::tower::RetryLayer;
    /// let layer = RetryLayer::new(backoff_core::ExponentialBackoff::new()).keep(1_024);
    /// ```
    pub fn keep(mut self, bytes: usize) -> Self {
        self.settings.kept = bytes;
        self
    }

    /// Gives each request a key of its own, if its method is not idempotent and it has none, so that it may be tried again. Only
    /// for servers that honour it: see [`idempotency`](crate::idempotency).
    ///
    /// ```
    /// # use backoff_http::tower::RetryLayer;
    /// let layer = RetryLayer::new(backoff_core::ExponentialBackoff::new()).idempotency_keys();
    /// ```
    pub fn idempotency_keys(mut self) -> Self {
        self.settings.keys = true;
        self
    }

    /// Tells the server in a header how much time is left, if the run has a budget or deadline.
    ///
    /// ```
    /// # use backoff_http::{deadline::DeadlineHeader, tower::RetryLayer};
    /// let layer = RetryLayer::new(backoff_core::ExponentialBackoff::new()).deadline_header(DeadlineHeader::grpc());
    /// ```
    pub fn deadline_header(mut self, header: DeadlineHeader) -> Self {
        self.settings.header = Some(header);
        self
    }
}

impl<R, G> fmt::Debug for RetryLayer<R, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryLayer").field("waiter", &self.waiter).finish_non_exhaustive()
    }
}

impl<S, R: Clone, G: Clone> Layer<S> for RetryLayer<R, G> {
    type Service = Retry<S, R, G>;

    fn layer(&self, inner: S) -> Retry<S, R, G> {
        Retry { inner, waiter: self.waiter.clone(), settings: Arc::new(self.settings) }
    }
}

/// A service with retries. Made by [`RetryLayer`].
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use backoff_http::tower::{Retry, RetryLayer};
/// use tower_layer::Layer;
/// let service: Retry<&str> = RetryLayer::new(ExponentialBackoff::new()).layer("any service");
/// ```
#[derive(Clone)]
pub struct Retry<S, R = SystemRandom, G = Unguarded> {
    inner: S,
    waiter: Waiter<System, R, Any, Nothing, Nothing, G>,
    settings: Arc<Settings>,
}

impl<S: fmt::Debug, R, G> fmt::Debug for Retry<S, R, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retry").field("inner", &self.inner).field("waiter", &self.waiter).finish_non_exhaustive()
    }
}

/// What comes out of a service with retries.
///
/// ```
/// use backoff_http::tower::ResponseFuture;
/// use http_body_util::Full;
/// use hyper::body::Bytes;
///
/// async fn status(answer: ResponseFuture<Full<Bytes>>) -> Result<u16, backoff_http::tower::Error> {
///     Ok(answer.await?.status().as_u16())
/// }
/// ```
pub type ResponseFuture<B> = Pin<Box<dyn Future<Output = Result<Response<Kept<B>>, Error>> + Send>>;

// Twice, because the future of a run has to be `Send`, which can be said of each kind of guards but not of any.
macro_rules! service {
    ($($guards:ty),+) => {$(
        impl<S, R, B, A> Service<Request<B>> for Retry<S, R, $guards>
        where
            S: Service<Request<Kept<B>>, Response = Response<A>> + Clone + Send + 'static,
            S::Error: Into<BoxError>,
            S::Future: Send,
            R: Random + Clone + Send + Sync + 'static,
            B: Body + Send + Unpin + 'static,
            B::Data: Send,
            B::Error: Send,
            A: Body + Send + Unpin + 'static,
            A::Data: Send,
            A::Error: Send,
        {
            type Response = Response<Kept<A>>;
            type Error = Error;
            type Future = ResponseFuture<A>;

            fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
                self.inner.poll_ready(context).map_err(|error| Error::not_ready(error.into()))
            }

            fn call(&mut self, request: Request<B>) -> ResponseFuture<A> {
                // What was made ready is this service, not a clone of it: it takes the first attempt.
                let clone = self.inner.clone();
                let ready = std::mem::replace(&mut self.inner, clone);
                Box::pin(run(ready, self.inner.clone(), self.waiter.clone(), Arc::clone(&self.settings), request))
            }
        }
    )+};
}

service!(Unguarded, Guards<'static>);

/// Makes the attempts.
async fn run<S, R, G, B, A>(
    ready: S,
    template: S,
    waiter: Waiter<System, R, Any, Nothing, Nothing, G>,
    settings: Arc<Settings>,
    request: Request<B>,
) -> Result<Response<Kept<A>>, Error>
where
    S: Service<Request<Kept<B>>, Response = Response<A>> + Clone,
    S::Error: Into<BoxError>,
    R: Random,
    G: GuardSet<Instant>,
    B: Body + Unpin,
    A: Body + Unpin,
{
    let (mut head, body) = request.into_parts();
    if settings.keys && !settings.rules.is_idempotent(&head.method) {
        IdempotencyKey::new().attach(&mut head.headers);
    }
    let mut body = Some(match usize::try_from(body.size_hint().lower()) {
        Ok(least) if least <= settings.buffer => Kept::read(body, settings.buffer).await,
        _ => Kept::unread(body),
    });
    let mut ready = Some(ready);
    let outcome = waiter
        .when(attempt::is_retry::<A>)
        .hint(attempt::hint::<A>)
        .retry_async_with(move |run| {
            let copy = body.as_ref().and_then(Kept::again);
            let operation = Operation::with_headers(&head.method, &head.headers).replayable(copy.is_some());
            let Some(body) = copy.or_else(|| body.take()) else {
                unreachable!("a request whose body is gone is not tried again")
            };
            let mut head = head.clone();
            let limit = run.timeout(None, attempt::LAST_ATTEMPT);
            if let (Some(limit), Some(header)) = (limit, settings.header) {
                header.write(&mut head.headers, limit);
            }
            let (is_ready, service) = match ready.take() {
                Some(service) => (true, service),
                None => (false, template.clone()),
            };
            Attempt { service, is_ready, operation, rules: settings.rules, kept: settings.kept, limit }
                .make(Request::from_parts(head, body))
        })
        .await;
    outcome.or_else(error::into_last)
}
