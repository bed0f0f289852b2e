//! Requests of `ureq` with retries, for threads.
//!
//! ```no_run
//! use backoff_core::{ExponentialBackoff, Jitter};
//! use backoff_http::IdempotencyKey;
//! use backoff_http::ureq::RetryAgent;
//!
//! const POLICY: ExponentialBackoff = ExponentialBackoff::new().jitter(Jitter::Full);
//!
//! # fn example(agent: &ureq::Agent) -> Result<(), Box<dyn std::error::Error>> {
//! let page = agent.retry(POLICY).run(http::Request::get("http://localhost/page").body(())?)?;
//!
//! // A POST may be repeated if it has a key and the server honours it.
//! let key = IdempotencyKey::new();
//! let order = http::Request::post("http://localhost/orders").body("one telescope")?;
//! let receipt = agent.retry(POLICY).idempotency_key(&key).run(order)?;
//! # let _ = (page, receipt);
//! # Ok(())
//! # }
//! ```
//!
//! Each attempt sends a clone of the request, so its body is one that can be cloned: `()`, `&str`, `String`, `&[u8]`,
//! `Vec<u8>`. A stream goes by [`run_stream`](Retrying::run_stream), once. What remains of the budget becomes the global
//! timeout of the request, unless the agent has a shorter one. Statuses are never errors here, whatever the agent's
//! `http_status_as_error` says: so a failed answer keeps its headers and its body.
//!
//! Before the next attempt, a failed answer is dropped, and with it its connection unless the body is empty. If the agent has a
//! `timeout_recv_body`, `timeout_per_call` or `timeout_global`, the body is read before (up to 64 KiB), so that the connection can
//! be used again. Without one it is not: a server that stalls would hold up the run, and `ureq` can't be told afterwards how long
//! to wait. The budget does not count as one, for it would all be spent on waiting.
//!
//! Redirects are noticed by the history of an answer, which is always kept. Errors don't tell of them: that no connection
//! could be made is taken for the request itself.
//!
//! A request that was configured with `configure_request` keeps its configuration, except that in a run with a budget or
//! deadline its global timeout is replaced. It can't be read back, so its failed answers are not read.

mod once;

use std::fmt;
use std::time::Duration;

use ::ureq::{Agent, AsSendBody, Body};
use backoff_core::clock::{BlockingTime, System, Timeline};
use backoff_core::random::{Random, SystemRandom};
use backoff_core::waiter::{Any, GuardSet, Nothing, Observer, Unguarded};
use backoff_core::{ExponentialBackoff, RetryError, Waiter};
use http::{Request, Response};

use crate::deadline::DeadlineHeader;
use crate::{IdempotencyKey, Operation, Rules};
use once::Limits;

/// A request that failed: the response or the error, and the verdict about it.
///
/// ```
/// fn report(failed: backoff_http::ureq::Failed) -> Result<(), ureq::Error> {
///     println!("{failed}, {}", failed.verdict());
///     if let Some(mut response) = failed.into_response() {
///         println!("{:?}: {}", response.headers().clone(), response.body_mut().read_to_string()?);
///     }
///     Ok(())
/// }
/// ```
pub type Failed = crate::Failed<Response<Body>, ::ureq::Error>;

/// How much of a failed answer is read, if the time for it is limited, so that its connection can be used again.
const KEPT: usize = 64 * 1_024;

/// How long the attempt after the last sleep may take, if nothing else limits it.
const LAST_ATTEMPT: Duration = Duration::from_secs(1);

/// Retries for an agent of `ureq`.
///
/// ```no_run
/// use backoff_core::ExponentialBackoff;
/// use backoff_http::ureq::RetryAgent;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let agent = ureq::Agent::new_with_defaults();
/// let mut page = agent.retry(ExponentialBackoff::new()).run(http::Request::get("http://localhost/").body(())?)?;
/// println!("{}", page.body_mut().read_to_string()?);
/// # Ok(())
/// # }
/// ```
pub trait RetryAgent: sealed::Sealed {
    /// Retries under a policy, for one request.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::ureq::RetryAgent;
    /// let agent = ureq::Agent::new_with_defaults();
    /// let retrying = agent.retry(ExponentialBackoff::new().max_attempts(3));
    /// # drop(retrying);
    /// ```
    fn retry(&self, policy: ExponentialBackoff) -> Retrying<'_>;

