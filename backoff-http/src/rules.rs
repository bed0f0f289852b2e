//! Which statuses, methods and errors are worth another attempt: a table that can be read, printed and changed.

mod judge;
mod table;

use http::Method;

use crate::ErrorKind;
use crate::hint::VendorHints;

/// What a status is worth.
///
/// ```
/// use backoff_http::{OnStatus, Rules};
/// assert_eq!(Rules::new().get_status(429), OnStatus::Always);
/// assert_eq!(Rules::new().get_status(413), OnStatus::IfAsked);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum OnStatus {
    /// The answer is final.
    Never = 0,
    /// Worth another attempt, whatever the method, but only if the server says when.
    IfAsked = 1,
    /// Worth another attempt if the request may be carried out twice: its method is idempotent, or it has a key.
    IfRepeatable = 2,
    /// Worth another attempt, whatever the method: the server says that it did nothing.
    Always = 3,
}

/// The most methods that can be idempotent at once.
const METHODS: usize = 16;

/// Which statuses, methods and errors are worth another attempt.
///
/// A value that can be a constant. [`Display`](std::fmt::Display) prints it as a table; these are the defaults:
///
/// | | tried again |
/// |---|---|
/// | 408, 425, 429 | whatever the method: the server did nothing |
/// | 413 | whatever the method, but only with `Retry-After` |
/// | 500, 502, 503, 504 | if the method is idempotent or there is a key |
/// | any other status | never |
/// | no connection, no address, a refused HTTP/2 stream | whatever the method: nothing was sent |
/// | a lost connection, a timeout | if nothing was sent, or the method is idempotent, or there is a key |
/// | TLS, a bad URL, redirects, a broken request body, an answer that can't be read | never |
///
/// Idempotent are GET, HEAD, OPTIONS, TRACE, PUT, DELETE and QUERY. A body that can't be sent again is never tried again. Once
/// a redirect was followed, nothing says any more that nothing was sent or done.
///
/// ```
/// use backoff_http::{ErrorKind, OnStatus, Operation, Rules};
/// use http::{HeaderMap, Method, StatusCode};
///
/// // A service that answers 409 while a lock is held, and whose 500 is final.
/// const RULES: Rules = Rules::new().on_status(409, OnStatus::IfRepeatable).on_status(500, OnStatus::Never);
///
/// let get = Operation::new(Method::GET);
/// assert!(RULES.judge_status(&get, StatusCode::CONFLICT, &HeaderMap::new()).is_retry());
/// assert!(!RULES.judge_status(&get, StatusCode::INTERNAL_SERVER_ERROR, &HeaderMap::new()).is_retry());
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[must_use = "rules are a value: changing them makes new ones"]
pub struct Rules {
    /// Two bits for each status below 1024.
    statuses: [u64; 32],
    /// The idempotent methods, then empty names.
    idempotent: [&'static str; METHODS],
    /// One bit for each kind of error that is worth another attempt.
    errors: u16,
    /// One bit for each status of gRPC that is worth another attempt.
    grpc: u32,
    hints: VendorHints,
}

impl Rules {
    /// The default rules.
    ///
    /// ```
    /// # use backoff_http::{OnStatus, Rules};
    /// assert_eq!(Rules::new().get_status(503), OnStatus::IfRepeatable);
    /// ```
    pub const fn new() -> Self {
        Self::nothing()
            .on_status(408, OnStatus::Always)
            .on_status(413, OnStatus::IfAsked)
            .on_status(425, OnStatus::Always)
            .on_status(429, OnStatus::Always)
            .on_status(500, OnStatus::IfRepeatable)
            .on_status(502, OnStatus::IfRepeatable)
            .on_status(503, OnStatus::IfRepeatable)
            .on_status(504, OnStatus::IfRepeatable)
            .on_error(ErrorKind::Dns, true)
            .on_error(ErrorKind::Connect, true)
            .on_error(ErrorKind::Reset, true)
            .on_error(ErrorKind::Timeout, true)
            .on_error(ErrorKind::Refused, true)
            .on_error(ErrorKind::Transport, true)
    }

