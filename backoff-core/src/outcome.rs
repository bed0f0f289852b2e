//! What an attempt returned, and what counts as success.

use crate::error::{AttemptTimeout, NotYet};
use crate::guard::Rejected;

/// A type that says by itself whether it is a success: `Result` and `Option`.
///
/// Sealed. For any other type `until` says which values end the run.
///
/// ```
/// use backoff_core::outcome::Outcome;
/// assert_eq!(Err::<u8, _>("down").failure(), Some(&"down"));
/// assert_eq!(Some(7).into_result(), Ok(7));
/// ```
#[diagnostic::on_unimplemented(
    message = "`#[exponential_backoff]` and `retry` can't tell whether `{Self}` is a success",
    label = "neither `Result` nor `Option`",
    note = "return a `Result` or an `Option`, or say which values end the run: `until = |value: &{Self}| ..` in the \
            attribute, `.until(|value: &{Self}| ..)` by hand",
    note = "an operation that returns a future needs the method that ends in `_async`"
)]
pub trait Outcome: sealed::Sealed + Sized {
    /// What a success holds.
    type Value;
    /// What a failure holds: the error, or [`NotYet`] for `None`.
    type Failure;

    /// The failure, if it is one.
    fn failure(&self) -> Option<&Self::Failure>;

    /// The value or the failure, moved out.
    ///
    /// # Errors
    /// The failure, if it is one.
    fn into_result(self) -> Result<Self::Value, Self::Failure>;
}

impl<T, E> Outcome for Result<T, E> {
    type Value = T;
    type Failure = E;

    #[inline]
    fn failure(&self) -> Option<&E> {
        self.as_ref().err()
    }

    #[inline]
    fn into_result(self) -> Self {
        self
    }
}

impl<T> Outcome for Option<T> {
    type Value = T;
    type Failure = NotYet;

    #[inline]
    fn failure(&self) -> Option<&NotYet> {
        if self.is_none() { Some(&NotYet) } else { None }
    }

    #[inline]
    fn into_result(self) -> Result<T, NotYet> {
        self.ok_or(NotYet)
    }
}

/// An outcome that an annotated function can return for an attempt that was cut by `attempt_timeout`. Sealed.
///
/// ```
/// use backoff_core::outcome::FromTimeout;
/// assert_eq!(Option::<u8>::from_timeout(), None);
/// assert_eq!(Result::<u8, String>::from_timeout().unwrap_err(), "the attempt was cut by its timeout");
/// ```
#[diagnostic::on_unimplemented(
    message = "`attempt_timeout` can't make a `{Self}` of an attempt that it cuts",
    label = "a cut attempt has to become one of these",
    note = "return an `Option`, or a `Result` whose error implements `From<backoff_core::AttemptTimeout>`"
)]
pub trait FromTimeout: sealed::Sealed {
    /// The outcome of an attempt that was cut.
    fn from_timeout() -> Self;
}

impl<T, E: From<AttemptTimeout>> FromTimeout for Result<T, E> {
    fn from_timeout() -> Self {
        Err(AttemptTimeout.into())
    }
}

impl<T> FromTimeout for Option<T> {
    fn from_timeout() -> Self {
        None
    }
}

/// An outcome that an annotated function can return for a run that a guard did not let begin. Sealed.
///
/// ```
/// use backoff_core::guard::{CircuitBreaker, Moment};
/// use backoff_core::outcome::FromRejection;
/// let breaker = CircuitBreaker::new().failures(1);
/// breaker.admit(Moment::now).unwrap().failed(Moment::now);
/// let rejected = breaker.admit(Moment::now).unwrap_err();
/// assert_eq!(Option::<u8>::from_rejection(rejected), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`breaker` and `pacer` can't make a `{Self}` of a run that they do not let begin",
    label = "a rejection has to become one of these",
    note = "return an `Option`, or a `Result` whose error implements `From<backoff_core::guard::Rejected>`; \
            or say what to return: `exhausted = |end| ..`"
)]
pub trait FromRejection: sealed::Sealed {
    /// The outcome of a run that had no attempt.
    fn from_rejection(rejected: Rejected) -> Self;
}

impl<T, E: From<Rejected>> FromRejection for Result<T, E> {
    fn from_rejection(rejected: Rejected) -> Self {
        Err(rejected.into())
    }
}

impl<T> FromRejection for Option<T> {
    fn from_rejection(_: Rejected) -> Self {
        None
    }
}

mod sealed {
    #[diagnostic::on_unimplemented(
        message = "`#[exponential_backoff]` and `retry` can't tell whether `{Self}` is a success",
        label = "neither `Result` nor `Option`",
        note = "return a `Result` or an `Option`, or say which values end the run: `until = |value: &{Self}| ..` in the \
            attribute, `.until(|value: &{Self}| ..)` by hand"
    )]
    pub trait Sealed {}
    impl<T, E> Sealed for Result<T, E> {}
    impl<T> Sealed for Option<T> {}
}