    /// Retries under a waiter: with a clock, randomness, a deadline, a `CancelToken`, hooks or guards of your own. The waiter has no
    /// conditions and no hints, because the [`Rules`] decide.
    ///
    /// ```
    /// use backoff_core::{CancelToken, ExponentialBackoff};
    /// use backoff_http::ureq::RetryAgent;
    /// let token = CancelToken::new();
    /// let agent = ureq::Agent::new_with_defaults();
    /// let _ = agent.retry_with(ExponentialBackoff::new().cancel(&token));
    /// ```
    fn retry_with<T: Timeline, R, O, G>(&self, waiter: Waiter<T, R, Any, Nothing, O, G>) -> Retrying<'_, T, R, O, G>;

    /// Sends a request once, and turns a status that is worth another attempt into an error that keeps the response: what an
    /// annotated function returns. Other statuses are returned as they are, 404 as well as 200.
    ///
    /// # Errors
    /// The response or the error, with the verdict by the default rules.
    ///
    /// ```no_run
    /// use backoff_core::exponential_backoff;
    /// use backoff_http::ureq::{Failed, RetryAgent};
    ///
    /// #[exponential_backoff(jitter = "full", when = backoff_http::is_transient, hint = backoff_http::retry_after)]
    /// fn page(agent: &ureq::Agent) -> Result<http::Response<ureq::Body>, Failed> {
    ///     agent.attempt(http::Request::get("http://localhost/").body(()).unwrap())
    /// }
    /// ```
    fn attempt(&self, request: Request<impl AsSendBody>) -> Result<Response<Body>, Failed>;
}

impl RetryAgent for Agent {
    fn retry(&self, policy: ExponentialBackoff) -> Retrying<'_> {
        self.retry_with(policy.waiter())
    }

    fn retry_with<T: Timeline, R, O, G>(&self, waiter: Waiter<T, R, Any, Nothing, O, G>) -> Retrying<'_, T, R, O, G> {
        Retrying {
            agent: self,
            waiter,
            rules: Rules::new(),
            key: None,
            limits: Limits { kept: KEPT, last_attempt: LAST_ATTEMPT, header: None },
        }
    }

    fn attempt(&self, request: Request<impl AsSendBody>) -> Result<Response<Body>, Failed> {
        let operation = Operation::with_headers(request.method(), request.headers());
        let limits = Limits { kept: KEPT, last_attempt: LAST_ATTEMPT, header: None };
        limits.once(self, request, |_, _| None, &Rules::new(), &operation)
    }
}

/// Retries for one request. Made by [`RetryAgent::retry`].
#[must_use = "nothing is sent before `run`"]
pub struct Retrying<'a, T: Timeline = System, R = SystemRandom, O = Nothing, G = Unguarded> {
    agent: &'a Agent,
    waiter: Waiter<T, R, Any, Nothing, O, G>,
    rules: Rules,
    key: Option<IdempotencyKey>,
    limits: Limits,
}