    /// Rules that retry nothing, to build others from. The idempotent methods are the usual ones.
    ///
    /// ```
    /// # use backoff_http::{OnStatus, Rules};
    /// const ONLY_503: Rules = Rules::nothing().on_status(503, OnStatus::IfRepeatable);
    /// assert_eq!(ONLY_503.get_status(429), OnStatus::Never);
    /// ```
    pub const fn nothing() -> Self {
        let mut idempotent = [""; METHODS];
        let usual = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"];
        let mut place = 0;
        while place < usual.len() {
            idempotent[place] = usual[place];
            place += 1;
        }
        Self { statuses: [0; 32], idempotent, errors: 0, grpc: 0, hints: VendorHints::none() }
    }

    /// Says what a status is worth.
    ///
    /// # Panics
    /// If `status` is not in 100..=999. In a constant, that is an error of the compiler.
    ///
    /// ```
    /// # use backoff_http::{OnStatus, Rules};
    /// assert_eq!(Rules::new().on_status(409, OnStatus::IfRepeatable).get_status(409), OnStatus::IfRepeatable);
    /// ```
    pub const fn on_status(mut self, status: u16, on_status: OnStatus) -> Self {
        assert!(100 <= status && status <= 999, "a status is a number from 100 to 999");
        let (word, shift) = place_of(status);
        self.statuses[word] = self.statuses[word] & !(0b11 << shift) | (on_status as u64) << shift;
        self
    }

    /// What a status is worth.
    ///
    /// ```
    /// # use backoff_http::{OnStatus, Rules};
    /// assert_eq!(Rules::new().get_status(404), OnStatus::Never);
    /// ```
    #[must_use]
    pub const fn get_status(&self, status: u16) -> OnStatus {
        if status > 999 {
            return OnStatus::Never;
        }
        let (word, shift) = place_of(status);
        match self.statuses[word] >> shift & 0b11 {
            0 => OnStatus::Never,
            1 => OnStatus::IfAsked,
            2 => OnStatus::IfRepeatable,
            _ => OnStatus::Always,
        }
    }

    /// Says whether an error of this kind is worth another attempt. How far the request got decides, besides, for which
    /// methods.
    ///
    /// ```
    /// # use backoff_http::{ErrorKind, Rules};
    /// assert!(!Rules::new().on_error(ErrorKind::Timeout, false).get_error(ErrorKind::Timeout));
    /// ```
    pub const fn on_error(mut self, kind: ErrorKind, retry: bool) -> Self {
        self.errors = if retry { self.errors | kind.bit() } else { self.errors & !kind.bit() };
        self
    }

    /// Whether an error of this kind is worth another attempt.
    ///
    /// ```
    /// # use backoff_http::{ErrorKind, Rules};
    /// assert!(Rules::new().get_error(ErrorKind::Reset) && !Rules::new().get_error(ErrorKind::Tls));
    /// ```
    #[must_use]
    pub const fn get_error(&self, kind: ErrorKind) -> bool {
        self.errors & kind.bit() != 0
    }

    /// Says whether a status of gRPC is worth another attempt, in a response whose headers are its trailers. It is for calls
    /// that may be carried out twice: gRPC does not tell. By default none is, and `grpc-status` is not looked at; if one is,
    /// `grpc-retry-pushback-ms` and `RetryInfo` are read too.
    ///
    /// # Panics
    /// If `status` is not in 1..=16.
    ///
    /// ```
    /// # use backoff_http::{Rules, grpc::UNAVAILABLE};
    /// assert!(Rules::new().on_grpc(UNAVAILABLE, true).get_grpc(UNAVAILABLE));
    /// ```
    pub const fn on_grpc(mut self, status: u32, retry: bool) -> Self {
        assert!(1 <= status && status <= 16, "a failure of gRPC is a number from 1 to 16");
        self.grpc = if retry { self.grpc | 1 << status } else { self.grpc & !(1 << status) };
        self
    }

