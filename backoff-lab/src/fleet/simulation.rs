//! The loop: takes the next event, and lets the engine decide what follows.

mod guards;

use std::time::Duration;

use backoff_core::guard::{Moment, RetryTokens};
use backoff_core::random::{FromRng, Random};
use backoff_core::run::{Decision, Elapsed, Failure, Run};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::calendar::{Calendar, Event, Micros, What};
use super::crowd::Crowd;
use super::network::{Network, chance, whole};
use super::outcome::Outcome;
use super::scenario::{Load, Scenario, ScenarioError};
use super::server::{Server, Verdict};
use super::strategy::Strategy;

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The time in the simulation.
    pub time: Duration,
    /// When it stops at the latest.
    pub end: Duration,
    /// Requests so far.
    pub requests: u64,
    /// How many of them are settled: served or given up.
    pub settled: u64,
}

/// Simulates a fleet. The same scenario, strategy and seed give the same outcome.
///
/// # Errors
///
/// If the scenario can't be simulated, see [`Scenario::check`], or the guard of the strategy refuses a setting.
pub fn simulate(scenario: &Scenario, strategy: &Strategy, seed: u64) -> Result<Outcome, ScenarioError> {
    simulate_with(scenario, strategy, seed, &mut |_| ())
}

/// Like [`simulate`], and tells how far it is: at each 100 ms of simulated time.
///
/// ```
/// use backoff_lab::fleet::{Scenario, Strategy, simulate_with};
/// let scenario = Scenario { processes: 2, ..Scenario::herd() };
/// let mut settled = 0;
/// simulate_with(&scenario, &Strategy::full(&scenario), 1, &mut |progress| settled = progress.settled)?;
/// assert!(settled > 100);
/// # Ok::<(), backoff_lab::fleet::ScenarioError>(())
/// ```
///
/// # Errors
///
/// If the scenario can't be simulated, see [`Scenario::check`], or the guard of the strategy refuses a setting.
pub fn simulate_with(
    scenario: &Scenario,
    strategy: &Strategy,
    seed: u64,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, ScenarioError> {
    scenario.check()?;
    let mut simulation = Simulation::new(scenario, strategy, seed)?;
    simulation.run(progress);
    Ok(simulation.finish())
}

/// A request that is under way. Numbers are used again, so a long simulation needs no more than are under way at once.
#[derive(Clone, Copy)]
struct Request {
    run: Run,
    /// When its first attempt began.
    first: Micros,
    /// When its present attempt began.
    started: Micros,
    /// The last sleep.
    slept: Micros,
    process: u32,
}

struct Simulation<'a> {
    scenario: &'a Scenario,
    strategy: &'a Strategy,
    random: FromRng<SmallRng>,
    network: Network,
    calendar: Calendar,
    server: Server,
    crowd: Crowd,
    requests: Vec<Request>,
    unused: Vec<u32>,
    outcome: Outcome,
    herd: u64,
    end: Micros,
    now: Micros,
}

impl<'a> Simulation<'a> {
    fn new(scenario: &'a Scenario, strategy: &'a Strategy, seed: u64) -> Result<Self, ScenarioError> {
        let out = micros(scenario.server.outage_start)..micros(scenario.outage_end());
        Ok(Self {
            scenario,
            strategy,
            random: FromRng::new(SmallRng::seed_from_u64(seed)),
            network: Network::new(scenario.leg, scenario.leg_deviation),
            calendar: Calendar::new(),
            server: Server::new(&scenario.server, out),
            crowd: Crowd::new(scenario, &strategy.guard)?,
            requests: Vec::new(),
            unused: Vec::new(),
            outcome: Outcome::new(scenario),
            herd: 0,
            end: micros(scenario.end),
            now: 0,
        })
    }

    fn run(&mut self, progress: &mut dyn FnMut(Progress)) {
        const STEP: Micros = 100_000;
        let mut told = 0;
        match self.scenario.load {
            Load::Herd { tasks } => {
                self.herd = u64::from(tasks) * u64::from(self.scenario.processes);
                for _ in 0..self.herd {
                    self.request();
                }
            }
            Load::Traffic { .. } => self.next_request(),
        }
        while let Some(event) = self.calendar.next() {
            if event.at >= self.end {
                break;
            }
            self.now = event.at;
            if self.now / STEP > told {
                told = self.now / STEP;
                let settled = self.outcome.served + self.outcome.given_up;
                let time = Duration::from_micros(self.now);
                progress(Progress { time, end: self.scenario.end, requests: self.outcome.requests, settled });
            }
            self.happen(event);
        }
    }

