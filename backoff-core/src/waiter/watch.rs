//! What happens after an attempt: judge, look for a hint, decide, tell. The drivers only sleep.

use super::condition::{Condition, Judged};
use super::guards::GuardSet;
use super::observe::{HintSource, Observer};
use super::{Plan, Progress};
use crate::clock::{Clock, Timeline};
use crate::error::{RetryError, Stop};
use crate::random::Random;
use crate::run::{Decision, Failure, Pause};

/// The closures of a waiter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch<C, H, O> {
    pub(super) condition: C,
    pub(super) hints: H,
    pub(super) observer: O,
}

/// What a driver does next. The failure is handed over so that the driver can drop it before it sleeps.
pub(super) enum Next<V, F> {
    Return(Result<V, RetryError<F>>),
    Sleep(Pause, Option<F>),
}

impl<C, H, O> Watch<C, H, O> {
    /// Settles an attempt that returned.
    #[inline]
    pub(super) fn settle<Out, T, R, G, K>(
        &mut self,
        plan: &Plan<T, R, G>,
        progress: &mut Progress<T::Instant, G::Held>,
        clock: &K,
        outcome: Out,
    ) -> Next<C::Value, C::Failure>
    where
        T: Timeline,
        G: GuardSet<T::Instant>,
        K: Clock<Instant = T::Instant>,
        R: Random,
        C: Condition<Out>,
        H: HintSource<C::Failure>,
        O: Observer<C::Failure>,
    {
        match self.condition.judge(outcome) {
            Judged::Success(value) => {
                progress.succeeded(plan, clock);
                progress.tell_success(plan.name);
                self.observer.success(&progress.success(plan.name));
                Next::Return(Ok(value))
            }
            Judged::Transient(failure) => self.settle_failure(plan, progress, clock, Some(failure), true),
            Judged::Permanent(failure) => self.settle_failure(plan, progress, clock, Some(failure), false),
        }
    }

    /// Settles an attempt that failed, or that its timeout cut before it returned anything.
    #[cold]
    #[inline(never)]
    pub(super) fn settle_failure<V, F, T, R, G, K>(
        &mut self,
        plan: &Plan<T, R, G>,
        progress: &mut Progress<T::Instant, G::Held>,
        clock: &K,
        failure: Option<F>,
        transient: bool,
    ) -> Next<V, F>
    where
        T: Timeline,
        G: GuardSet<T::Instant>,
        K: Clock<Instant = T::Instant>,
        R: Random,
        H: HintSource<F>,
        O: Observer<F>,
    {
        let hint = failure.as_ref().and_then(|failure| self.hints.hint(failure));
        match progress.failed(plan, clock, Failure { transient, hint }) {
            Decision::Sleep(pause) => {
                self.observer.retry(&pause.event(plan.name, failure.as_ref()));
                Next::Sleep(pause, failure)
            }
            Decision::Stop(stop) => Next::Return(Err(self.give_up(plan, stop, failure))),
        }
    }

    /// Tells the observer and makes the error.
    pub(super) fn give_up<F, T: Timeline, R, G>(
        &mut self,
        plan: &Plan<T, R, G>,
        stop: Stop,
        failure: Option<F>,
    ) -> RetryError<F>
    where
        O: Observer<F>,
    {
        self.observer.give_up(&stop.event(plan.name, failure.as_ref()));
        RetryError::new(failure, stop)
    }
}
