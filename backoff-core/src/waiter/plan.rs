//! What a run is made of, apart from the closures: policy, time, randomness, deadline.

use core::fmt;

use crate::ExponentialBackoff;
use crate::clock::{Layered, System, Timeline};
use crate::random::SystemRandom;

/// Everything that a run needs to know and that does not change while it runs.
#[derive(Clone, Copy)]
pub struct Plan<T: Timeline = System, R = SystemRandom> {
    pub(crate) policy: ExponentialBackoff,
    pub(crate) time: T,
    pub(crate) random: R,
    pub(crate) deadline: Option<T::Instant>,
    pub(crate) propagate: bool,
    /// Whether each attempt gets a span.
    pub(crate) spans: bool,
    /// Whether someone wants to know how long things took, even if no rule needs it.
    pub(crate) observed: bool,
    pub(crate) name: &'static str,
}

impl Plan {
    pub(crate) const fn new(policy: ExponentialBackoff) -> Self {
        Self {
            policy,
            time: System,
            random: SystemRandom,
            deadline: None,
            propagate: false,
            spans: false,
            observed: true,
            name: "",
        }
    }
}

impl<T: Timeline, R> Plan<T, R> {
    /// The same over another clock; a deadline of the old clock means nothing on it.
    pub(crate) fn time<U: Timeline>(self, time: U) -> Plan<T::Over<U>, R>
    where
        T: Layered,
    {
        Plan {
            policy: self.policy,
            time: self.time.over(time),
            random: self.random,
            deadline: None,
            propagate: self.propagate,
            spans: self.spans,
            observed: self.observed,
            name: self.name,
        }
    }

    /// The same with the clock wrapped in one that counts the same instants.
    pub(crate) fn wrap<U: Timeline<Instant = T::Instant>>(self, wrap: impl FnOnce(T) -> U) -> Plan<U, R> {
        Plan {
            policy: self.policy,
            time: wrap(self.time),
            random: self.random,
            deadline: self.deadline,
            propagate: self.propagate,
            spans: self.spans,
            observed: self.observed,
            name: self.name,
        }
    }

    pub(crate) fn random<S>(self, random: S) -> Plan<T, S> {
        Plan {
            policy: self.policy,
            time: self.time,
            random,
            deadline: self.deadline,
            propagate: self.propagate,
            spans: self.spans,
            observed: self.observed,
            name: self.name,
        }
    }

    /// Whether a run has to know when it started.
    pub(crate) const fn is_timed(&self) -> bool {
        self.observed || self.policy.get_budget().is_some() || self.deadline.is_some()
    }
}

impl<T: Timeline, R> fmt::Debug for Plan<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.policy, f)
    }
}