    fn finish(mut self) -> Outcome {
        self.outcome.latencies.sort_unstable();
        self.outcome
    }

    fn happen(&mut self, event: Event) {
        match event.what {
            What::Request => {
                self.request();
                self.next_request();
            }
            What::Begin => self.begin(event.whom),
            What::Reach => self.reach(event.whom),
            What::Late { is_retry } => {
                self.arrive(is_retry);
            }
            What::Served => self.served(event.whom),
            What::Failed => self.failed(event.whom),
            What::Look => self.look(event.whom),
        }
    }

    /// Poisson traffic: the gaps are exponential.
    fn next_request(&mut self) {
        if let Load::Traffic { load, lasts } = self.scenario.load {
            let per_micro = load * self.scenario.server.capacity / 1_000.0;
            let gap = -(1.0 - self.chance()).ln() / per_micro;
            // Whole microseconds without drift: a fraction is rounded by chance.
            let gap = whole(gap + self.chance());
            // Hardly any load makes gaps that no clock can count.
            let next = self.now.saturating_add(gap);
            if next < micros(lasts) {
                self.calendar.add(next, What::Request, 0);
            }
        }
    }

    /// A new request, whose first attempt begins.
    fn request(&mut self) {
        let process = self.crowd.whose(self.outcome.requests, self.scenario.load, &self.random);
        let now = self.now;
        let request = Request { run: Run::new(), first: now, started: now, slept: 0, process };
        let whom = if let Some(whom) = self.unused.pop() {
            self.requests[index(whom)] = request;
            whom
        } else {
            self.requests.push(request);
            u32::try_from(self.requests.len() - 1).unwrap_or(u32::MAX)
        };
        self.outcome.requests += 1;
        self.outcome.slice(now).new += 1;
        if let Some(line) = self.crowd.lines.get_mut(index(process)) {
            line.clock.began(moment(now));
        }
        self.begin(whom);
    }

    /// An attempt wants to begin now.
    fn begin(&mut self, whom: u32) {
        let process = self.requests[index(whom)].process;
        if let Some(pacer) = self.crowd.pacers.get_mut(index(process)) {
            pacer.waiting.push_back(whom);
            self.pace(process);
        } else {
            self.call(whom);
        }
    }

    /// An attempt begins. A client that has given up before its call reaches the server hears nothing from it.
    fn call(&mut self, whom: u32) {
        let request = &mut self.requests[index(whom)];
        request.started = self.now;
        let is_retry = request.run.attempt() > 1;
        self.outcome.calls += 1;
        let (reached, timeout) = (self.now + self.leg(), self.now + micros(self.scenario.timeout));
        if reached < timeout {
            self.calendar.add(reached, What::Reach, whom);
        } else {
            self.calendar.add(timeout, What::Failed, whom);
            self.calendar.add(reached, What::Late { is_retry }, whom);
        }
    }

    fn reach(&mut self, whom: u32) {
        let Request { started, run, .. } = self.requests[index(whom)];
        let verdict = self.arrive(run.attempt() > 1);
        let timeout = started + micros(self.scenario.timeout);
        let leg = self.leg();
        let (at, what) = match verdict {
            Verdict::Served(after) => (self.now.saturating_add(after).saturating_add(leg), What::Served),
            Verdict::Refused => (self.now + leg, What::Failed),
            Verdict::Dropped => (Micros::MAX, What::Failed),
        };
        if at < timeout {
            self.calendar.add(at, what, whom);
        } else {
            self.calendar.add(timeout, What::Failed, whom);
        }
    }

    /// What becomes of a call that reaches the server now, whether anybody waits for it or not.
    fn arrive(&mut self, is_retry: bool) -> Verdict {
        let random = &self.random;
        let verdict = self.server.reached(self.now, || chance(random));
        let slice = self.outcome.slice(self.now);
        slice.arrived += 1;
        slice.retries += u32::from(is_retry);
        match verdict {
            Verdict::Served(_) => slice.served += 1,
            Verdict::Dropped => slice.dropped += 1,
            Verdict::Refused => {}
        }
        verdict
    }

