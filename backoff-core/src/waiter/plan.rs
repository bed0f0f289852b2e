//! What a run is made of, apart from the closures: policy, time, randomness, deadline.

use core::fmt;

use super::guards::Unguarded;
use crate::ExponentialBackoff;
use crate::clock::{Layered, System, Timeline};
use crate::random::SystemRandom;

/// Everything that a run needs to know and that does not change while it runs.
#[derive(Clone, Copy)]
pub struct Plan<T: Timeline = System, R = SystemRandom, G = Unguarded> {
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
    pub(crate) guards: G,
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
            guards: Unguarded,
        }
    }
}

impl<T: Timeline, R, G> Plan<T, R, G> {
    /// The same over another clock; a deadline of the old clock means nothing on it.
    pub(crate) fn time<U: Timeline>(self, time: U) -> Plan<T::Over<U>, R, G>
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
            guards: self.guards,
        }
    }

    /// The same with the clock wrapped in one that counts the same instants.
    pub(crate) fn wrap<U: Timeline<Instant = T::Instant>>(self, wrap: impl FnOnce(T) -> U) -> Plan<U, R, G> {
        Plan {
            policy: self.policy,
            time: wrap(self.time),
            random: self.random,
            deadline: self.deadline,
            propagate: self.propagate,
            spans: self.spans,
            observed: self.observed,
            name: self.name,
            guards: self.guards,
        }
    }

    pub(crate) fn random<S>(self, random: S) -> Plan<T, S, G> {
        Plan {
            policy: self.policy,
            time: self.time,
            random,
            deadline: self.deadline,
            propagate: self.propagate,
            spans: self.spans,
            observed: self.observed,
            name: self.name,
            guards: self.guards,
        }
    }

    pub(crate) fn guards<K>(self, change: impl FnOnce(G) -> K) -> Plan<T, R, K> {
        Plan {
            policy: self.policy,
            time: self.time,
            random: self.random,
            deadline: self.deadline,
            propagate: self.propagate,
            spans: self.spans,
            observed: self.observed,
            name: self.name,
            guards: change(self.guards),
        }
    }

    /// Whether a run has to know when it started.
    pub(crate) const fn is_timed(&self) -> bool {
        self.observed || self.policy.get_budget().is_some() || self.deadline.is_some()
    }
}

impl<T: Timeline, R, G> fmt::Debug for Plan<T, R, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.policy, f)
    }
}
