//! One run in progress: binds the decision machine to a clock, a source of draws and the deadline in force.
//!
//! The drivers for threads and futures, the hand-written loop and the attribute all go through here, so that the clock
//! is read, and events are told, in one place.

use core::time::Duration;

use super::attempt::Attempt;
use super::plan::Plan;
use super::telemetry;
use crate::clock::{Clock, Timeline};
use crate::error::Stop;
use crate::event::{GiveUp, Retry, Success};
use crate::random::Random;
use crate::run::{Cut, Decision, Elapsed, Failure, Pause, Run};

/// The state of a run, and the moment it started if anyone needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Progress<I> {
    run: Run,
    start: Option<I>,
}

impl<I: Copy + 'static> Progress<I> {
    /// Starts a run. Reads the clock unless nothing will ever ask how much time has passed.
    #[inline]
    pub fn start<T, R, C>(plan: &Plan<T, R>, clock: &C) -> Self
    where
        T: Timeline<Instant = I>,
        C: Clock<Instant = I>,
    {
        let start = if plan.is_timed() { Some(clock.now()) } else { None };
        Self { run: Run::new(), start }
    }

    /// The context of the attempt that is about to start.
    #[inline]
    pub fn attempt<'a, T, R, C>(&self, plan: &Plan<T, R>, clock: &'a C) -> Attempt<'a, C>
    where
        T: Timeline<Instant = I>,
        C: Clock<Instant = I>,
    {
        Attempt::new(self.run.attempt(), self.run.is_last(), clock, self.start, plan.policy.get_budget(), plan.deadline)
    }

    /// The span of the attempt that is about to start, or one that does nothing.
    #[cfg(feature = "tracing")]
    #[inline]
    pub(super) fn span<T: Timeline<Instant = I>, R>(&self, plan: &Plan<T, R>) -> tracing::Span {
        super::spans::span(plan.spans, plan.name, self.run.attempt())
    }

    /// Decides what follows a failed attempt; reads the clock once, or not at all for a run that has no end in time.
    pub fn failed<T, R, C>(&mut self, plan: &Plan<T, R>, clock: &C, failure: Failure) -> Decision
    where
        T: Timeline<Instant = I>,
        C: Clock<Instant = I>,
        R: Random,
    {
        let time = self.elapsed(plan, clock);
        let decision = self.run.failed(&plan.policy, failure, time, &plan.random);
        telemetry::decision(plan.name, &decision, self.start.is_some());
        decision
    }

    /// Ends a run that was cancelled, before its first attempt or during the sleep that was decided last.
    pub fn cancelled<T, R, C>(&mut self, plan: &Plan<T, R>, clock: &C, during: Option<&Pause>) -> Stop
    where
        T: Timeline<Instant = I>,
        C: Clock<Instant = I>,
    {
        let time = self.elapsed(plan, clock);
        let cut = during.map(|pause| Cut { planned: pause.sleep, slept: time.elapsed.saturating_sub(pause.elapsed) });
        let stop = self.run.cancelled(cut, time);
        telemetry::give_up(plan.name, &stop, self.start.is_some());
        stop
    }

    /// The event of a success, which is also logged if it took more than one attempt.
    pub fn success<T: Timeline, R>(&self, plan: &Plan<T, R>) -> Success {
        let success = Success { name: plan.name, attempts: self.run.attempt(), slept: self.run.slept() };
        telemetry::success(&success);
        success
    }

    fn elapsed<T, R, C>(&mut self, plan: &Plan<T, R>, clock: &C) -> Elapsed
    where
        T: Timeline<Instant = I>,
        C: Clock<Instant = I>,
    {
        let inherited = inherited::<I>();
        if self.start.is_none() && inherited.is_none() {
            return Elapsed::since_start(Duration::ZERO);
        }
        let now = clock.now();
        let start = *self.start.get_or_insert(now);
        let until = |deadline: Option<I>| deadline.map(|deadline| clock.elapsed(start, deadline));
        let deadline = nearer(until(plan.deadline), until(inherited));
        Elapsed::since_start(clock.elapsed(start, now)).deadline(deadline)
    }
}

#[cfg(feature = "std")]
impl<I: Copy + 'static> Progress<I> {
    /// The end of the run, if it is to be published to what the attempts call.
    #[inline]
    pub(crate) fn published<T, R>(&self, plan: &Plan<T, R>) -> Option<std::time::Instant>
    where
        T: Timeline<Instant = I>,
    {
        if !plan.propagate {
            return None;
        }
        let budget = self.start.as_ref().and_then(standard).zip(plan.policy.get_budget());
        let end = budget.and_then(|(start, budget)| start.checked_add(budget));
        nearer(end, plan.deadline.as_ref().and_then(standard))
    }
}

/// The instant as one of the standard library; `propagate` can't be asked of clocks that count otherwise.
#[cfg(feature = "std")]
fn standard<I: 'static>(instant: &I) -> Option<std::time::Instant> {
    (instant as &dyn core::any::Any).downcast_ref().copied()
}

impl Pause {
    /// The event of a retry.
    pub(crate) fn event<'a, F>(&self, name: &'static str, failure: Option<&'a F>) -> Retry<'a, F> {
        let Self { sleep, attempt, elapsed, remaining } = *self;
        Retry { name, attempt, delay: sleep, elapsed, remaining, failure }
    }
}

impl Stop {
    /// The event of giving up.
    pub(crate) fn event<'a, F>(&self, name: &'static str, failure: Option<&'a F>) -> GiveUp<'a, F> {
        GiveUp { name, stop: *self, failure }
    }
}

fn nearer<D: Ord>(a: Option<D>, b: Option<D>) -> Option<D> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(feature = "std")]
pub(super) fn inherited<I: Copy + 'static>() -> Option<I> {
    crate::deadline::inherited()
}

#[cfg(not(feature = "std"))]
pub(super) fn inherited<I: Copy + 'static>() -> Option<I> {
    None
}
