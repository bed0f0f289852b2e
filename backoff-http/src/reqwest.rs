//! Requests of `reqwest` with retries.
//!
//! ```no_run
//! use backoff_core::{ExponentialBackoff, Jitter};
//! use backoff_http::IdempotencyKey;
//! use backoff_http::reqwest::RetryRequest;
//!
//! const POLICY: ExponentialBackoff = ExponentialBackoff::new().jitter(Jitter::Full);
//!
//! # async fn example(client: &reqwest::Client) -> Result<(), Box<dyn std::error::Error>> {
//! let page = client.get("http://localhost/page").retry(POLICY).send().await?;
//!
//! // A POST may be repeated if it has a key and the server honours it.
//! let key = IdempotencyKey::new();
//! let order = client.post("http://localhost/orders").body("one telescope").retry(POLICY).idempotency_key(&key);
//! let receipt = order.send().await?;
//! # let _ = (page, receipt);
//! # Ok(())
//! # }
//! ```
//!
//! Each attempt sends the same request: headers, and a body that is in memory. A body that is a stream can be sent once, and
//! the error says so. What remains of the budget becomes the timeout of the request, body of the answer included, unless the
//! request has a shorter one. Redirects are noticed by the address of an answer, so one that leads to the same address is not.
//! Errors don't tell of them: that no connection could be made is taken for the request itself. Before the next attempt, a failed
//! answer is read (up to 64 KiB and half a second) and dropped, so that its connection can be used again.

mod once;

use std::fmt;
use std::time::Duration;

use backoff_core::clock::{AsyncTime, System, Timeline};
use backoff_core::random::{Random, SystemRandom};
use backoff_core::waiter::{Any, GuardSet, Nothing, Observer, Uncut, Unguarded};
use backoff_core::{ExponentialBackoff, RetryError, Waiter};
use bytes::Bytes;

use crate::deadline::DeadlineHeader;
use crate::{IdempotencyKey, Rules};
use once::{Limits, Template};

/// A request that failed: the response or the error, and the verdict about it.
///
/// ```
/// async fn report(failed: backoff_http::reqwest::Failed) -> reqwest::Result<()> {
///     println!("{failed}, {}", failed.verdict());
///     if let Some(response) = failed.into_response() {
///         println!("{:?}: {}", response.headers().clone(), response.text().await?);
///     }
///     Ok(())
/// }
/// ```
pub type Failed = crate::Failed<reqwest::Response, reqwest::Error>;

/// How much of a failed answer is read so that its connection can be used again.
const KEPT: usize = 64 * 1_024;

/// How long the attempt after the last sleep may take, if nothing else limits it.
const LAST_ATTEMPT: Duration = Duration::from_secs(1);

/// Retries for a [`reqwest::RequestBuilder`].
///
/// ```no_run
/// use backoff_core::ExponentialBackoff;
/// use backoff_http::reqwest::RetryRequest;
/// # async fn example(client: reqwest::Client) -> Result<(), Box<dyn std::error::Error>> {
/// let page = client.get("http://localhost/").retry(ExponentialBackoff::new()).send().await?.text().await?;
/// # let _ = page;
/// # Ok(())
/// # }
/// ```
pub trait RetryRequest: Sized + sealed::Sealed {
    /// The request with retries under a policy.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::reqwest::RetryRequest;
    /// let request = reqwest::Client::new().get("http://localhost/");
    /// let retrying = request.retry(ExponentialBackoff::new().max_attempts(3));
    /// # drop(retrying);
    /// ```
    fn retry(self, policy: ExponentialBackoff) -> Retrying;