    fn served(&mut self, whom: u32) {
        let Request { first, run, process, .. } = self.requests[index(whom)];
        let now = self.now;
        if let Some(budget) = self.crowd.budgets.get(index(process)) {
            budget.succeeded(None, &|| moment(now));
        }
        self.outcome.served += 1;
        self.outcome.latencies.push(u32::try_from(now - first).unwrap_or(u32::MAX));
        if run.attempt() == 1 {
            self.outcome.slice(first).new_served += 1;
        }
        self.note_herd();
        self.settled(whom, true);
        self.unused.push(whom);
    }

    fn note_herd(&mut self) {
        let since = Duration::from_micros(self.now).saturating_sub(self.scenario.outage_end());
        if self.herd > 0 && self.outcome.served * 100 >= self.herd * 99 && self.outcome.served_99.is_none() {
            self.outcome.served_99 = Some(since);
        }
        if self.herd > 0 && self.outcome.served == self.herd {
            self.outcome.served_all = Some(since);
        }
    }

    /// An attempt failed: the engine decides what follows, then the guard.
    fn failed(&mut self, whom: u32) {
        let now = self.now;
        let Request { mut run, first, started, process, .. } = self.requests[index(whom)];
        let budget = self.crowd.budgets.get(index(process));
        if let Some(budget) = budget {
            budget.failed(&|| moment(now));
        }
        // Whoever never got an answer was told nothing.
        let is_answered = now < started + micros(self.scenario.timeout);
        let hint = if self.strategy.hints && is_answered { self.server.hint(now) } else { None };
        let failure = Failure::transient().hint(hint.map(Duration::from_micros));
        let elapsed = Elapsed::since_start(Duration::from_micros(now - first));
        let decision = run.failed(&self.strategy.policy, failure, elapsed, &self.random);
        self.requests[index(whom)].run = run;
        let Decision::Sleep(pause) = decision else {
            self.settled(whom, false);
            return self.give_up(whom);
        };
        let others_wait = self.crowd.lines.get(index(process)).is_some_and(|line| !line.calls.is_empty());
        let budget = self.crowd.budgets.get(index(process)).filter(|_| !others_wait);
        let allowed = budget.map(|budget| budget.take(&|| moment(now)).is_some());
        let waits = !self.crowd.lines.is_empty() && allowed != Some(true);
        self.settled(whom, false);
        if waits {
            self.wait(whom);
        } else if allowed == Some(false) {
            self.give_up(whom);
        } else {
            // A sleep too short for the clock lasts one of its ticks, or time would stand still where messages take none.
            let sleep = self.sleep(whom, micros(pause.sleep)).max(1);
            self.calendar.add(now.saturating_add(sleep), What::Begin, whom);
        }
    }

    /// The sleep as the strategy has it: the engine's, or decorrelated.
    fn sleep(&mut self, whom: u32, engine: Micros) -> Micros {
        let policy = &self.strategy.policy;
        let request = &mut self.requests[index(whom)];
        request.slept = if self.strategy.decorrelated && !request.run.is_last() {
            let (base, cap) = (micros(policy.get_initial()), policy.get_max_delay().map_or(Micros::MAX, micros));
            let most = request.slept.max(base).saturating_mul(3);
            let drawn = u64::try_from(self.random.draw(u128::from(most - base))).unwrap_or(0);
            (base + drawn).min(cap)
        } else {
            engine
        };
        request.slept
    }

    fn give_up(&mut self, whom: u32) {
        self.outcome.given_up += 1;
        self.unused.push(whom);
    }

    fn leg(&mut self) -> Micros {
        self.network.leg(&self.random)
    }

    fn chance(&self) -> f64 {
        chance(&self.random)
    }
}

pub(super) fn moment(at: Micros) -> Moment {
    Moment::at(Duration::from_micros(at))
}

pub(super) fn micros(time: Duration) -> Micros {
    Micros::try_from(time.as_micros()).unwrap_or(Micros::MAX)
}

fn index(whom: u32) -> usize {
    whom as usize
}
