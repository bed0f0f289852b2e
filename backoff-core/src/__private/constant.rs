//! The same for a [`Constant`], which is a plan with default time and randomness, without guards and hooks.
//!
//! Its types are all known, so there is little to infer in the function that is annotated; and what is cold is compiled once, with
//! the engine. What is not here is that of every plan.

use crate::clock::{AsyncSleep as _, AsyncTime, BlockingTime, System, Timeline};
use crate::error::Stop;
use crate::outcome::Outcome;
use crate::random::{Random, SystemRandom};
use crate::run::{Decision, Pause};
use crate::waiter::Packed;

pub use super::v0_1_0::*;

/// A run under the default time. What that needs is a bound of each function, so that a missing feature is explained in the words
/// of its trait; `'late` keeps the bound from being an error here.
type Run = Packed<<System as Timeline>::Instant>;

/// For a plan with a budget, or with something that asks how much time has passed: the attribute can tell, and the compiler,
/// which may have the constant in another unit, can't.
#[inline]
#[must_use]
pub fn start(_: &Constant) -> Run
where
    for<'late> System: BlockingTime,
{
    Packed::timed(System.blocking())
}

#[inline]
#[must_use]
pub fn start_async(_: &Constant) -> Run
where
    for<'late> System: AsyncTime,
{
    Packed::timed(System.asynchronous())
}

#[inline]
#[must_use]
pub fn start_untimed(_: &Constant) -> Run {
    Packed::untimed()
}

#[inline]
pub fn is_success<Out: Outcome>(plan: &Constant, run: &Run, outcome: &Out) -> bool {
    told(plan.name, run, outcome.failure().is_none())
}

#[inline]
pub fn is_success_until<Out>(plan: &Constant, run: &Run, outcome: &Out, until: impl FnOnce(&Out) -> bool) -> bool {
    told(plan.name, run, until(outcome))
}

/// Unpacks the run only for a success: where it is unpacked before, a large value is copied (benchmark "blocking, 256 bytes").
#[inline]
fn told(name: &'static str, run: &Run, is_success: bool) -> bool {
    if is_success {
        run.unpack().tell_success(name);
    }
    is_success
}

#[cold]
#[inline(never)]
pub fn back_off<Out>(plan: &Constant, run: &mut Run, outcome: Out) -> Option<(Out, Stop)>
where
    for<'late> System: BlockingTime,
    for<'late> SystemRandom: Random,
{
    back_off_with(plan, run, outcome, Failure::transient(), no_hook)
}

#[cold]
pub fn back_off_with<Out>(
    plan: &Constant,
    run: &mut Run,
    outcome: Out,
    failure: Failure,
    _: fn(&Pause, &Out),
) -> Option<(Out, Stop)>
where
    for<'late> System: BlockingTime,
    for<'late> SystemRandom: Random,
{
    match decided(plan, run, failure) {
        Decision::Stop(stop) => Some((outcome, stop)),
        Decision::Sleep(pause) => run.unpack().rest(&plan.plan(), System.blocking(), &pause, outcome),
    }
}

#[inline(never)]
fn decided(plan: &Constant, run: &mut Run, failure: Failure) -> Decision
where
    for<'late> System: BlockingTime,
    for<'late> SystemRandom: Random,
{
    run.with(|run| run.failed(&plan.plan(), System.blocking(), failure))
}

#[cold]
#[inline(never)]
pub fn decide<Out>(plan: &Constant, run: &mut Run, outcome: Out) -> Step<Out>
where
    for<'late> System: AsyncTime,
    for<'late> SystemRandom: Random,
{
    decide_with(plan, run, outcome, Failure::transient(), no_hook)
}

#[cold]
pub fn decide_with<Out>(
    plan: &Constant,
    run: &mut Run,
    outcome: Out,
    failure: Failure,
    _: fn(&Pause, &Out),
) -> Step<Out>
where
    for<'late> System: AsyncTime,
    for<'late> SystemRandom: Random,
{
    match decided_async(plan, run, failure) {
        Decision::Stop(stop) => Step::Stop(outcome, stop),
        Decision::Sleep(pause) => Step::Sleep(pause.sleep),
    }
}

#[inline(never)]
fn decided_async(plan: &Constant, run: &mut Run, failure: Failure) -> Decision
where
    for<'late> System: AsyncTime,
    for<'late> SystemRandom: Random,
{
    run.with(|run| run.failed(&plan.plan(), System.asynchronous(), failure))
}

pub fn sleep_async(_: &Constant, duration: Duration) -> impl Future<Output = ()> + use<>
where
    for<'late> System: AsyncTime,
{
    System.asynchronous().sleep_async(duration)
}
