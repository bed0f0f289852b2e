//! Which outcomes end a run: the condition of a [`Waiter`](super::Waiter).

use crate::outcome::Outcome;

/// What an outcome turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged<V, F> {
    /// It ends the run.
    Success(V),
    /// A failure; another attempt may help.
    Transient(F),
    /// A failure that no attempt will mend.
    Permanent(F),
}

/// Judges outcomes of type `Out`, and takes them apart.
///
/// Implemented by [`Any`], [`When`] and [`Until`], which a waiter gets from its methods.
#[diagnostic::on_unimplemented(
    message = "a waiter can't tell whether `{Out}` is a success",
    label = "this operation returns `{Out}`",
    note = "return a `Result` or an `Option`, or say which values end the run: `.until(|value: &{Out}| ..)`",
    note = "the closure of `when` gets a reference to the error: `.when(|error: &MyError| ..)`"
)]
pub trait Condition<Out> {
    /// What a success is turned into.
    type Value;
    /// What a failure is turned into.
    type Failure;

    /// Judges an outcome. Runs the predicate at most once.
    fn judge(&mut self, outcome: Out) -> Judged<Self::Value, Self::Failure>;
}

/// Judges failures in a loop that is written by hand.
#[diagnostic::on_unimplemented(
    message = "this loop can't judge a failure of type `{F}`",
    label = "not what the condition of the waiter is about",
    note = "`when` judges the failures of a loop, and has to take a reference to their type; `until` judges whole outcomes, \
            which only `retry` and its like see"
)]
pub trait FailureCondition<F> {
    /// Whether another attempt may help.
    fn is_transient(&mut self, failure: &F) -> bool;
}

/// Every failure is worth another attempt: the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Any;

/// Failures that a predicate accepts are worth another attempt. Made by [`Waiter::when`](super::Waiter::when).
#[derive(Clone, Copy, Debug)]
pub struct When<P>(pub(super) P);

/// Values that a predicate accepts end the run. Made by [`Waiter::until`](super::Waiter::until).
#[derive(Clone, Copy, Debug)]
pub struct Until<P>(pub(super) P);

impl<F> FailureCondition<F> for Any {
    #[inline]
    fn is_transient(&mut self, _: &F) -> bool {
        true
    }
}

impl<F, P: FnMut(&F) -> bool> FailureCondition<F> for When<P> {
    #[inline]
    fn is_transient(&mut self, failure: &F) -> bool {
        (self.0)(failure)
    }
}

macro_rules! by_outcome {
    ($condition:ty $(, $predicate:ident)?) => {
        impl<Out: Outcome $(, $predicate: FnMut(&Out::Failure) -> bool)?> Condition<Out> for $condition {
            type Value = Out::Value;
            type Failure = Out::Failure;

            #[inline]
            fn judge(&mut self, outcome: Out) -> Judged<Out::Value, Out::Failure> {
                match outcome.into_result() {
                    Ok(value) => Judged::Success(value),
                    Err(failure) if self.is_transient(&failure) => Judged::Transient(failure),
                    Err(failure) => Judged::Permanent(failure),
                }
            }
        }
    };
}

by_outcome!(Any);
by_outcome!(When<P>, P);

impl<Out, P: FnMut(&Out) -> bool> Condition<Out> for Until<P> {
    type Value = Out;
    type Failure = Out;

    #[inline]
    fn judge(&mut self, outcome: Out) -> Judged<Out, Out> {
        if (self.0)(&outcome) { Judged::Success(outcome) } else { Judged::Transient(outcome) }
    }
}
