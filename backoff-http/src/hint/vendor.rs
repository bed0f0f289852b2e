//! What servers say in headers of their own. Nothing here is read unless it is asked for.

mod text;

use std::time::{Duration, SystemTime};

use backoff_core::RetryAfter;
use http::{HeaderMap, HeaderName};

use super::{number, server_time, trim};
use text::{go_duration, is_used_up, quota_reset, rfc3339};

/// Numbers from here on, 2024-01-01, are points in time; smaller ones are seconds to wait.
const TIMESTAMPS_BEGIN: u64 = 1_704_067_200;

/// A family of headers, by whom it is used.
///
/// ```
/// use backoff_http::hint::{Vendor, VendorHints};
/// assert_eq!(VendorHints::all().iter().next(), Some(Vendor::Azure));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vendor {
    /// `retry-after-ms` and `x-ms-retry-after-ms`: milliseconds.
    Azure,
    /// `x-amz-retry-after`: milliseconds.
    Aws,
    /// `ratelimit` and `ratelimit-reset` of the IETF drafts: seconds until there is quota again.
    RateLimit,
    /// `x-ratelimit-reset`: seconds, or seconds since 1970 from 2024 on.
    XRateLimit,
    /// `x-ratelimit-reset-requests` and `-tokens`: durations such as `6m0s`.
    OpenAi,
    /// `anthropic-ratelimit-requests-reset`, `-tokens-reset`, `-input-tokens-reset` and `-output-tokens-reset`: dates of
    /// RFC 3339.
    Anthropic,
    /// `grpc-retry-pushback-ms`: milliseconds; if negative or not a number, the call is not to be repeated.
    Grpc,
    /// `x-should-retry`: `true` or `false`, whatever the status.
    ShouldRetry,
}

impl Vendor {
    const ALL: [Self; 8] = [
        Self::Azure,
        Self::Aws,
        Self::RateLimit,
        Self::XRateLimit,
        Self::OpenAi,
        Self::Anthropic,
        Self::Grpc,
        Self::ShouldRetry,
    ];

    /// The names of the headers, in lower case.
    ///
    /// ```
    /// assert_eq!(backoff_http::hint::Vendor::Aws.headers(), ["x-amz-retry-after"]);
    /// ```
    #[must_use]
    pub const fn headers(self) -> &'static [&'static str] {
        match self {
            Self::Azure => &["retry-after-ms", "x-ms-retry-after-ms"],
            Self::Aws => &["x-amz-retry-after"],
            Self::RateLimit => &["ratelimit", "ratelimit-reset"],
            Self::XRateLimit => &["x-ratelimit-reset"],
            Self::OpenAi => &["x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"],
            Self::Anthropic => &[
                "anthropic-ratelimit-requests-reset",
                "anthropic-ratelimit-tokens-reset",
                "anthropic-ratelimit-input-tokens-reset",
                "anthropic-ratelimit-output-tokens-reset",
            ],
            Self::Grpc => &["grpc-retry-pushback-ms"],
            Self::ShouldRetry => &["x-should-retry"],
        }
    }

    /// Whether it says when a quota is full again, rather than when to come back.
    const fn is_a_quota(self) -> bool {
        matches!(self, Self::RateLimit | Self::XRateLimit | Self::OpenAi | Self::Anthropic)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Which vendors' headers are read, besides `Retry-After`. By default none.
///
/// A constant, and part of [`Rules`](crate::Rules).
///
/// ```
/// use backoff_http::hint::{Vendor, VendorHints};
/// const HINTS: VendorHints = VendorHints::none().and(Vendor::Azure).and(Vendor::ShouldRetry);
/// assert!(HINTS.has(Vendor::Azure) && !HINTS.has(Vendor::Aws));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VendorHints(u8);

impl VendorHints {
    /// None of them: the default.
    ///
    /// ```
    /// # use backoff_http::hint::VendorHints;
    /// assert_eq!(VendorHints::none(), VendorHints::default());
    /// ```
    #[must_use]
    pub const fn none() -> Self {
        Self(0)
    }

    /// All that this crate knows.
    ///
    /// ```
    /// # use backoff_http::hint::{Vendor, VendorHints};
    /// assert!(VendorHints::all().has(Vendor::OpenAi));
    /// ```
    #[must_use]
    pub const fn all() -> Self {
        Self(u8::MAX)
    }

    /// These and one more.
    ///
    /// ```
    /// # use backoff_http::hint::{Vendor, VendorHints};
    /// assert!(VendorHints::none().and(Vendor::Grpc).has(Vendor::Grpc));
    /// ```
    #[must_use]
    pub const fn and(self, vendor: Vendor) -> Self {
        Self(self.0 | vendor.bit())
    }

    /// Whether the headers of this vendor are read.
    ///
    /// ```
    /// # use backoff_http::hint::{Vendor, VendorHints};
    /// assert!(!VendorHints::none().has(Vendor::Grpc));
    /// ```
    #[must_use]
    pub const fn has(self, vendor: Vendor) -> bool {
        self.0 & vendor.bit() != 0
    }

    /// The vendors, in the order of [`Vendor`].
    ///
    /// ```
    /// # use backoff_http::hint::{Vendor, VendorHints};
    /// assert_eq!(VendorHints::none().and(Vendor::Aws).iter().collect::<Vec<_>>(), [Vendor::Aws]);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Vendor> {
        Vendor::ALL.into_iter().filter(move |vendor| self.has(*vendor))
    }

    /// What the server says in `Retry-After` and in the headers that are read. `now` is the time here, used if the
    /// response has no `Date`.
    ///
    /// Of several waits the longest counts. When a quota is full again counts only if nothing says when to come back, and
    /// only if the quota is used up, where the server says so (`x-ratelimit-remaining` and its like, `r` in `ratelimit`).
    ///
    /// ```
    /// use backoff_http::hint::VendorHints;
    /// use http::HeaderMap;
    /// use std::time::{Duration, SystemTime};
    ///
    /// let mut headers = HeaderMap::new();
    /// headers.insert("retry-after-ms", "250".parse().unwrap());
    /// headers.insert("x-should-retry", "true".parse().unwrap());
    /// let advice = VendorHints::all().read(&headers, SystemTime::now());
    /// assert_eq!(advice.wait.map(|wait| wait.delay()), Some(Duration::from_millis(250)));
    /// assert_eq!(advice.retry, Some(true));
    /// ```
    #[must_use]
    pub fn read(self, headers: &HeaderMap, now: SystemTime) -> Advice {
        let mut advice = Advice { wait: super::from_headers(headers, now), retry: None };
        if self == Self::none() {
            return advice;
        }
        let now = server_time(headers, now);
        let mut quota = Advice::default();
        for vendor in self.iter() {
            let advice = if vendor.is_a_quota() { &mut quota } else { &mut advice };
            for name in vendor.headers() {
                for value in headers.get_all(*name) {
                    if !vendor.is_a_quota() || is_used_up(headers, name) {
                        advice.add(vendor, name, trim(value.as_bytes()), now);
                    }
                }
            }
        }
        Advice { wait: advice.wait.or(quota.wait), retry: advice.retry }
    }
}

