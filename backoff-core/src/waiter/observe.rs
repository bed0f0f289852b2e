//! Hints and hooks: the closures that look on.

use core::time::Duration;

use crate::event::{GiveUp, Retry, Success};
use crate::hint::IntoHint;

/// Finds the server's hint in a failure.
pub trait HintSource<F: ?Sized> {
    /// The wait that the server asked for.
    fn hint(&mut self, failure: &F) -> Option<Duration>;
}

/// A function as a source of hints. Made by [`Waiter::hint`](super::Waiter::hint).
#[derive(Clone, Copy, Debug)]
pub struct HintFrom<P>(pub(super) P);

/// Nothing: no hints, no hooks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl<F: ?Sized> HintSource<F> for Nothing {
    #[inline]
    fn hint(&mut self, _: &F) -> Option<Duration> {
        None
    }
}

impl<F: ?Sized, W: IntoHint, P: FnMut(&F) -> W> HintSource<F> for HintFrom<P> {
    fn hint(&mut self, failure: &F) -> Option<Duration> {
        (self.0)(failure).into_hint()
    }
}

/// Looks on while a run goes its way.
pub trait Observer<F> {
    /// Before each sleep.
    #[inline]
    fn retry(&mut self, _: &Retry<'_, F>) {}

    /// Once, when the run ends without success.
    #[inline]
    fn give_up(&mut self, _: &GiveUp<'_, F>) {}

    /// Once, when the run ends with a success.
    #[inline]
    fn success(&mut self, _: &Success) {}
}

impl<F> Observer<F> for Nothing {}

/// An observer and one more hook.
#[derive(Clone, Copy, Debug)]
pub struct AndThen<O, H> {
    pub(super) first: O,
    pub(super) then: H,
}

/// A hook for retries.
#[derive(Clone, Copy, Debug)]
pub struct OnRetry<P>(pub(super) P);

/// A hook for giving up.
#[derive(Clone, Copy, Debug)]
pub struct OnGiveUp<P>(pub(super) P);

/// A hook for success.
#[derive(Clone, Copy, Debug)]
pub struct OnSuccess<P>(pub(super) P);

impl<F, O: Observer<F>, H: Observer<F>> Observer<F> for AndThen<O, H> {
    fn retry(&mut self, event: &Retry<'_, F>) {
        self.first.retry(event);
        self.then.retry(event);
    }

    fn give_up(&mut self, event: &GiveUp<'_, F>) {
        self.first.give_up(event);
        self.then.give_up(event);
    }

    fn success(&mut self, event: &Success) {
        self.first.success(event);
        self.then.success(event);
    }
}

impl<F, P: FnMut(&Retry<'_, F>)> Observer<F> for OnRetry<P> {
    fn retry(&mut self, event: &Retry<'_, F>) {
        (self.0)(event);
    }
}

impl<F, P: FnMut(&GiveUp<'_, F>)> Observer<F> for OnGiveUp<P> {
    fn give_up(&mut self, event: &GiveUp<'_, F>) {
        (self.0)(event);
    }
}

impl<F, P: FnMut(&Success)> Observer<F> for OnSuccess<P> {
    fn success(&mut self, event: &Success) {
        (self.0)(event);
    }
}
