//! The circuit breaker: stops calling a service that keeps failing, and tries again with a few calls after a rest.

mod change;
mod machine;
mod permit;
mod settings;
mod trip;

use core::fmt;
use core::time::Duration;

pub use change::CircuitChange;
pub use machine::Circuit;
use machine::{Machine, Ticket};
pub use permit::Permit;
use settings::Settings;
use trip::Trip;

use super::Moment;
use super::lock::Lock;
use super::rejected::Rejected;
use super::word::Word;

/// Stops calling a service that keeps failing, so that callers fail fast and the service can rest.
///
/// - **Closed**: every call is let through. It opens after five failures in a row, or what is set instead: a
///   [share of the last calls](Self::failure_rate), or of those in the [last stretch of time](Self::failure_rate_within).
/// - **Open**: no call is let through for [`open_for`](Self::open_for). A rejection runs nothing, sleeps nothing, is no
///   failure, and says when to come back.
/// - **Half-open**: at most [`probes`](Self::probes) calls at a time are let through. The first failure opens the circuit
///   again for the whole rest; [`probes_to_close`](Self::probes_to_close) successes close it.
///
/// Under a policy the breaker is asked once, before the first attempt, and a run counts once, by how it ended: so a blip that
/// a retry absorbs does not trip it. A run that ended because its failure was permanent counts as a success, since the
/// service did answer. A run that was dropped, cancelled or panicked counts as nothing; if it was a probe its place is free
/// for the next. What was admitted in one period of the circuit has no say in another, however late it ends.
///
/// A caller whose own timeout is shorter than the service's recovery never sees a probe succeed: every probe is cut, and the
/// circuit stays half-open with one call at a time. Where that can be, move the [`Permit`] into a task that outlives the
/// caller and settles it.
///
/// A constant, so it can be a `static`. While it is closed, admission is one relaxed load, and with the default trip a
/// success writes nothing; with a failure rate each end of a call takes a short lock.
///
/// ```
/// use backoff_core::guard::{Circuit, CircuitBreaker, Moment, Rejected};
/// use backoff_core::{exponential_backoff, testing::VirtualTime};
/// use std::time::Duration;
///
/// static BREAKER: CircuitBreaker = CircuitBreaker::new().failures(2).open_for(Duration::from_secs(10));
///
/// #[derive(Debug, PartialEq)]
/// enum Error {
///     Down,
///     Rejected(Rejected),
/// }
/// impl From<Rejected> for Error {
///     fn from(rejected: Rejected) -> Self {
///         Error::Rejected(rejected)
///     }
/// }
///
/// #[exponential_backoff(breaker = BREAKER, max_attempts = 3)]
/// fn load(is_up: bool) -> Result<u8, Error> {
///     if is_up { Ok(7) } else { Err(Error::Down) }
/// }
///
/// let time = VirtualTime::new();
/// let _virtual = time.enter();
/// assert_eq!(load(false), Err(Error::Down));
/// assert_eq!(load(false), Err(Error::Down));
/// let Err(Error::Rejected(rejected)) = load(true) else { panic!() };
/// assert_eq!(rejected.to_string(), "no attempt was made: the circuit is open; try again in 10s");
/// time.pass(Duration::from_secs(10));
/// assert_eq!(load(true), Ok(7));
/// assert_eq!(BREAKER.snapshot(Moment::now()).circuit, Circuit::Closed);
/// ```
pub struct CircuitBreaker {
    /// The generation, [`SHUT`] and [`BUSY`], for those who only want to know that all is well.
    fast: Word,
    rejected: Word,
    machine: Lock<Machine>,
    settings: Settings,
    name: &'static str,
    on_change: Option<fn(&CircuitChange)>,
}

/// The circuit is not closed.
const SHUT: u32 = 1;
/// A success has something to change.
const BUSY: u32 = 2;
/// What a generation counts in, beside the two bits.
const GENERATION: u32 = 4;

/// What a [`CircuitBreaker`] looks like at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BreakerSnapshot {
    /// Whether calls are let through. An open circuit whose rest is over shows as half-open.
    pub circuit: Circuit,
    /// How long a call would have to stay away now; none if it would be let through.
    pub retry_after: Option<Duration>,
    /// The failures that count towards opening.
    pub failures: u32,
    /// The calls that they are a share of; with failures in a row, the same number.
    pub calls: u32,
    /// The probes that are under way.
    pub probes: u32,
    /// Changes of the circuit since the start; wraps around.
    pub generation: u32,
    /// Calls that were rejected since the start; wraps around.
    pub rejected: u32,
}

