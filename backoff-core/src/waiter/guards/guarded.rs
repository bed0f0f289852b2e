//! A run under guards.

use core::time::Duration;

use super::held::Asked;
#[cfg(feature = "std")]
use super::held::Attempt;
use super::{Asker, GuardSet, Guards, Held, Plan, Progress, Rested, sleep};
use crate::clock::{AsyncSleep, Clock, Sleep, Timeline};
use crate::error::{Reason, Stop};
#[cfg(feature = "std")]
use crate::guard::Waited;
use crate::guard::{Moment, Origin, Rejected};
use crate::random::Random;
use crate::run::{Failure, Pause};
use crate::waiter::elapsed::left;

impl<'g, I: Origin + 'static> GuardSet<I> for Guards<'g> {
    type Held = Held<'g>;
    type Kept<F> = F;
    const MAY_END_WAITING: bool = true;

    fn admit<C: Clock<Instant = I>>(&self, held: &mut Held<'g>, clock: &C) -> Result<(), Rejected> {
        #[cfg(not(feature = "std"))]
        let _ = held;
        let now = || Moment::of(clock);
        #[cfg(feature = "std")]
        if let Some(breaker) = self.breaker {
            held.permit = Some(breaker.admit(now)?);
        }
        if let Some(tokens) = self.tokens {
            tokens.began(&now);
        }
        #[cfg(feature = "std")]
        if let Some(queue) = self.queue {
            held.attempt = Some(Attempt { queue, began: now(), is_retry: false, is_probe: false });
            queue.began(now());
        }
        Ok(())
    }

    fn failed<C: Clock<Instant = I>, R: Random>(&self, held: &mut Held<'g>, run: &Asker<'_, C, R>, failure: Failure) {
        #[cfg(not(feature = "std"))]
        let _ = held;
        let now = || Moment::of(run.clock);
        // A permanent failure is an answer: the service is there.
        let answered = !failure.transient;
        #[cfg(feature = "std")]
        if let (Some(pacer), Some(slot)) = (self.pacer, held.slot.take()) {
            pacer.settle(slot, answered, now);
            // What no run of this policy would obey makes no other wait.
            if let Some(hint) = failure.hint.filter(|hint| failure.transient && run.policy.obeys(*hint)) {
                pacer.block_for(hint, now());
            }
        }
        #[cfg(feature = "std")]
        {
            held.settle(answered, run);
            held.is_hinted = failure.hint.is_some_and(|hint| !hint.is_zero());
        }
        if let (Some(tokens), false) = (self.tokens, answered) {
            tokens.failed(&now);
        }
    }

    fn allow<C: Clock<Instant = I>>(
        &self,
        held: &mut Held<'g>,
        clock: &C,
        pause: &Pause,
        is_last: bool,
    ) -> Result<(), Reason> {
        let now = || Moment::of(clock);
        if let Some(tokens) = self.tokens {
            if !held.ask(tokens, &now) && !tokens.is_patient() {
                return Err(Reason::RetryBudget);
            }
        }
        // Where the server itself said when to come back, there is nothing to wait in line for.
        #[cfg(feature = "std")]
        if let (Some(queue), false) = (self.queue, held.is_hinted) {
            held.place = queue.join(now(), pause, is_last)?;
        }
        #[cfg(not(feature = "std"))]
        let _ = (pause, is_last);
        Ok(())
    }

    fn succeeded<C: Clock<Instant = I>, R: Random>(&self, held: &mut Held<'g>, run: &Asker<'_, C, R>) {
        let now = || Moment::of(run.clock);
        #[cfg(feature = "std")]
        if let (Some(pacer), Some(slot)) = (self.pacer, held.slot.take()) {
            pacer.settle(slot, true, now);
        }
        #[cfg(feature = "std")]
        if let Some(permit) = held.permit.take() {
            permit.succeeded(now);
        }
        if let Some(tokens) = self.tokens {
            tokens.succeeded(held.taken, &now);
        }
        #[cfg(feature = "std")]
        held.settle(true, run);
    }

    fn ended<C: Clock<Instant = I>>(&self, held: &mut Held<'g>, clock: &C, reason: Reason) {
        #[cfg(not(feature = "std"))]
        let _ = (clock, reason);
        #[cfg(feature = "std")]
        if let Some(permit) = held.permit.take() {
            match reason {
                Reason::Cancelled => drop(permit),
                Reason::NotRetryable => permit.succeeded(|| Moment::of(clock)),
                _ => permit.failed(|| Moment::of(clock)),
            }
        }
        *held = Held::default();
    }

    fn pace<S: Sleep<Instant = I>>(
        &self,
        held: &mut Held<'g>,
        clock: &S,
        left: impl FnOnce() -> Option<Duration>,
    ) -> Rested {
        #[cfg(feature = "std")]
        if let Some(pacer) = self.pacer {
            let (slot, waited) = pacer.turn(clock, 1, end(clock, left()));
            held.slot = slot;
            return waited.into();
        }
        let _ = (held, clock, left);
        Rested::Go(Duration::ZERO)
    }

    async fn begin_async<T, R, S>(
        progress: &mut Progress<I, Held<'g>>,
        plan: &Plan<T, R, Self>,
        clock: &S,
    ) -> Option<Stop>
    where
        T: Timeline<Instant = I>,
        S: AsyncSleep<Instant = I>,
    {
        if let Err(rejected) = plan.guards.admit(&mut progress.held, clock) {
            return Some(progress.rejected(plan, clock, rejected));
        }
        let left = left(progress.start, plan, clock, None);
        let rested = plan.guards.pace_async(&mut progress.held, clock, || left(Duration::ZERO)).await;
        progress.ended_by(plan, clock, rested, None)
    }

    fn rest<S: Sleep<Instant = I>>(
        &self,
        held: &mut Held<'g>,
        clock: &S,
        pause: &Pause,
        left: impl Fn(Duration) -> Option<Duration>,
    ) -> Rested {
        let mut slept = Duration::ZERO;
        loop {
            let rested = wait(self, held, clock, pause, || left(slept)).after(slept);
            let Rested::Go(by_now) = rested else { return rested };
            slept = by_now;
            match held.ask_again(clock, pause, || left(slept)) {
                Asked::Allowed => break,
                Asked::Refused => {}
                Asked::Over => return Rested::Over(slept),
            }
        }
        let rested = self.pace(held, clock, || left(slept)).after(slept);
        resume(self, held, clock, rested)
    }

    async fn rest_async<T, R, S>(
        progress: &mut Progress<I, Held<'g>>,
        plan: &Plan<T, R, Self>,
        clock: &S,
        pause: Pause,
    ) -> Option<Stop>
    where
        T: Timeline<Instant = I>,
        S: AsyncSleep<Instant = I>,
    {
        let left = left(progress.start, plan, clock, Some(&pause));
        let rested = plan.guards.rested_async(&mut progress.held, clock, &pause, left).await;
        progress.ended_by(plan, clock, rested, Some(&pause))
    }

    fn keep<F>(failure: F) -> F {
        failure
    }

    fn kept<F>(failure: F) -> Option<F> {
        Some(failure)
    }
}

