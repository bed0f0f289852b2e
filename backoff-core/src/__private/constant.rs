//! The same for a plan that is a constant: default time and randomness, no guards. Its types are all known, so the
//! compiler has little to infer in the function that is annotated, and what is cold is compiled once, with the engine.
//!
//! What is not here is that of every plan. So are the functions for which a feature is missing: they say which one.

pub use super::v0_1_0::*;

#[cfg(feature = "std")]
pub use known::{is_success, start, start_untimed};

#[cfg(all(feature = "std", not(target_os = "unknown")))]
pub use threads::back_off;

#[cfg(any(feature = "tokio", feature = "futures-timer"))]
pub use futures::{sleep_async, start_async};

#[cfg(all(any(feature = "tokio", feature = "futures-timer"), not(target_os = "unknown")))]
pub use futures::decide;

#[cfg(feature = "std")]
mod known {
    use std::time::Instant;

    use super::super::v0_1_0;
    use crate::clock::{BlockingTime as _, Clock as _};
    use crate::outcome::Outcome;
    use crate::waiter::{Plan, Progress};

    /// For a plan with a budget, or with something that asks how much time has passed: the attribute can tell, and the
    /// compiler, which may have the constant in another unit, can't.
    #[inline]
    #[must_use]
    pub fn start(plan: &Plan) -> Progress<Instant> {
        Progress::since(Some(plan.time.blocking().now()))
    }

    #[inline]
    #[must_use]
    pub fn start_untimed(_: &Plan) -> Progress<Instant> {
        Progress::since(None)
    }

    #[inline]
    pub fn is_success<Out: Outcome>(plan: &Plan, run: &Progress<Instant>, outcome: &Out) -> bool {
        v0_1_0::is_success(plan, run, outcome)
    }
}

#[cfg(all(feature = "std", not(target_os = "unknown")))]
mod threads {
    use std::time::Instant;

    use crate::clock::BlockingTime as _;
    use crate::error::Stop;
    use crate::run::{Decision, Failure};
    use crate::waiter::{Plan, Progress};

    #[cold]
    #[inline(never)]
    pub fn back_off<Out>(plan: &Plan, run: &mut Progress<Instant>, outcome: Out) -> Option<(Out, Stop)> {
        match decide(plan, run) {
            Decision::Stop(stop) => Some((outcome, stop)),
            Decision::Sleep(pause) => run.rest(plan, plan.time.blocking(), &pause, outcome),
        }
    }

    #[inline(never)]
    fn decide(plan: &Plan, run: &mut Progress<Instant>) -> Decision {
        run.failed(plan, plan.time.blocking(), Failure::transient())
    }
}

#[cfg(any(feature = "tokio", feature = "futures-timer"))]
mod futures {
    use core::time::Duration;
    use std::time::Instant;

    #[cfg(not(target_os = "unknown"))]
    use super::super::v0_1_0::Step;
    use crate::clock::{AsyncSleep as _, AsyncTime as _, Clock as _};
    #[cfg(not(target_os = "unknown"))]
    use crate::run::{Decision, Failure};
    use crate::waiter::{Plan, Progress};

    #[inline]
    #[must_use]
    pub fn start_async(plan: &Plan) -> Progress<Instant> {
        Progress::since(Some(plan.time.asynchronous().now()))
    }

    #[cfg(not(target_os = "unknown"))]
    #[cold]
    #[inline(never)]
    pub fn decide<Out>(plan: &Plan, run: &mut Progress<Instant>, outcome: Out) -> Step<Out> {
        match decided(plan, run) {
            Decision::Stop(stop) => Step::Stop(outcome, stop),
            Decision::Sleep(pause) => Step::Sleep(pause.sleep),
        }
    }

    #[cfg(not(target_os = "unknown"))]
    #[inline(never)]
    fn decided(plan: &Plan, run: &mut Progress<Instant>) -> Decision {
        run.failed(plan, plan.time.asynchronous(), Failure::transient())
    }

    pub fn sleep_async(plan: &Plan, duration: Duration) -> impl Future<Output = ()> {
        plan.time.asynchronous().sleep_async(duration)
    }
}