    /// Whether a status of gRPC is worth another attempt.
    ///
    /// ```
    /// # use backoff_http::{Rules, grpc::UNAVAILABLE};
    /// assert!(!Rules::new().get_grpc(UNAVAILABLE));
    /// ```
    #[must_use]
    pub const fn get_grpc(&self, status: u32) -> bool {
        status <= 16 && self.grpc & 1 << status != 0
    }

    /// Says that a method may be carried out twice. Names are case-sensitive, as methods are.
    ///
    /// # Panics
    /// If the name is empty, or if 16 methods are idempotent already.
    ///
    /// ```
    /// # use backoff_http::Rules;
    /// # use http::Method;
    /// assert!(Rules::new().idempotent("PROPFIND").is_idempotent(&Method::from_bytes(b"PROPFIND").unwrap()));
    /// ```
    pub const fn idempotent(mut self, method: &'static str) -> Self {
        assert!(!method.is_empty(), "a method has a name");
        let mut place = 0;
        while place < METHODS && !self.idempotent[place].is_empty() {
            if equal(self.idempotent[place], method) {
                return self;
            }
            place += 1;
        }
        assert!(place < METHODS, "there are 16 idempotent methods already");
        self.idempotent[place] = method;
        self
    }

    /// Says that a method must not be carried out twice without a key: a PUT that appends, say.
    ///
    /// ```
    /// # use backoff_http::Rules;
    /// # use http::Method;
    /// assert!(!Rules::new().not_idempotent("PUT").is_idempotent(&Method::PUT));
    /// ```
    pub const fn not_idempotent(mut self, method: &'static str) -> Self {
        let (mut from, mut to) = (0, 0);
        let all = self.idempotent;
        self.idempotent = [""; METHODS];
        while from < METHODS {
            if !equal(all[from], method) {
                self.idempotent[to] = all[from];
                to += 1;
            }
            from += 1;
        }
        self
    }

    /// Whether a method may be carried out twice.
    ///
    /// ```
    /// # use backoff_http::Rules;
    /// # use http::Method;
    /// assert!(Rules::new().is_idempotent(&Method::DELETE) && !Rules::new().is_idempotent(&Method::PATCH));
    /// ```
    #[must_use]
    pub fn is_idempotent(&self, method: &Method) -> bool {
        self.methods().any(|name| name == method.as_str())
    }

    /// Says which vendors' headers are read besides `Retry-After`. By default none.
    ///
    /// ```
    /// # use backoff_http::Rules;
    /// # use backoff_http::hint::{Vendor, VendorHints};
    /// const RULES: Rules = Rules::new().vendor_hints(VendorHints::none().and(Vendor::OpenAi));
    /// assert!(RULES.get_vendor_hints().has(Vendor::OpenAi));
    /// ```
    pub const fn vendor_hints(mut self, hints: VendorHints) -> Self {
        self.hints = hints;
        self
    }

    /// Which vendors' headers are read.
    ///
    /// ```
    /// # use backoff_http::{Rules, hint::VendorHints};
    /// assert_eq!(Rules::new().get_vendor_hints(), VendorHints::none());
    /// ```
    #[must_use]
    pub const fn get_vendor_hints(&self) -> VendorHints {
        self.hints
    }

    fn methods(&self) -> impl Iterator<Item = &'static str> {
        self.idempotent.into_iter().take_while(|name| !name.is_empty())
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::new()
    }
}

/// The word and the first of the two bits of a status.
const fn place_of(status: u16) -> (usize, u16) {
    (status as usize / 32, status % 32 * 2)
}

const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut place = 0;
    while place < a.len() && place < b.len() && a[place] == b[place] {
        place += 1;
    }
    place == a.len() && place == b.len()
}
