//! What `#[exponential_backoff]` expands to where guards are named.

use super::v0_1_0::Step;
use crate::clock::{AsyncTime, BlockingTime, Timeline};
use crate::error::Stop;
#[cfg(feature = "std")]
use crate::guard::{CircuitBreaker, Pacer, RetryQueue};
use crate::guard::{Rejected, RetryTokens};
use crate::outcome::{FromRejection, Outcome};
use crate::random::Random;
use crate::run::{Decision, Failure, Pause};
use crate::waiter::{GuardSet, Guards, Plan, Progress};

/// A reference to a rule of tokens, from a place that holds one or from a reference.
pub trait AsTokens {
    fn __backoff_tokens(&self) -> &dyn RetryTokens;
}

impl<R: RetryTokens> AsTokens for R {
    fn __backoff_tokens(&self) -> &dyn RetryTokens {
        self
    }
}

macro_rules! any_rule {
    ($($rule:ty),+) => {$(
        impl AsTokens for $rule {
            fn __backoff_tokens(&self) -> &dyn RetryTokens {
                self
            }
        }
    )+};
}

any_rule!(
    dyn RetryTokens + '_,
    dyn RetryTokens + Send + '_,
    dyn RetryTokens + Send + Sync + '_,
    dyn RetryTokens + Sync + '_
);

/// Puts a plan under a guard.
impl<T: Timeline, R, G> Plan<T, R, G> {
    #[must_use]
    pub fn retry_budget<'g>(self, tokens: &'g dyn RetryTokens) -> Plan<T, R, Guards<'g>>
    where
        G: Into<Guards<'g>>,
    {
        self.guards(|guards| guards.into().retry_budget(tokens))
    }

    #[cfg(feature = "std")]
    #[must_use]
    pub fn breaker<'g>(self, breaker: &'g CircuitBreaker) -> Plan<T, R, Guards<'g>>
    where
        G: Into<Guards<'g>>,
    {
        self.guards(|guards| guards.into().breaker(breaker))
    }

    #[cfg(feature = "std")]
    #[must_use]
    pub fn pacer<'g>(self, pacer: &'g Pacer) -> Plan<T, R, Guards<'g>>
    where
        G: Into<Guards<'g>>,
    {
        self.guards(|guards| guards.into().pacer(pacer))
    }

    #[cfg(feature = "std")]
    #[must_use]
    pub fn retry_queue<'g>(self, queue: &'g RetryQueue) -> Plan<T, R, Guards<'g>>
    where
        G: Into<Guards<'g>>,
    {
        self.guards(|guards| guards.into().retry_queue(queue))
    }
}

/// Asks the guards before the first attempt, and not again.
pub fn begin<T: BlockingTime, R, G: GuardSet<T::Instant>>(
    plan: &Plan<T, R, G>,
    run: &mut Progress<T::Instant, G::Held>,
) -> Option<Stop> {
    if run.is_first() { run.begin(plan, plan.time.blocking()) } else { None }
}

pub async fn begin_async<T: AsyncTime, R, G: GuardSet<T::Instant>>(
    plan: &Plan<T, R, G>,
    run: &mut Progress<T::Instant, G::Held>,
) -> Option<Stop> {
    if run.is_first() { run.begin_async(plan, plan.time.asynchronous()).await } else { None }
}

/// Tells the guards that the run begins, where none of them can keep it from that.
pub fn admit<T: BlockingTime, R, G: GuardSet<T::Instant>>(
    plan: &Plan<T, R, G>,
    run: &mut Progress<T::Instant, G::Held>,
) {
    run.admit(plan, plan.time.blocking());
}

pub fn admit_async<T: AsyncTime, R, G: GuardSet<T::Instant>>(
    plan: &Plan<T, R, G>,
    run: &mut Progress<T::Instant, G::Held>,
) {
    run.admit(plan, plan.time.asynchronous());
}

/// Tells the guards of a success.
pub fn settle<T: BlockingTime, R: Random, G: GuardSet<T::Instant>>(
    plan: &Plan<T, R, G>,
    run: &mut Progress<T::Instant, G::Held>,
) {
    run.succeeded(plan, plan.time.blocking());
}

pub fn settle_async<T: AsyncTime, R: Random, G: GuardSet<T::Instant>>(
    plan: &Plan<T, R, G>,
    run: &mut Progress<T::Instant, G::Held>,
) {
    run.succeeded(plan, plan.time.asynchronous());
}

/// No failure, of the type that an outcome would have.
#[must_use]
pub const fn no_failure<R: Outcome>() -> Option<R::Failure> {
    None
}

/// No outcome.
#[must_use]
pub const fn no_value<R>() -> Option<R> {
    None
}

/// What stands for a run that a guard did not let begin.
#[must_use]
pub fn rejected<R: FromRejection>(stop: &Stop) -> R {
    R::from_rejection(Rejected::of(stop))
}

/// As `decide`, but keeps the outcome, because a run under guards may end with it while it waits.
#[cold]
#[inline(never)]
pub fn decide_guarded<T: AsyncTime, R: Random, G: GuardSet<T::Instant>, Out>(
    plan: &Plan<T, R, G>,
    run: &mut Progress<T::Instant, G::Held>,
    outcome: Out,
    failure: Failure,
    on_retry: impl FnOnce(&Pause, &Out),
) -> Step<Out, (Pause, Out)> {
    match run.failed(plan, plan.time.asynchronous(), failure) {
        Decision::Stop(stop) => Step::Stop(outcome, stop),
        Decision::Sleep(pause) => {
            on_retry(&pause, &outcome);
            Step::Sleep((pause, outcome))
        }
    }
}

/// Waits until the next attempt may begin. Gives the outcome back if the run ended meanwhile.
pub async fn rest_async<T: AsyncTime, R, G: GuardSet<T::Instant>, Out>(
    plan: &Plan<T, R, G>,
    run: &mut Progress<T::Instant, G::Held>,
    (pause, outcome): (Pause, Out),
) -> Option<(Out, Stop)> {
    let stop = run.rest_async(plan, plan.time.asynchronous(), pause).await?;
    Some((outcome, stop))
}
