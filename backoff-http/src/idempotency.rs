//! A name for one operation, so that a server can tell a second attempt from a second order.
//!
//! # When may a POST be retried?
//!
//! A request whose answer is lost may have been carried out. Repeating a GET does no harm; repeating a payment charges twice.
//! So a POST, or any other method that is not idempotent, is tried again only
//!
//! - if nothing was sent: no address, no connection, a refused stream;
//! - if the server says that it did nothing: 408, 425, 429, and 413 with `Retry-After`;
//! - or with an idempotency key, **provided that the server honours it**: it has to remember the key with the answer, and
//!   give the same answer again instead of doing the work twice. Read its documentation; a server that does not know the
//!   header ignores it, and the key protects nothing.
//!
//! The key names the operation, not the attempt. Make it where the operation is decided, outside of the function that is
//! retried, and store it with the order if the order may be sent again after a restart.
//!
//! ```
//! use backoff_core::exponential_backoff;
//! use backoff_http::IdempotencyKey;
//! use backoff_http::idempotency::IDEMPOTENCY_KEY;
//! use backoff_http::reqwest::{Failed, RetryRequest};
//!
//! #[exponential_backoff(jitter = "full", when = backoff_http::is_transient, hint = backoff_http::retry_after)]
//! async fn charge(client: &reqwest::Client, key: &IdempotencyKey) -> Result<reqwest::Response, Failed> {
//!     client.post("https://bank.example/charges").header(IDEMPOTENCY_KEY, key.header_value()).body("ten").attempt().await
//! }
//! ```

use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue};

/// The header that carries the key.
///
/// ```
/// assert_eq!(backoff_http::idempotency::IDEMPOTENCY_KEY, "idempotency-key");
/// ```
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

const HEX: &[u8; 16] = b"0123456789abcdef";

/// A random name for one operation: 128 bits, printed as 32 hexadecimal digits.
///
/// See [the module](self) for when a POST may be retried.
///
/// ```
/// use backoff_http::IdempotencyKey;
/// let key = IdempotencyKey::new();
/// assert_eq!(key.to_string().len(), 32);
/// assert_eq!(key, key.clone());
/// assert_ne!(key, IdempotencyKey::new());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(HeaderValue);

impl IdempotencyKey {
    /// A key that was never used, from the operating system's randomness.
    ///
    /// # Panics
    /// If the operating system has no randomness to give.
    ///
    /// ```
    /// # use backoff_http::IdempotencyKey;
    /// assert!(IdempotencyKey::new().as_str().bytes().all(|byte| byte.is_ascii_hexdigit()));
    /// ```
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a default that is another one each time would surprise")]
    pub fn new() -> Self {
        let mut random = [0; 16];
        getrandom::fill(&mut random).expect("the operating system should have randomness");
        let mut text = [0; 32];
        for (pair, byte) in text.chunks_exact_mut(2).zip(random) {
            pair[0] = HEX[usize::from(byte >> 4)];
            pair[1] = HEX[usize::from(byte & 15)];
        }
        Self(HeaderValue::from_bytes(&text).expect("digits are a header value"))
    }

    /// A key that was made elsewhere, or stored: printable ASCII without spaces, up to 255 bytes.
    ///
    /// # Errors
    /// If it is empty, too long, or has other characters.
    ///
    /// ```
    /// # use backoff_http::IdempotencyKey;
    /// assert_eq!(IdempotencyKey::from_text("order-7").unwrap().as_str(), "order-7");
    /// assert!(IdempotencyKey::from_text("order 7").is_err());
    /// ```
    pub fn from_text(text: &str) -> Result<Self, InvalidKey> {
        if text.is_empty() || text.len() > 255 || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(InvalidKey);
        }
        HeaderValue::from_str(text).map(Self).map_err(|_| InvalidKey)
    }

    /// The key as text.
    ///
    /// ```
    /// # use backoff_http::IdempotencyKey;
    /// assert_eq!(IdempotencyKey::from_text("a").unwrap().as_str(), "a");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// The key as the value of a header.
    ///
    /// ```
    /// # use backoff_http::IdempotencyKey;
    /// assert_eq!(IdempotencyKey::from_text("a").unwrap().header_value(), "a");
    /// ```
    #[must_use]
    pub fn header_value(&self) -> HeaderValue {
        self.0.clone()
    }

    /// Puts the key into the headers of a request; a key that is there already stays.
    ///
    /// ```
    /// # use backoff_http::IdempotencyKey;
    /// # use http::HeaderMap;
    /// let mut headers = HeaderMap::new();
    /// IdempotencyKey::from_text("a").unwrap().attach(&mut headers);
    /// IdempotencyKey::from_text("b").unwrap().attach(&mut headers);
    /// assert_eq!(headers["idempotency-key"], "a");
    /// ```
    pub fn attach(&self, headers: &mut HeaderMap) {
        headers.entry(IDEMPOTENCY_KEY).or_insert_with(|| self.header_value());
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdempotencyKey({self})")
    }
}

impl From<IdempotencyKey> for HeaderValue {
    fn from(key: IdempotencyKey) -> Self {
        key.0
    }
}

/// A text that can't be an idempotency key.
///
/// ```
/// # use backoff_http::IdempotencyKey;
/// let error = IdempotencyKey::from_text("").unwrap_err();
/// assert_eq!(error.to_string(), "an idempotency key is 1 to 255 printable ASCII characters without spaces");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidKey;

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("an idempotency key is 1 to 255 printable ASCII characters without spaces")
    }
}

impl std::error::Error for InvalidKey {}