impl CircuitBreaker {
    /// Opens after five failures in a row, rests for ten seconds, and closes after one successful probe.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            fast: Word::new(0),
            rejected: Word::new(0),
            machine: Lock::new(Machine::new()),
            settings: Settings::new(),
            name: "",
            on_change: None,
        }
    }

    /// Names the circuit in events.
    #[must_use]
    pub const fn name(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Calls a function at each change of the circuit, from the thread whose call changed it and outside of the lock.
    ///
    /// ```
    /// use backoff_core::guard::{Circuit, CircuitBreaker};
    /// static BREAKER: CircuitBreaker =
    ///     CircuitBreaker::new().name("billing").on_change(|change| eprintln!("{}: {:?}", change.name, change.to));
    /// ```
    #[must_use]
    pub const fn on_change(mut self, hook: fn(&CircuitChange)) -> Self {
        self.on_change = Some(hook);
        self
    }

    /// Lets a call through, or says how long to stay away. Reads the clock only if the circuit is not closed.
    ///
    /// # Errors
    /// When the circuit is open, or half-open and all probes are under way.
    ///
    /// ```
    /// use backoff_core::guard::{CircuitBreaker, Moment};
    /// let breaker = CircuitBreaker::new();
    /// let permit = breaker.admit(Moment::now)?;
    /// // .. the call ..
    /// permit.succeeded(Moment::now);
    /// # Ok::<(), backoff_core::guard::Rejected>(())
    /// ```
    #[inline]
    pub fn admit(&self, now: impl FnOnce() -> Moment) -> Result<Permit<'_>, Rejected> {
        let fast = self.fast.get();
        if fast & SHUT == 0 {
            return Ok(Permit::new(self, Ticket { generation: fast / GENERATION, is_probe: false }));
        }
        self.admit_probe(now())
    }

    #[cold]
    fn admit_probe(&self, now: Moment) -> Result<Permit<'_>, Rejected> {
        // A permit already, so that a hook that panics gives it back.
        let admit = |machine: &mut Machine, settings: &_| Ok(Permit::new(self, machine.admit(settings, now)?));
        match self.change(now, admit) {
            Ok(permit) => Ok(permit),
            Err(retry_after) => {
                self.rejected.count();
                Err(Rejected::circuit_open(retry_after))
            }
        }
    }

    /// Runs a call if the circuit lets it through; an `Err` counts as a failure. Without retries: for those, hand the breaker
    /// to a policy.
    ///
    /// # Errors
    /// The rejection outside, the call's own error inside: `breaker.call(|| ..)??`.
    ///
    /// ```
    /// use backoff_core::guard::CircuitBreaker;
    /// let breaker = CircuitBreaker::new();
    /// assert_eq!(breaker.call(|| Err::<u8, _>("down")), Ok(Err("down")));
    /// ```
    pub fn call<T, E>(&self, call: impl FnOnce() -> Result<T, E>) -> Result<Result<T, E>, Rejected> {
        let permit = self.admit(Moment::now)?;
        let result = call();
        permit.settle(result.is_ok(), Moment::now);
        Ok(result)
    }

    /// As [`call`](Self::call), for an async call. Dropping the future gives a probe's place back.
    ///
    /// # Errors
    /// The rejection outside, the call's own error inside.
    ///
    /// ```
    /// # use backoff_core::guard::CircuitBreaker;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let breaker = CircuitBreaker::new();
    /// assert_eq!(breaker.call_async(async || Ok::<_, ()>(7)).await, Ok(Ok(7)));
    /// # }
    /// ```
    pub async fn call_async<T, E, F>(&self, call: impl FnOnce() -> F) -> Result<Result<T, E>, Rejected>
    where
        F: Future<Output = Result<T, E>>,
    {
        let permit = self.admit(Moment::now)?;
        let result = call().await;
        permit.settle(result.is_ok(), Moment::now);
        Ok(result)
    }

    /// The circuit and its counts at that moment. Changes nothing.
    ///
    /// ```
    /// # use backoff_core::guard::{Circuit, CircuitBreaker, Moment};
    /// assert_eq!(CircuitBreaker::new().snapshot(Moment::now()).circuit, Circuit::Closed);
    /// ```
    #[must_use]
    pub fn snapshot(&self, now: Moment) -> BreakerSnapshot {
        let machine = *self.machine.lock();
        let (failures, calls) = machine.counts(self.settings.trip, now);
        let retry_after = machine.rest(&self.settings, now);
        let circuit = match machine.circuit {
            Circuit::Open if retry_after.is_none() => Circuit::HalfOpen,
            circuit => circuit,
        };
        BreakerSnapshot {
            circuit,
            retry_after,
            failures,
            calls,
            probes: machine.in_flight,
            generation: machine.generation,
            rejected: self.rejected.get(),
        }
    }

    #[inline]
    fn settle(&self, ticket: Ticket, success: bool, now: impl FnOnce() -> Moment) {
        let is_counted = !matches!(self.settings.trip, Trip::InARow(_));
        if success && !is_counted && self.fast.get() == ticket.generation * GENERATION {
            return;
        }
        self.settle_in_machine(ticket, success, now());
    }

    #[inline(never)]
    fn settle_in_machine(&self, ticket: Ticket, success: bool, now: Moment) {
        self.change(now, |machine, settings| {
            if success {
                machine.succeeded(settings, ticket, now);
            } else {
                machine.failed(settings, ticket, now);
            }
        });
    }

    #[inline]
    fn gave_back(&self, ticket: Ticket) {
        if ticket.is_probe {
            self.probe_gave_back(ticket);
        }
    }

    #[cold]
    fn probe_gave_back(&self, ticket: Ticket) {
        self.machine.lock().gave_back(ticket);
    }

    /// Runs one step of the machine, publishes what the fast path needs, and tells of a change outside of the lock.
    fn change<X>(&self, now: Moment, step: impl FnOnce(&mut Machine, &Settings) -> X) -> X {
        let (result, from, to) = {
            let mut machine = self.machine.lock();
            let from = machine.circuit;
            let result = step(&mut machine, &self.settings);
            let shut = if machine.circuit == Circuit::Closed { 0 } else { SHUT };
            let busy = if machine.is_clean() { 0 } else { BUSY };
            self.fast.set((machine.generation * GENERATION) | shut | busy);
            (result, from, machine.circuit)
        };
        if from != to {
            let open_for = self.settings.open_for;
            change::tell(&CircuitChange { name: self.name, from, to, at: now, open_for }, self.on_change);
        }
        result
    }
}

impl Default for CircuitBreaker {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for CircuitBreaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine = *self.machine.lock();
        f.debug_struct("CircuitBreaker")
            .field("name", &self.name)
            .field("circuit", &machine.circuit)
            .field("generation", &machine.generation)
            .finish_non_exhaustive()
    }
}