impl<'g> Guards<'g> {
    /// As [`pace`](GuardSet::pace), for futures.
    #[cfg_attr(not(feature = "std"), expect(clippy::unused_async, reason = "nothing to wait for without a pacer"))]
    async fn pace_async<S: AsyncSleep>(
        &self,
        held: &mut Held<'g>,
        clock: &S,
        left: impl FnOnce() -> Option<Duration>,
    ) -> Rested
    where
        S::Instant: Origin,
    {
        #[cfg(feature = "std")]
        if let Some(pacer) = self.pacer {
            let (slot, waited) = pacer.turn_async(clock, 1, end(clock, left())).await;
            held.slot = slot;
            return waited.into();
        }
        let _ = (held, clock, left);
        Rested::Go(Duration::ZERO)
    }

    /// As [`rest`](GuardSet::rest), for futures.
    async fn rested_async<S: AsyncSleep>(
        &self,
        held: &mut Held<'g>,
        clock: &S,
        pause: &Pause,
        left: impl Fn(Duration) -> Option<Duration>,
    ) -> Rested
    where
        S::Instant: Origin,
    {
        let mut slept = Duration::ZERO;
        loop {
            let rested = wait_async(self, held, clock, pause, || left(slept)).await.after(slept);
            let Rested::Go(by_now) = rested else { return rested };
            slept = by_now;
            match held.ask_again(clock, pause, || left(slept)) {
                Asked::Allowed => break,
                Asked::Refused => {}
                Asked::Over => return Rested::Over(slept),
            }
        }
        let rested = self.pace_async(held, clock, || left(slept)).await.after(slept);
        resume(self, held, clock, rested)
    }
}