/// What a server said, all headers taken together.
///
/// ```
/// use backoff_http::hint::Advice;
/// assert_eq!(Advice::default(), Advice { wait: None, retry: None });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// How long to wait.
    pub wait: Option<RetryAfter>,
    /// Whether to come back at all: a plain yes or no, which outweighs the status. A no outweighs a yes.
    pub retry: Option<bool>,
}

impl Advice {
    fn add(&mut self, vendor: Vendor, name: &str, value: &[u8], now: SystemTime) {
        let wait = match vendor {
            Vendor::Azure | Vendor::Aws => number(value).map(Duration::from_millis),
            Vendor::RateLimit if name == "ratelimit" => quota_reset(value).map(Duration::from_secs),
            Vendor::RateLimit => number(value).map(Duration::from_secs),
            Vendor::XRateLimit => number(value).map(|number| seconds_or_timestamp(number, now)),
            Vendor::OpenAi => go_duration(value),
            Vendor::Anthropic => rfc3339(value).map(|at| RetryAfter::until(at, now).delay()),
            Vendor::Grpc => {
                let wait = number(value).map(Duration::from_millis);
                if wait.is_none() {
                    self.retry = Some(false);
                }
                wait
            }
            Vendor::ShouldRetry => {
                match value {
                    b"false" => self.retry = Some(false),
                    b"true" => self.retry = self.retry.or(Some(true)),
                    _ => {}
                }
                None
            }
        };
        let longest = wait.max(self.wait.map(RetryAfter::delay));
        self.wait = longest.map(RetryAfter::after);
    }
}

fn seconds_or_timestamp(number: u64, now: SystemTime) -> Duration {
    let wait = Duration::from_secs(number);
    if number < TIMESTAMPS_BEGIN {
        return wait;
    }
    match SystemTime::UNIX_EPOCH.checked_add(wait) {
        Some(at) => RetryAfter::until(at, now).delay(),
        None => wait,
    }
}

/// The header with this name, if it is a number.
fn number_in(headers: &HeaderMap, name: &HeaderName) -> Option<u64> {
    number(trim(headers.get(name)?.as_bytes()))
}
