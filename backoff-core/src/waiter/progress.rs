//! One run in progress: binds the decision machine to a clock, a source of draws and the deadline in force.
//!
//! The drivers for threads and futures, the hand-written loop and the attribute all go through here, so that the clock
//! is read, and events are told, in one place.

use core::time::Duration;

use super::attempt::Attempt;
use super::elapsed::{elapsed, left};
#[cfg(feature = "std")]
use super::elapsed::{nearer, standard};
use super::guards::{Asker, GuardSet, Rested};
use super::plan::Plan;
use super::telemetry;
use crate::clock::{AsyncSleep, Cancellation, Clock, Sleep, Timeline};
use crate::error::Stop;
use crate::event::Success;
use crate::guard::Rejected;
use crate::random::Random;
use crate::run::{Cut, Decision, Elapsed, Failure, Pause, Run};

/// The state of a run, the moment it started if anyone needs to know, and what it holds of its guards.
#[derive(Clone, Copy, Debug)]
pub struct Progress<I, H = ()> {
    /// None until something has failed: a success finds nothing to set up.
    pub(super) run: Option<Run>,
    pub(super) start: Option<I>,
    pub(super) held: H,
}

impl<I: Copy + 'static, H> Progress<I, H> {
    /// Starts a run. Reads the clock unless nothing will ever ask how much time has passed.
    #[inline]
    pub fn start<T, R, G, C>(plan: &Plan<T, R, G>, clock: &C) -> Self
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        C: Clock<Instant = I>,
        H: Default,
    {
        let start = if plan.is_timed() { Some(clock.now()) } else { None };
        Self::since(start)
    }

    /// A run that started then, or of which nothing will ever ask how much time has passed.
    #[inline]
    pub fn since(start: Option<I>) -> Self
    where
        H: Default,
    {
        Self { run: None, start, held: H::default() }
    }

    /// Whether no attempt has failed yet.
    pub(crate) const fn is_first(&self) -> bool {
        self.run.is_none()
    }

    fn run(&self) -> Run {
        self.run.unwrap_or_default()
    }

    /// Tells the guards that the run begins. A rejection is not heard, so this is for guards that do not reject.
    pub(crate) fn admit<T, R, G, C>(&mut self, plan: &Plan<T, R, G>, clock: &C)
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        C: Clock<Instant = I>,
    {
        if self.is_first() {
            let _ = plan.guards.admit(&mut self.held, clock);
        }
    }

    /// Asks the guards whether the run may begin, and blocks until it is its turn. The end of the run, if not.
    pub fn begin<T, R, G, S>(&mut self, plan: &Plan<T, R, G>, clock: &S) -> Option<Stop>
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        S: Sleep<Instant = I>,
    {
        if clock.cancellation() == Cancellation::Cancelled {
            return Some(self.cancelled(plan, clock, None));
        }
        if let Err(rejected) = plan.guards.admit(&mut self.held, clock) {
            return Some(self.rejected(plan, clock, rejected));
        }
        let left = left(self.start, plan, clock, None);
        let rested = plan.guards.pace(&mut self.held, clock, || left(Duration::ZERO));
        self.ended_by(plan, clock, rested, None)
    }

    /// As [`begin`](Self::begin), for futures.
    pub fn begin_async<T, R, G, S>(&mut self, plan: &Plan<T, R, G>, clock: &S) -> impl Future<Output = Option<Stop>>
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        S: AsyncSleep<Instant = I>,
    {
        G::begin_async(self, plan, clock)
    }

    /// The context of the attempt that is about to start.
    #[inline]
    pub fn attempt<'a, T, R, G, C>(&self, plan: &Plan<T, R, G>, clock: &'a C) -> Attempt<'a, C>
    where
        T: Timeline<Instant = I>,
        C: Clock<Instant = I>,
    {
        let run = self.run();
        Attempt::new(run.attempt(), run.is_last(), clock, self.start, plan.policy.get_budget(), plan.deadline)
    }

    /// The span of the attempt that is about to start, or one that does nothing.
    #[cfg(feature = "tracing")]
    #[inline]
    pub(super) fn span<T: Timeline<Instant = I>, R, G>(&self, plan: &Plan<T, R, G>) -> tracing::Span {
        super::spans::span(plan.spans, plan.name, self.run().attempt())
    }

    /// Decides what follows a failed attempt; reads the clock once, or not at all for a run that has no end in time. Guards
    /// may read it again.
    #[inline]
    pub fn failed<T, R, G, C>(&mut self, plan: &Plan<T, R, G>, clock: &C, failure: Failure) -> Decision
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        C: Clock<Instant = I>,
        R: Random,
    {
        // The attribute decides about it for constants.
        debug_assert!(self.start.is_some() || !plan.is_timed(), "a run that has an end in time knows its start");
        let time = elapsed(&mut self.start, plan, clock);
        let asker = Asker { clock, policy: &plan.policy, random: &plan.random };
        plan.guards.failed(&mut self.held, &asker, failure);
        let run = self.run.get_or_insert_default();
        match run.failed(&plan.policy, failure, time, &plan.random) {
            Decision::Sleep(pause) => {
                if let Err(reason) = plan.guards.allow(&mut self.held, clock, &pause, run.is_last()) {
                    let stop = run.refused(reason, &pause, time);
                    return Decision::Stop(self.stopped(plan, clock, stop));
                }
                telemetry::retry(plan.name, &pause, self.start.is_some());
                Decision::Sleep(pause)
            }
            Decision::Stop(stop) => Decision::Stop(self.stopped(plan, clock, stop)),
        }
    }

    /// Blocks until the next attempt may begin. Gives the failure back if the run ended meanwhile; drops it before the wait if
    /// nothing can end that.
    pub fn rest<T, R, G, S, F>(
        &mut self,
        plan: &Plan<T, R, G>,
        clock: &S,
        pause: &Pause,
        failure: F,
    ) -> Option<(F, Stop)>
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        S: Sleep<Instant = I>,
    {
        if !G::MAY_END_WAITING && clock.cancellation() == Cancellation::Never {
            drop(failure);
            clock.sleep(pause.sleep);
            return None;
        }
        let left = left(self.start, plan, clock, Some(pause));
        let rested = plan.guards.rest(&mut self.held, clock, pause, left);
        self.ended_by(plan, clock, rested, Some(pause)).map(|stop| (failure, stop))
    }

    /// As [`rest`](Self::rest), for futures: the end of the run, if it ended meanwhile.
    pub fn rest_async<T, R, G, S>(
        &mut self,
        plan: &Plan<T, R, G>,
        clock: &S,
        pause: Pause,
    ) -> impl Future<Output = Option<Stop>>
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        S: AsyncSleep<Instant = I>,
    {
        G::rest_async(self, plan, clock, pause)
    }

    /// Settles with the guards after a success.
    #[inline]
    pub fn succeeded<T, R, G, C>(&mut self, plan: &Plan<T, R, G>, clock: &C)
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        C: Clock<Instant = I>,
        R: Random,
    {
        let asker = Asker { clock, policy: &plan.policy, random: &plan.random };
        plan.guards.succeeded(&mut self.held, &asker);
    }

    /// The event of a success.
    pub fn success(&self, name: &'static str) -> Success {
        let run = self.run();
        Success { name, attempts: run.attempt(), slept: run.slept() }
    }

    /// Logs and counts a success.
    #[inline]
    pub fn tell_success(&self, name: &'static str) {
        telemetry::success(&self.success(name));
    }

    /// Ends a run that was cancelled, before its first attempt or during the sleep that was decided last.
    fn cancelled<T, R, G, C>(&mut self, plan: &Plan<T, R, G>, clock: &C, during: Option<&Pause>) -> Stop
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        C: Clock<Instant = I>,
    {
        let time = elapsed(&mut self.start, plan, clock);
        let stop = self.run.get_or_insert_default().cancelled(during.map(|pause| cut(pause, time)), time);
        self.stopped(plan, clock, stop)
    }

    pub(super) fn rejected<T, R, G, C>(&mut self, plan: &Plan<T, R, G>, clock: &C, rejected: Rejected) -> Stop
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        C: Clock<Instant = I>,
    {
        let stop = rejected.stop(elapsed(&mut self.start, plan, clock).elapsed);
        self.stopped(plan, clock, stop)
    }

    /// The end of the run, if a wait ended that way.
    pub(super) fn ended_by<T, R, G, C>(
        &mut self,
        plan: &Plan<T, R, G>,
        clock: &C,
        rested: Rested,
        pause: Option<&Pause>,
    ) -> Option<Stop>
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        C: Clock<Instant = I>,
    {
        match rested {
            Rested::Go(slept) => {
                // Guards may have made the wait longer or shorter than it was planned. Not what the clock shows: what was slept
                // has passed even if that stands still.
                if let (Some(pause), true) = (pause, G::MAY_END_WAITING) {
                    self.run.get_or_insert_default().rested(pause, slept);
                }
                None
            }
            Rested::Cancelled => Some(self.cancelled(plan, clock, pause)),
            Rested::Over(slept) => {
                let time = elapsed(&mut self.start, plan, clock);
                let cut = pause.map(|pause| Cut { planned: pause.sleep, slept });
                let stop = self.run.get_or_insert_default().over(&plan.policy, cut, time);
                Some(self.stopped(plan, clock, stop))
            }
        }
    }

    #[cold]
    fn stopped<T, R, G, C>(&mut self, plan: &Plan<T, R, G>, clock: &C, stop: Stop) -> Stop
    where
        T: Timeline<Instant = I>,
        G: GuardSet<I, Held = H>,
        C: Clock<Instant = I>,
    {
        if stop.attempts > 0 {
            plan.guards.ended(&mut self.held, clock, stop.reason);
        } else {
            // Nothing was learned about the service: what is held goes back.
            G::give_back(&mut self.held);
        }
        telemetry::give_up(plan.name, &stop, self.start.is_some());
        stop
    }
}

/// How much of a pause that was cut was slept until now, which only the clock knows.
fn cut(pause: &Pause, time: Elapsed) -> Cut {
    Cut { planned: pause.sleep, slept: time.elapsed.saturating_sub(pause.elapsed) }
}

#[cfg(feature = "std")]
impl<I: Copy + 'static, H> Progress<I, H> {
    /// The end of the run, if it is to be published to what the attempts call.
    #[inline]
    pub(crate) fn published<T, R, G>(&self, plan: &Plan<T, R, G>) -> Option<std::time::Instant>
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