impl<T: Timeline, R, O, G> Retrying<'_, T, R, O, G> {
    /// Sets the rules. Default: [`Rules::new`].
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::{OnStatus, Rules, ureq::RetryAgent};
    /// const RULES: Rules = Rules::new().on_status(409, OnStatus::IfRepeatable);
    /// let agent = ureq::Agent::new_with_defaults();
    /// let _ = agent.retry(ExponentialBackoff::new()).rules(RULES);
    /// ```
    pub fn rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Sends this key with every attempt, as `Idempotency-Key`, unless the request has one or its method is idempotent anyway.
    /// See [`idempotency`](crate::idempotency) for what the server has to do.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::{IdempotencyKey, ureq::RetryAgent};
    /// let agent = ureq::Agent::new_with_defaults();
    /// let _ = agent.retry(ExponentialBackoff::new()).idempotency_key(&IdempotencyKey::new());
    /// ```
    pub fn idempotency_key(self, key: &IdempotencyKey) -> Self {
        Self { key: Some(key.clone()), ..self }
    }

    /// Tells the server in a header how much time is left, if the run has a budget or deadline.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::{deadline::DeadlineHeader, ureq::RetryAgent};
    /// let agent = ureq::Agent::new_with_defaults();
    /// let _ = agent.retry(ExponentialBackoff::new()).deadline_header(DeadlineHeader::millis("x-time-left-ms"));
    /// ```
    pub fn deadline_header(mut self, header: DeadlineHeader) -> Self {
        self.limits.header = Some(header);
        self
    }

    /// How long the attempt after a trimmed sleep may take, if the agent has no global timeout: nothing of the budget is left
    /// for it, and a timeout of zero would be no attempt. Default: 1 s.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::ureq::RetryAgent;
    /// let agent = ureq::Agent::new_with_defaults();
    /// let _ = agent.retry(ExponentialBackoff::new()).last_attempt(std::time::Duration::from_millis(300));
    /// ```
    pub fn last_attempt(mut self, timeout: Duration) -> Self {
        self.limits.last_attempt = timeout;
        self
    }

    /// How many bytes of a failed answer are read, so that its connection can be used again, if the agent limits the time for it
    /// (see [the module](self)). The connection of a longer one is closed. Default: 65,536.
    ///
    /// ```
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::ureq::RetryAgent;
    /// let agent = ureq::Agent::new_with_defaults();
    /// let _ = agent.retry(ExponentialBackoff::new()).keep(1_024);
    /// ```
    pub fn keep(mut self, bytes: usize) -> Self {
        self.limits.kept = bytes;
        self
    }

    /// Sends clones of the request until there is an answer that is not worth another attempt: that one is returned, be it a
    /// 200 or a 404. Its body is not read.
    ///
    /// # Errors
    /// The last response or error, why it was not tried again, and what it took.
    ///
    /// ```no_run
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::ureq::RetryAgent;
    /// # fn example(agent: &ureq::Agent) -> Result<(), Box<dyn std::error::Error>> {
    /// match agent.retry(ExponentialBackoff::new()).run(http::Request::get("http://localhost/").body(())?) {
    ///     Ok(response) => println!("{}", response.status()),
    ///     Err(error) => println!("{error} ({} attempts)", error.attempts()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn run<B: AsSendBody + Clone>(self, request: Request<B>) -> Result<Response<Body>, RetryError<Failed>>
    where
        T: BlockingTime,
        R: Random,
        O: Observer<Failed>,
        G: GuardSet<T::Instant>,
    {
        self.run_each(request, true, |request| request.clone())
    }

    /// As [`run`](Self::run), for a body that can't be cloned. It is sent once: what would have been tried again is an error
    /// that says so.
    ///
    /// # Errors
    /// The response or error, and that the body can't be sent again.
    ///
    /// ```no_run
    /// use backoff_core::ExponentialBackoff;
    /// use backoff_http::ureq::RetryAgent;
    /// # fn example(agent: &ureq::Agent) -> Result<(), Box<dyn std::error::Error>> {
    /// let upload = http::Request::put("http://localhost/log").body(std::fs::File::open("server.log")?)?;
    /// agent.retry(ExponentialBackoff::new()).run_stream(upload)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn run_stream(self, request: Request<impl AsSendBody>) -> Result<Response<Body>, RetryError<Failed>>
    where
        T: BlockingTime,
        R: Random,
        O: Observer<Failed>,
        G: GuardSet<T::Instant>,
    {
        self.run_each(request.map(Some), false, |request| {
            let Some(body) = request.body_mut().take() else {
                unreachable!("a request whose body is gone is not tried again")
            };
            let mut once = Request::new(body);
            std::mem::swap(once.method_mut(), request.method_mut());
            std::mem::swap(once.uri_mut(), request.uri_mut());
            std::mem::swap(once.headers_mut(), request.headers_mut());
            std::mem::swap(once.extensions_mut(), request.extensions_mut());
            *once.version_mut() = request.version();
            once
        })
    }

    fn run_each<S, B: AsSendBody>(
        self,
        mut request: Request<S>,
        replayable: bool,
        mut next: impl FnMut(&mut Request<S>) -> Request<B>,
    ) -> Result<Response<Body>, RetryError<Failed>>
    where
        T: BlockingTime,
        R: Random,
        O: Observer<Failed>,
        G: GuardSet<T::Instant>,
    {
        let Self { agent, waiter, rules, key, limits } = self;
        if let Some(key) = key.filter(|_| !rules.is_idempotent(request.method())) {
            key.attach(request.headers_mut());
        }
        let operation = Operation::with_headers(request.method(), request.headers()).replayable(replayable);
        waiter.when(|failed: &Failed| failed.verdict().is_retry()).hint(|failed: &Failed| failed.hint()).retry_with(
            |attempt| {
                limits.once(agent, next(&mut request), |own, last| attempt.timeout(own, last), &rules, &operation)
            },
        )
    }
}

impl<T: Timeline, R, O, G> fmt::Debug for Retrying<'_, T, R, O, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retrying").field("waiter", &self.waiter).finish_non_exhaustive()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for ureq::Agent {}
}