/// The waiting is over: if it was for a retry that is made now, that begins.
fn resume<'g, C: Clock>(guards: &Guards<'g>, held: &mut Held<'g>, clock: &C, rested: Rested) -> Rested
where
    C::Instant: Origin,
{
    if matches!(rested, Rested::Go(_)) {
        held.spend();
        #[cfg(feature = "std")]
        if let Some(queue) = guards.queue {
            let is_probe = held.attempt.as_ref().is_some_and(|attempt| attempt.is_probe);
            let began = Moment::of(clock);
            if is_probe {
                queue.probes(began);
            }
            held.attempt = Some(Attempt { queue, began, is_retry: true, is_probe });
        }
        let _ = (guards, clock);
    }
    rested
}

/// The line has called. From here on it waits for a probe: if that is not made after all, it is told when what is held is
/// dropped. When it begins is known later: no clock is read here, because one that panics would leave the line waiting.
#[cfg(feature = "std")]
fn called<'g>(guards: &Guards<'g>, held: &mut Held<'g>, waited: Waited) -> Rested {
    if let (Some(queue), Waited::Probe(_)) = (guards.queue, waited) {
        let began = Moment::at(Duration::ZERO);
        held.attempt = Some(Attempt { queue, began, is_retry: true, is_probe: true });
    }
    waited.into()
}

/// One wait before a retry: in line, or the sleep of the policy.
fn wait<'g, S: Sleep>(
    guards: &Guards<'g>,
    held: &mut Held<'g>,
    clock: &S,
    pause: &Pause,
    left: impl FnOnce() -> Option<Duration>,
) -> Rested
where
    S::Instant: Origin,
{
    #[cfg(feature = "std")]
    if let Some(place) = held.place.take() {
        let waited = place.wait(clock, end(clock, left()));
        return called(guards, held, waited);
    }
    let _ = (guards, held, left);
    sleep(clock, pause.sleep)
}

/// As [`wait`], for futures.
async fn wait_async<'g, S: AsyncSleep>(
    guards: &Guards<'g>,
    held: &mut Held<'g>,
    clock: &S,
    pause: &Pause,
    left: impl FnOnce() -> Option<Duration>,
) -> Rested
where
    S::Instant: Origin,
{
    #[cfg(feature = "std")]
    if let Some(place) = held.place.take() {
        let waited = place.wait_async(clock, end(clock, left())).await;
        return called(guards, held, waited);
    }
    let _ = (guards, held, left);
    clock.sleep_async(pause.sleep).await;
    Rested::Go(pause.sleep)
}

/// The end of the run, as guards count time.
#[cfg(feature = "std")]
fn end<C: Clock>(clock: &C, left: Option<Duration>) -> Option<Moment>
where
    C::Instant: Origin,
{
    left.map(|left| Moment::of(clock).after(left))
}

#[cfg(feature = "std")]
impl From<Waited> for Rested {
    fn from(waited: Waited) -> Self {
        match waited {
            Waited::Turn(slept) | Waited::Probe(slept) => Self::Go(slept),
            Waited::Over(slept) => Self::Over(slept),
            Waited::Cancelled => Self::Cancelled,
        }
    }
}
