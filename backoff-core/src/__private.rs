//! What `#[exponential_backoff]` expands to. Not part of the public interface: the module is named after the version, so
//! that a macro and an engine of different versions do not compile together.

pub mod checked;
pub mod constant;
mod guarded;

pub mod v0_1_0 {
    pub use super::guarded::{
        AsTokens, admit, admit_async, begin, begin_async, decide_guarded, no_failure, no_value, rejected, rest_async,
        settle, settle_async,
    };
    pub use super::{checked, constant};
    pub use crate::policy::settings::{DEFAULT, Settings};
    pub use core::option::Option::{None, Some};
    pub use core::pin::pin;
    pub use core::time::Duration;
    pub use core::{concat, module_path};

    use core::pin::Pin;

    use crate::RetryError;
    use crate::clock::{AsyncSleep, AsyncTime, BlockingTime, System, Timeline};
    use crate::error::Stop;
    use crate::event::{GiveUp, Retry, Success};
    use crate::hint::IntoHint;
    use crate::outcome::{FromTimeout, Outcome};
    pub use crate::policy::{ExponentialBackoff as Policy, FinalSleep, Jitter};
    use crate::random::Random;
    pub use crate::run::Failure;
    use crate::run::{Decision, Pause};
    pub use crate::waiter::Plan;
    use crate::waiter::{self, Attempt, GuardSet, Progress, Spans, Timed, TracingFeature, Uncut, Unguarded, Waiter};

    /// A plan as plain values, with the default time and randomness.
    #[derive(Clone, Copy, Debug)]
    pub struct Constant {
        pub name: &'static str,
        pub observed: bool,
        pub settings: Settings,
    }

    impl Constant {
        #[inline]
        #[must_use]
        pub const fn plan(&self) -> Plan {
            let Self { name, observed, settings } = self;
            Plan { observed: *observed, name, ..Plan::new(settings.policy()) }
        }
    }

    impl<T: Timeline, R> Plan<T, R> {
        /// A plan with the caller's waiter for time and randomness.
        #[must_use]
        pub fn of(waiter: Waiter<T, R>, name: &'static str, is_named: bool, observed: bool) -> Self {
            let plan = waiter.into_plan();
            let is_named = is_named || plan.name.is_empty();
            Self { observed, name: if is_named { name } else { plan.name }, ..plan }
        }
    }

    impl<T: Timeline, R, G> Plan<T, R, G> {
        #[must_use]
        pub fn under(self, policy: Policy) -> Self {
            Self { policy, ..self }
        }

        #[must_use]
        pub fn with(self, change: impl FnOnce(Policy) -> Policy) -> Self {
            Self { policy: change(self.policy), ..self }
        }

        #[must_use]
        pub const fn spans(mut self) -> Self
        where
            for<'late> Spans: TracingFeature,
        {
            self.spans = true;
            self
        }

        #[must_use]
        pub fn deadline(self, deadline: impl Into<T::Instant>) -> Self {
            Self { deadline: Some(deadline.into()), ..self }
        }

        /// A plan whose attempts are cut.
        #[must_use]
        pub fn timed(self, timeout: Duration) -> Plan<Timed<T>, R, G> {
            self.wrap(|time| Timed::new(time, timeout))
        }
    }

    /// A plan with the default time and randomness, whose attempts are cut.
    pub type TimedPlan = Plan<Timed<System>>;

    impl Plan {
        /// As [`timed`](Self::timed), in a constant.
        #[must_use]
        pub const fn cut(self, timeout: Duration) -> TimedPlan {
            let Self { policy, time: System, random, deadline, propagate, spans, observed, name, guards } = self;
            Plan {
                policy,
                time: Timed::new(System, timeout),
                random,
                deadline,
                propagate,
                spans,
                observed,
                name,
                guards,
            }
        }
    }

    #[cfg(feature = "std")]
    impl<T: Timeline<Instant = std::time::Instant>, R, G> Plan<T, R, G> {
        #[must_use]
        pub const fn propagate(mut self) -> Self {
            self.propagate = true;
            self
        }
    }

    #[inline]
    pub fn start<T: BlockingTime, R, G: GuardSet<T::Instant>>(plan: &Plan<T, R, G>) -> Progress<T::Instant, G::Held> {
        Progress::start(plan, plan.time.blocking())
    }

