//! Where a run stands in time: since when, and until when.

use core::time::Duration;

use super::plan::Plan;
use crate::clock::{Clock, Timeline};
use crate::run::{Elapsed, Pause, Run};

/// How much time a run has left once so much of a pause was slept, for guards that ask.
pub(super) fn left<'a, T, R, G, C>(
    start: Option<T::Instant>,
    plan: &'a Plan<T, R, G>,
    clock: &'a C,
    pause: Option<&'a Pause>,
) -> impl Fn(Duration) -> Option<Duration> + 'a
where
    T: Timeline,
    C: Clock<Instant = T::Instant>,
{
    move |slept| {
        let unslept = pause.and_then(|pause| pause.remaining).map(|remaining| remaining.saturating_sub(slept));
        nearer(Run::remaining(&plan.policy, elapsed(&mut { start }, plan, clock)), unslept)
    }
}

#[inline]
pub(super) fn elapsed<T, R, G, C>(start: &mut Option<T::Instant>, plan: &Plan<T, R, G>, clock: &C) -> Elapsed
where
    T: Timeline,
    C: Clock<Instant = T::Instant>,
{
    let inherited = inherited::<T::Instant>();
    if start.is_none() && inherited.is_none() {
        return Elapsed::since_start(Duration::ZERO);
    }
    measured(start, inherited, plan, clock)
}

/// Reads the clock, and counts everything from the start of the run.
fn measured<T, R, G, C>(
    start: &mut Option<T::Instant>,
    inherited: Option<T::Instant>,
    plan: &Plan<T, R, G>,
    clock: &C,
) -> Elapsed
where
    T: Timeline,
    C: Clock<Instant = T::Instant>,
{
    let now = clock.now();
    let start = *start.get_or_insert(now);
    let until = |deadline: Option<T::Instant>| deadline.map(|deadline| clock.elapsed(start, deadline));
    let deadline = nearer(until(plan.deadline), until(inherited));
    Elapsed::since_start(clock.elapsed(start, now)).deadline(deadline)
}

/// The instant as one of the standard library; `propagate` can't be asked of clocks that count otherwise.
#[cfg(feature = "std")]
pub(super) fn standard<I: 'static>(instant: &I) -> Option<std::time::Instant> {
    (instant as &dyn core::any::Any).downcast_ref().copied()
}

pub(super) fn nearer<D: Ord>(a: Option<D>, b: Option<D>) -> Option<D> {
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
