//! What gRPC says in headers: statuses, pushback, `RetryInfo`.
//!
//! A call that fails before it has an answer ends with a response whose headers are its trailers; that is what these functions
//! read, and what [`Rules::on_grpc`](crate::Rules::on_grpc) judges. From the metadata of a `tonic::Status` they read the same:
//! `status.metadata().clone().into_headers()`.
//!
//! A call is a POST, and nothing in it says whether it may be carried out twice. So no status is tried again unless the rules
//! say so, as in gRPC's own service configuration.
//!
//! ```
//! use backoff_http::grpc::{self, UNAVAILABLE};
//! use backoff_http::{Operation, Rules};
//! use http::{HeaderMap, Method, StatusCode};
//!
//! const RULES: Rules = Rules::new().on_grpc(UNAVAILABLE, true);
//! let mut trailers = HeaderMap::new();
//! trailers.insert("grpc-status", "14".parse().unwrap());
//! let verdict = RULES.judge_status(&Operation::new(Method::POST), StatusCode::OK, &trailers);
//! assert!(verdict.is_retry());
//! assert_eq!(grpc::status(&trailers), Some(UNAVAILABLE));
//! ```

mod retry_info;

use std::time::Duration;

use backoff_core::RetryAfter;
use http::HeaderMap;

pub use retry_info::retry_info;

/// The status for a service that can't be reached just now: the one that is usually worth another attempt.
///
/// ```
/// assert_eq!(backoff_http::grpc::name(backoff_http::grpc::UNAVAILABLE), "UNAVAILABLE");
/// ```
pub const UNAVAILABLE: u32 = 14;

/// The status for a quota that is used up.
///
/// ```
/// assert_eq!(backoff_http::grpc::name(backoff_http::grpc::RESOURCE_EXHAUSTED), "RESOURCE_EXHAUSTED");
/// ```
pub const RESOURCE_EXHAUSTED: u32 = 8;

const NAMES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

/// The name of a status; `UNKNOWN` for numbers that are none.
///
/// ```
/// assert_eq!(backoff_http::grpc::name(5), "NOT_FOUND");
/// assert_eq!(backoff_http::grpc::name(99), "UNKNOWN");
/// ```
#[must_use]
pub fn name(status: u32) -> &'static str {
    usize::try_from(status).ok().and_then(|status| NAMES.get(status)).unwrap_or(&NAMES[2])
}

/// The `grpc-status` among headers or trailers; 2, which is `UNKNOWN`, for one that is not a number. None if there is none.
///
/// ```
/// # use http::HeaderMap;
/// assert_eq!(backoff_http::grpc::status(&HeaderMap::new()), None);
/// ```
#[must_use]
pub fn status(headers: &HeaderMap) -> Option<u32> {
    let value = headers.get("grpc-status")?.as_bytes();
    Some(crate::hint::number(value).and_then(|status| u32::try_from(status).ok()).unwrap_or(2))
}

/// What a server says about repeating a call.
///
/// ```
/// use backoff_http::grpc::{Pushback, pushback};
/// use http::HeaderMap;
/// let mut headers = HeaderMap::new();
/// headers.insert("grpc-retry-pushback-ms", "-1".parse().unwrap());
/// assert_eq!(pushback(&headers), Some(Pushback::Stop));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushback {
    /// Repeat it after that long, and no earlier.
    After(RetryAfter),
    /// Do not repeat it.
    Stop,
}

/// The `grpc-retry-pushback-ms` among headers or trailers. What is not a number of milliseconds means that the call is not to
/// be repeated, as gRPC has it.
///
/// ```
/// use backoff_http::grpc::{Pushback, pushback};
/// use backoff_core::RetryAfter;
/// use http::HeaderMap;
/// use std::time::Duration;
/// let mut headers = HeaderMap::new();
/// assert_eq!(pushback(&headers), None);
/// headers.insert("grpc-retry-pushback-ms", "100".parse().unwrap());
/// assert_eq!(pushback(&headers), Some(Pushback::After(RetryAfter::after(Duration::from_millis(100)))));
/// ```
#[must_use]
pub fn pushback(headers: &HeaderMap) -> Option<Pushback> {
    let value = headers.get("grpc-retry-pushback-ms")?.as_bytes();
    let wait = crate::hint::number(value).map(|ms| RetryAfter::after(Duration::from_millis(ms)));
    Some(wait.map_or(Pushback::Stop, Pushback::After))
}
