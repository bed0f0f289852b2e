//! What is known about a request: whether it may be carried out twice, whether it can be sent twice, and where it went.

use std::fmt;

use http::{HeaderMap, Method};

use crate::idempotency::IDEMPOTENCY_KEY;

/// A request, as far as it matters for trying it again: its method, whether it has an idempotency key, whether its body can
/// be sent again, and whether it was redirected.
///
/// ```
/// use backoff_http::Operation;
/// use http::Method;
/// let payment = Operation::new(Method::POST).keyed(true);
/// assert_eq!(payment.to_string(), "POST");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    what: What,
    keyed: bool,
    replayable: bool,
    redirected: bool,
}

/// A method, or what the caller says of operations of which nothing else is known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Method(Method),
    Repeatable,
    Once,
}

impl Operation {
    /// A request with this method, without a key, and with a body that can be sent again.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// assert_eq!(Operation::new(http::Method::GET).method(), Some(&http::Method::GET));
    /// ```
    #[must_use]
    pub const fn new(method: Method) -> Self {
        Self::of(What::Method(method))
    }

    /// A request with this method and these headers: it has a key if there is an `Idempotency-Key` among them that is not
    /// empty.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// # use http::{HeaderMap, Method};
    /// let mut headers = HeaderMap::new();
    /// headers.insert("idempotency-key", "\"7f3a\"".parse().unwrap());
    /// assert!(Operation::with_headers(&Method::POST, &headers).is_keyed());
    /// ```
    #[must_use]
    pub fn with_headers(method: &Method, headers: &HeaderMap) -> Self {
        let keyed = headers.get(IDEMPOTENCY_KEY).is_some_and(|key| !key.is_empty());
        Self::new(method.clone()).keyed(keyed)
    }

    /// An operation of which the caller says that it may be carried out twice: a function that only reads, say.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// assert_eq!(Operation::repeatable().to_string(), "the operation");
    /// ```
    #[must_use]
    pub const fn repeatable() -> Self {
        Self::of(What::Repeatable)
    }

    /// An operation that must not be carried out twice: it is tried again only if nothing was sent, or if the server says
    /// that it did nothing.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// assert_ne!(Operation::once(), Operation::repeatable());
    /// ```
    #[must_use]
    pub const fn once() -> Self {
        Self::of(What::Once)
    }

    /// Says whether the request has an idempotency key that the server honours.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// assert!(Operation::new(http::Method::POST).keyed(true).is_keyed());
    /// ```
    #[must_use]
    pub fn keyed(self, keyed: bool) -> Self {
        Self { keyed, ..self }
    }

    /// Says whether the body can be sent again. A stream that is consumed while it is sent can't.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// assert!(!Operation::new(http::Method::PUT).replayable(false).is_replayable());
    /// ```
    #[must_use]
    pub fn replayable(self, replayable: bool) -> Self {
        Self { replayable, ..self }
    }

    /// Says whether redirects were followed: then something was sent, and a server that can't be reached or
    /// that did nothing need not be the one that was asked first.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules};
    /// # use http::{HeaderMap, Method, StatusCode};
    /// let order = Operation::new(Method::POST).redirected(true);
    /// assert!(!Rules::new().judge_status(&order, StatusCode::TOO_MANY_REQUESTS, &HeaderMap::new()).is_retry());
    /// ```
    #[must_use]
    pub fn redirected(self, redirected: bool) -> Self {
        Self { redirected, ..self }
    }

    /// The method, if it is known.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// assert_eq!(Operation::once().method(), None);
    /// ```
    #[must_use]
    pub const fn method(&self) -> Option<&Method> {
        match &self.what {
            What::Method(method) => Some(method),
            What::Repeatable | What::Once => None,
        }
    }

    /// Whether it has an idempotency key.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// assert!(!Operation::new(http::Method::POST).is_keyed());
    /// ```
    #[must_use]
    pub const fn is_keyed(&self) -> bool {
        self.keyed
    }

    /// Whether the body can be sent again.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// assert!(Operation::new(http::Method::POST).is_replayable());
    /// ```
    #[must_use]
    pub const fn is_replayable(&self) -> bool {
        self.replayable
    }

    /// Whether redirects were followed.
    ///
    /// ```
    /// # use backoff_http::Operation;
    /// assert!(!Operation::new(http::Method::POST).is_redirected());
    /// ```
    #[must_use]
    pub const fn is_redirected(&self) -> bool {
        self.redirected
    }

    const fn of(what: What) -> Self {
        Self { what, keyed: false, replayable: true, redirected: false }
    }

    pub(crate) const fn is_declared_repeatable(&self) -> bool {
        matches!(self.what, What::Repeatable)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.method().map_or("the operation", Method::as_str))
    }
}