    /// The request with retries under a waiter: with a clock, randomness, a deadline, hooks or guards of your own. The waiter has no
    /// conditions and no hints, because the [`Rules`] decide; and no `attempt_timeout`, because a request has a timeout of its
    /// own, after which the rules decide too.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_core::event::Retry;
    /// use backoff_core::guard::CircuitBreaker;
    /// use backoff_http::reqwest::{Failed, RetryRequest};
    /// # fn example(client: reqwest::Client) {
    /// static BREAKER: CircuitBreaker = CircuitBreaker::new();
    /// let waiter = ExponentialBackoff::new()
    ///     .on_retry(|retry: &Retry<'_, Failed>| println!("{:?}", retry.delay))
    ///     .breaker(&BREAKER);
    /// let _ = client.get("http://localhost/").retry_with(waiter);
    /// # }
    /// ```
    fn retry_with<T: Timeline, R, O, G>(self, waiter: Waiter<T, R, Any, Nothing, O, G>) -> Retrying<T, R, O, G>;

    /// Sends the request once, and turns a status that is worth another attempt into an error that keeps the response: what an
    /// annotated function returns. Other statuses are returned as they are, 404 as well as 200.
    ///
    /// # Errors
    /// The response or the error, with the verdict by the default rules.
    ///
    /// ```no_run
    /// use backoff_core::exponential_backoff;
    /// use backoff_http::reqwest::{Failed, RetryRequest};
    ///
    /// #[exponential_backoff(jitter = "full", when = backoff_http::is_transient, hint = backoff_http::retry_after)]
    /// async fn page(client: &reqwest::Client) -> Result<reqwest::Response, Failed> {
    ///     client.get("http://localhost/").attempt().await
    /// }
    /// ```
    fn attempt(self) -> impl Future<Output = Result<reqwest::Response, Failed>> + Send;
}

impl RetryRequest for reqwest::RequestBuilder {
    fn retry(self, policy: ExponentialBackoff) -> Retrying {
        self.retry_with(policy.waiter())
    }

    fn retry_with<T: Timeline, R, O, G>(self, waiter: Waiter<T, R, Any, Nothing, O, G>) -> Retrying<T, R, O, G> {
        Retrying {
            request: self,
            waiter,
            rules: Rules::new(),
            key: None,
            limits: Limits { kept: KEPT, last_attempt: LAST_ATTEMPT, header: None },
        }
    }

    async fn attempt(self) -> Result<reqwest::Response, Failed> {
        let limits = Limits { kept: KEPT, last_attempt: LAST_ATTEMPT, header: None };
        Box::pin(Template::new(self, &Rules::new(), limits, None).next(|_, _| None).send()).await
    }
}

/// A request with retries. Made by [`RetryRequest::retry`].
#[must_use = "nothing is sent before `send`"]
pub struct Retrying<T: Timeline = System, R = SystemRandom, O = Nothing, G = Unguarded> {
    request: reqwest::RequestBuilder,
    waiter: Waiter<T, R, Any, Nothing, O, G>,
    rules: Rules,
    key: Option<IdempotencyKey>,
    limits: Limits,
}

impl<T: Timeline, R, O, G> Retrying<T, R, O, G> {
    /// Sets the rules. Default: [`Rules::new`].
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::{OnStatus, Rules, reqwest::RetryRequest};
    /// # fn example(client: reqwest::Client) {
    /// const RULES: Rules = Rules::new().on_status(409, OnStatus::IfRepeatable);
    /// let _ = client.get("http://localhost/").retry(ExponentialBackoff::new()).rules(RULES);
    /// # }
    /// ```
    pub fn rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Sends this key with every attempt, as `Idempotency-Key`, unless the request has one or its method is idempotent anyway.
    /// See [`idempotency`](crate::idempotency) for what the server has to do.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::{IdempotencyKey, reqwest::RetryRequest};
    /// # fn example(client: reqwest::Client) {
    /// let key = IdempotencyKey::new();
    /// let _ = client.post("http://localhost/").retry(ExponentialBackoff::new()).idempotency_key(&key);
    /// # }
    /// ```
    pub fn idempotency_key(self, key: &IdempotencyKey) -> Self {
        Self { key: Some(key.clone()), ..self }
    }

    /// Tells the server in a header how much time is left, if the run has a budget or deadline.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::{deadline::DeadlineHeader, reqwest::RetryRequest};
    /// # fn example(client: reqwest::Client) {
    /// let header = DeadlineHeader::millis("x-time-left-ms");
    /// let _ = client.get("http://localhost/").retry(ExponentialBackoff::new()).deadline_header(header);
    /// # }
    /// ```
    pub fn deadline_header(mut self, header: DeadlineHeader) -> Self {
        self.limits.header = Some(header);
        self
    }