    #[inline]
    pub fn start_uncut<T: Uncut, R, G: GuardSet<T::Instant>>(plan: &Plan<T, R, G>) -> Progress<T::Instant, G::Held> {
        start_async(plan)
    }

    #[inline]
    pub fn start_async<T: AsyncTime, R, G: GuardSet<T::Instant>>(
        plan: &Plan<T, R, G>,
    ) -> Progress<T::Instant, G::Held> {
        Progress::start(plan, plan.time.asynchronous())
    }

    pub fn context<'a, T: BlockingTime, R, G, Held>(
        plan: &'a Plan<T, R, G>,
        run: &Progress<T::Instant, Held>,
    ) -> Attempt<'a, T::Time> {
        run.attempt(plan, plan.time.blocking())
    }

    pub fn context_async<'a, T: AsyncTime, R, G, Held>(
        plan: &'a Plan<T, R, G>,
        run: &Progress<T::Instant, Held>,
    ) -> Attempt<'a, T::Time> {
        run.attempt(plan, plan.time.asynchronous())
    }

    /// Calls the body. A call through a parameter is inferred as `FnOnce`, which a closure called in place is not.
    #[inline]
    pub fn attempt<R>(body: impl FnOnce() -> R) -> R {
        body()
    }

    #[inline]
    pub fn scoped<T: Timeline, R, G, Held, Out>(
        plan: &Plan<T, R, G>,
        run: &Progress<T::Instant, Held>,
        body: impl FnOnce() -> Out,
    ) -> Out {
        waiter::scoped(plan, run, body)
    }

    pub fn scoped_async<T: Timeline, R, G, Held, F: Future>(
        plan: &Plan<T, R, G>,
        run: &Progress<T::Instant, Held>,
        body: Pin<&mut F>,
    ) -> impl Future<Output = F::Output> {
        waiter::scoped_async(plan, run, body)
    }

    /// Cuts the attempt at its timeout; nothing is left of it then.
    pub fn timed<T: AsyncTime, R, G, Held, F: Future>(
        plan: &Plan<T, R, G>,
        run: &Progress<T::Instant, Held>,
        body: Pin<&mut F>,
    ) -> impl Future<Output = Option<F::Output>> {
        waiter::timed(plan, run, body)
    }

    /// The outcome of an attempt, and whether its timeout cut it.
    pub fn cut<Out: FromTimeout>(outcome: Option<Out>) -> (Out, bool) {
        match outcome {
            Some(outcome) => (outcome, false),
            None => (Out::from_timeout(), true),
        }
    }

    /// Whether the outcome is a success, which is told of.
    #[inline]
    pub fn is_success<T: Timeline, R, G, Held, Out: Outcome>(
        plan: &Plan<T, R, G>,
        run: &Progress<T::Instant, Held>,
        outcome: &Out,
    ) -> bool {
        told(plan.name, run, outcome.failure().is_none())
    }

    #[inline]
    pub fn is_success_until<T: Timeline, R, G, Held, Out>(
        plan: &Plan<T, R, G>,
        run: &Progress<T::Instant, Held>,
        outcome: &Out,
        until: impl FnOnce(&Out) -> bool,
    ) -> bool {
        told(plan.name, run, until(outcome))
    }

    #[inline]
    pub(super) fn told<I: Copy + 'static, Held>(name: &'static str, run: &Progress<I, Held>, is_success: bool) -> bool {
        if is_success {
            run.tell_success(name);
        }
        is_success
    }

    /// Whether a failure is worth another attempt.
    pub fn when<Out: Outcome>(outcome: &Out, when: impl FnOnce(&Out::Failure) -> bool) -> bool {
        outcome.failure().is_some_and(when)
    }

    /// The failure as hooks and hints see it: the error.
    pub fn failure<R: Outcome>(outcome: &R) -> Option<&R::Failure> {
        outcome.failure()
    }

    /// The failure as hooks and hints see it under `until`: the whole value.
    pub const fn value<R>(outcome: &R) -> Option<&R> {
        Some(outcome)
    }

    pub fn into_failure<R: Outcome>(outcome: R) -> Option<R::Failure> {
        outcome.into_result().err()
    }

    pub const fn into_value<R>(outcome: R) -> Option<R> {
        Some(outcome)
    }

    pub fn hint<F, W: IntoHint>(failure: Option<&F>, hint: impl FnOnce(&F) -> W) -> Option<Duration> {
        failure.and_then(|failure| hint(failure).into_hint())
    }

    /// No hook for retries.
    pub const fn no_hook<Out>(_: &Pause, _: &Out) {}

    /// What follows a failure: a sleep, or the end of the run.
    #[derive(Debug)]
    pub enum Step<Out, Wait = Duration> {
        Sleep(Wait),
        Stop(Out, Stop),
    }

    /// Decides what follows a failure, and sleeps if another attempt does. Gives the outcome back if none does.
    pub fn back_off<T: BlockingTime, R: Random, G: GuardSet<T::Instant>, Out>(
        plan: &Plan<T, R, G>,
        run: &mut Progress<T::Instant, G::Held>,
        outcome: Out,
    ) -> Option<(Out, Stop)> {
        back_off_with(plan, run, outcome, Failure::transient(), no_hook)
    }

    #[cold]
    #[inline(never)]
    pub fn back_off_with<T: BlockingTime, R: Random, G: GuardSet<T::Instant>, Out>(
        plan: &Plan<T, R, G>,
        run: &mut Progress<T::Instant, G::Held>,
        outcome: Out,
        failure: Failure,
        on_retry: impl FnOnce(&Pause, &Out),
    ) -> Option<(Out, Stop)> {
        let clock = plan.time.blocking();
        match run.failed(plan, clock, failure) {
            Decision::Stop(stop) => Some((outcome, stop)),
            Decision::Sleep(pause) => {
                on_retry(&pause, &outcome);
                run.rest(plan, clock, &pause, outcome)
            }
        }
    }

    /// Decides what follows a failure, and drops it if another attempt does.
    pub fn decide<T: AsyncTime, R: Random, Out>(
        plan: &Plan<T, R>,
        run: &mut Progress<T::Instant>,
        outcome: Out,
    ) -> Step<Out>
    where
        Unguarded: GuardSet<T::Instant, Held = ()>,
    {
        decide_with(plan, run, outcome, Failure::transient(), no_hook)
    }

    #[cold]
    #[inline(never)]
    pub fn decide_with<T: AsyncTime, R: Random, Out>(
        plan: &Plan<T, R>,
        run: &mut Progress<T::Instant>,
        outcome: Out,
        failure: Failure,
        on_retry: impl FnOnce(&Pause, &Out),
    ) -> Step<Out>
    where
        Unguarded: GuardSet<T::Instant, Held = ()>,
    {
        match decide_guarded(plan, run, outcome, failure, on_retry) {
            Step::Sleep((pause, _)) => Step::Sleep(pause.sleep),
            Step::Stop(outcome, stop) => Step::Stop(outcome, stop),
        }
    }

    pub fn sleep_async<T: AsyncTime, R>(plan: &Plan<T, R>, duration: Duration) -> impl Future<Output = ()> {
        plan.time.asynchronous().sleep_async(duration)
    }

    pub fn on_retry<T: Timeline, R, G, F>(
        plan: &Plan<T, R, G>,
        pause: &Pause,
        failure: Option<&F>,
        hook: impl FnOnce(&Retry<'_, F>),
    ) {
        hook(&pause.event(plan.name, failure));
    }

    pub fn on_give_up<T: Timeline, R, G, F>(
        plan: &Plan<T, R, G>,
        stop: &Stop,
        failure: Option<&F>,
        hook: impl FnOnce(&GiveUp<'_, F>),
    ) {
        hook(&stop.event(plan.name, failure));
    }

    pub fn on_success<T: Timeline, R, G, Held>(
        plan: &Plan<T, R, G>,
        run: &Progress<T::Instant, Held>,
        hook: impl FnOnce(&Success),
    ) {
        hook(&run.success(plan.name));
    }

    /// Turns the end of a run into what the function returns.
    pub fn exhausted<F, Out>(failure: Option<F>, stop: Stop, map: impl FnOnce(RetryError<F>) -> Out) -> Out {
        map(RetryError::new(failure, stop))
    }

    /// A clone of an argument for one attempt.
    #[inline]
    pub fn cloned<A: Clone>(argument: &A) -> A {
        argument.clone()
    }

    /// A clone of an argument that was declared `mut`: the borrow says that this is not in vain.
    #[inline]
    pub fn cloned_mut<A: Clone>(argument: &mut A) -> A {
        argument.clone()
    }

    /// Drops an argument that the attempts had clones of.
    #[inline]
    pub fn consume<A>(_: A) {}
}
