//! A crate that forbids and denies everything: the attribute must not add a finding.
#![forbid(unsafe_code, unused, unreachable_code, missing_docs)]
#![deny(warnings, future_incompatible, nonstandard_style, rust_2018_idioms, let_underscore, keyword_idents)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::cargo)]
#![allow(clippy::cargo_common_metadata, reason = "a test")]
#![allow(clippy::multiple_crate_versions, reason = "not about the attribute")]
// What the plain functions are guilty of.
#![cfg_attr(
    feature = "plain",
    allow(clippy::missing_const_for_fn, reason = "a loop with sleeps in it is not constant")
)]
#![allow(clippy::missing_errors_doc, reason = "a test")]

/// An error.
#[derive(Debug)]
pub struct Error;

impl From<backoff_core::AttemptTimeout> for Error {
    fn from(_: backoff_core::AttemptTimeout) -> Self {
        Self
    }
}

impl Error {
    /// Whether it is worth another attempt.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        true
    }
}

impl Error {
    /// No hint.
    #[must_use]
    pub const fn hint(&self) -> Option<std::time::Duration> {
        None
    }
}

/// The last failure, as a function returns it.
pub fn last<T>(end: backoff_core::RetryError<Error>) -> Result<T, Error> {
    Err(end.into_last().unwrap_or(Error))
}

/// A hook.
pub const fn see_retry(_: &backoff_core::event::Retry<'_, Error>) {}

/// A hook.
pub const fn see_end(_: &backoff_core::event::GiveUp<'_, Error>) {}

/// A hook.
pub const fn see_success(_: &backoff_core::event::Success) {}

/// Whether a value ends the run.
#[must_use]
pub const fn is_large(value: &u8) -> bool {
    *value > 3
}

/// Shared by all calls.
pub static BREAKER: backoff_core::guard::CircuitBreaker = backoff_core::guard::CircuitBreaker::new();
/// Shared by all calls.
pub static BUDGET: backoff_core::guard::RetryBudget = backoff_core::guard::RetryBudget::new();
/// Shared by all calls.
pub static QUEUE: backoff_core::guard::RetryQueue = backoff_core::guard::RetryQueue::new();
/// Shared by all calls.
pub static PACER: backoff_core::guard::Pacer = backoff_core::guard::Pacer::new();

impl From<backoff_core::guard::Rejected> for Error {
    fn from(_: backoff_core::guard::Rejected) -> Self {
        Self
    }
}

/// A source of failures.
#[derive(Debug, Default)]
pub struct Source(u8);

impl Source {
    /// Never succeeds.
    pub const fn call(&mut self) -> Result<u8, Error> {
        self.0 = self.0.wrapping_add(1);
        if self.0 == 0 { Ok(self.0) } else { Err(Error) }
    }

    /// One line.
    #[cfg_attr(not(feature = "plain"), backoff_core::exponential_backoff)]
    #[rustfmt::skip]
    pub fn one_line(&mut self) -> Result<u8, Error> { self.call() }

    /// Under guards.
    #[cfg_attr(
        not(feature = "plain"),
        backoff_core::exponential_backoff(breaker = BREAKER, retry_budget = BUDGET, retry_queue = QUEUE)
    )]
    pub fn guarded(&mut self) -> Result<u8, Error> {
        let value = self.call()?;
        Ok(value)
    }

    /// Under guards, async.
    #[cfg_attr(
        not(feature = "plain"),
        backoff_core::exponential_backoff(breaker = BREAKER, pacer = PACER, retry_budget = &BUDGET, on_give_up = see_end)
    )]
    pub async fn guarded_async(&mut self) -> Result<u8, Error> {
        let value = std::future::ready(self.call()).await?;
        Ok(value)
    }

    /// One line, async.
    #[cfg_attr(not(feature = "plain"), backoff_core::exponential_backoff)]
    #[rustfmt::skip]
    pub async fn one_line_async(&mut self) -> Result<u8, Error> { std::future::ready(self.call()).await }

    /// By value.
    #[cfg_attr(not(feature = "plain"), backoff_core::exponential_backoff)]
    #[rustfmt::skip]
    pub fn by_value(mut self) -> Result<u8, Error> { self.call() }

    /// Every option that can be given at once.
    #[cfg_attr(
        not(feature = "plain"),
        backoff_core::exponential_backoff(
            initial = "1ms",
            budget = "1s",
            multiplier = 3,
            max_delay = "10ms",
            max_attempts = 4,
            jitter = "equal",
            final_sleep = "skip",
            max_hint = "1s",
            when = Error::is_transient,
            hint = Error::hint,
            exhausted = last,
            on_retry = see_retry,
            on_give_up = see_end,
            on_success = see_success,
            clone(name),
            propagate,
            name = "everything"
        )
    )]
    pub fn everything(&mut self, name: String) -> Result<String, Error> {
        self.call()?;
        Ok(name)
    }

    /// Every option of an async function.
    #[cfg_attr(
        not(feature = "plain"),
        backoff_core::exponential_backoff(
            budget = "unlimited",
            max_attempts = 2,
            jitter = "full",
            when = Error::is_transient,
            hint = Error::hint,
            exhausted = last,
            on_retry = see_retry,
            on_give_up = see_end,
            on_success = see_success,
            clone(name),
            propagate,
            attempt_timeout = "1s"
        )
    )]
    pub async fn everything_async(&mut self, mut name: String) -> Result<String, Error> {
        std::future::ready(self.call()).await?;
        name.push('x');
        Ok(name)
    }
}

/// Options evaluated at each call.
#[cfg_attr(
    not(feature = "plain"),
    backoff_core::exponential_backoff(
        policy = policy,
        max_attempts = 2,
        deadline = deadline,
        until = is_large
    )
)]
#[must_use]
pub fn evaluated(policy: backoff_core::ExponentialBackoff, deadline: std::time::Instant) -> u8 {
    u8::try_from(policy.get_budget().map_or(0, |budget| budget.as_secs()).min(deadline.elapsed().as_secs()))
        .unwrap_or_default()
}

/// An option.
#[cfg_attr(not(feature = "plain"), backoff_core::exponential_backoff)]
#[must_use]
#[inline]
#[rustfmt::skip]
pub fn option(list: &[u8]) -> Option<&u8> { list.first() }

/// A body that is one expression in braces, with an early return.
#[cfg_attr(not(feature = "plain"), backoff_core::exponential_backoff)]
pub fn returns(source: &mut Source) -> Result<u8, Error> {
    let value = source.call()?;
    if value > 3 {
        return Ok(3);
    }
    Ok(value)
}