    /// How long the attempt after a trimmed sleep may take, if the request has no timeout of its own: nothing of the budget
    /// is left for it, and a timeout of zero would be no attempt. Default: 1 s.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::reqwest::RetryRequest;
    /// use std::time::Duration;
    /// # fn example(client: reqwest::Client) {
    /// let _ = client.get("http://localhost/").retry(ExponentialBackoff::new()).last_attempt(Duration::from_millis(300));
    /// # }
    /// ```
    pub fn last_attempt(mut self, timeout: Duration) -> Self {
        self.limits.last_attempt = timeout;
        self
    }

    /// How many bytes of a failed answer are read, so that its connection can be used again and the last answer can still be
    /// looked at. The connection of a longer one is closed. Default: 65,536.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::reqwest::RetryRequest;
    /// # fn example(client: reqwest::Client) {
    /// let _ = client.get("http://localhost/").retry(ExponentialBackoff::new()).keep(1_024);
    /// # }
    /// ```
    pub fn keep(mut self, bytes: usize) -> Self {
        self.limits.kept = bytes;
        self
    }

    /// Sends the request until there is an answer that is not worth another attempt: that one is returned, be it a 200 or a
    /// 404. Its body is not read, so an error while reading it is yours; see [`bytes`](Self::bytes).
    ///
    /// # Errors
    /// The last response or error, why it was not tried again, and what it took.
    ///
    /// ```no_run
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::reqwest::RetryRequest;
    /// # async fn example(client: reqwest::Client) {
    /// match client.get("http://localhost/").retry(ExponentialBackoff::new()).send().await {
    ///     Ok(response) => println!("{}", response.status()),
    ///     Err(error) => println!("{error} ({} attempts)", error.attempts()),
    /// }
    /// # }
    /// ```
    pub async fn send(self) -> Result<reqwest::Response, RetryError<Failed>>
    where
        T: AsyncTime + Uncut,
        R: Random,
        O: Observer<Failed>,
        G: GuardSet<T::Instant>,
    {
        let (waiter, mut template) = self.prepare();
        waiter
            .when(|failed: &Failed| failed.verdict().is_retry())
            .hint(|failed: &Failed| failed.hint())
            .retry_async_with(move |attempt| Box::pin(template.next(|own, last| attempt.timeout(own, last)).send()))
            .await
    }

    /// As [`send`](Self::send), and reads the body of the answer as part of the attempt: an answer that breaks off is tried
    /// again like any lost answer.
    ///
    /// # Errors
    /// As for [`send`](Self::send).
    ///
    /// ```no_run
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::reqwest::RetryRequest;
    /// # async fn example(client: reqwest::Client) -> Result<(), Box<dyn std::error::Error>> {
    /// let page = client.get("http://localhost/").retry(ExponentialBackoff::new()).bytes().await?;
    /// println!("{}: {} bytes", page.status(), page.body().len());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn bytes(self) -> Result<http::Response<Bytes>, RetryError<Failed>>
    where
        T: AsyncTime + Uncut,
        R: Random,
        O: Observer<Failed>,
        G: GuardSet<T::Instant>,
    {
        let (waiter, mut template) = self.prepare();
        waiter
            .when(|failed: &Failed| failed.verdict().is_retry())
            .hint(|failed: &Failed| failed.hint())
            .retry_async_with(move |attempt| Box::pin(template.next(|own, last| attempt.timeout(own, last)).bytes()))
            .await
    }

    fn prepare(self) -> (Waiter<T, R, Any, Nothing, O, G>, Template) {
        let Self { request, waiter, rules, key, limits } = self;
        (waiter, Template::new(request, &rules, limits, key.as_ref()))
    }
}

impl<T: Timeline, R, O, G> fmt::Debug for Retrying<T, R, O, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retrying").field("waiter", &self.waiter).finish_non_exhaustive()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for reqwest::RequestBuilder {}
}
