//! Calls of one process that contend for one record.
//!
//! Optimistic concurrency: a call reads the version of the record, writes with that version, and fails if another one was
//! faster. Each of the four messages takes a leg of the network. Everybody shares one line, so this is where calls that
//! know of each other can do better than any jitter.

use std::collections::VecDeque;
use std::time::Duration;

use backoff_core::guard::{Moment, RetryBudget, RetryTokens, Settled, SuccessClock};
use backoff_core::random::FromRng;
use backoff_core::run::{Decision, Elapsed, Failure, Run};
use backoff_core::{ExponentialBackoff, Jitter};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::calendar::{Calendar, Event, Micros, What};
use super::network::Network;
use super::simulation::{micros, moment};

/// What it cost to change the record once for each call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contended {
    /// Writes for each call, successful or not.
    pub calls: f64,
    /// When the last was done.
    pub time: Duration,
}

/// 10 ms doubling to 2 s, without end.
const POLICY: ExponentialBackoff = ExponentialBackoff::new()
    .initial(Duration::from_millis(10))
    .max_delay(Duration::from_secs(2))
    .jitter(Jitter::Full)
    .unlimited();

/// So many calls begin at once, with full jitter; if they are `lined`, under the preset for fleets.
///
/// ```
/// use backoff_lab::fleet::record::contended;
/// assert!(contended(20, true, 1).calls < contended(20, false, 1).calls);
/// ```
#[must_use]
pub fn contended(calls: u32, lined: bool, seed: u64) -> Contended {
    let mut record = Record {
        random: FromRng::new(SmallRng::seed_from_u64(seed)),
        network: Network::new(Duration::from_millis(10), Duration::from_millis(2)),
        calendar: Calendar::new(),
        version: 0,
        clients: vec![Client { run: Run::new(), seen: 0, began: 0 }; calls as usize],
        line: lined.then(Line::default),
        writes: 0,
        now: 0,
    };
    for client in 0..calls {
        if let Some(line) = &mut record.line {
            line.clock.began(moment(0));
        }
        record.begin(client);
    }
    while let Some(event) = record.calendar.next() {
        record.now = event.at;
        record.happen(event);
    }
    Contended { calls: f64::from(record.writes) / f64::from(calls.max(1)), time: Duration::from_micros(record.now) }
}

#[derive(Clone, Copy)]
struct Client {
    run: Run,
    seen: u32,
    began: Micros,
}

#[derive(Default)]
struct Line {
    clock: SuccessClock,
    budget: RetryBudget,
    waiting: VecDeque<u32>,
}

struct Record {
    random: FromRng<SmallRng>,
    network: Network,
    calendar: Calendar,
    version: u32,
    clients: Vec<Client>,
    line: Option<Line>,
    writes: u32,
    now: Micros,
}

impl Record {
    fn client(&mut self, whom: u32) -> &mut Client {
        &mut self.clients[whom as usize]
    }

    /// The read reaches the record after a leg.
    fn begin(&mut self, whom: u32) {
        self.client(whom).began = self.now;
        let leg = self.network.leg(&self.random);
        self.calendar.add(self.now + leg, What::Request, whom);
    }

    fn happen(&mut self, Event { what, whom, .. }: Event) {
        match what {
            What::Begin => self.begin(whom),
            // The record is read; there and back again, the write arrives.
            What::Request => {
                self.client(whom).seen = self.version;
                let legs = self.network.leg(&self.random) + self.network.leg(&self.random);
                self.calendar.add(self.now + legs, What::Reach, whom);
            }
            What::Reach => {
                self.writes += 1;
                let fits = self.client(whom).seen == self.version;
                self.version += u32::from(fits);
                let leg = self.network.leg(&self.random);
                self.calendar.add(self.now + leg, if fits { What::Served } else { What::Failed }, whom);
            }
            What::Served => self.settled(whom, true),
            What::Failed => self.failed(whom),
            What::Look => self.look(),
            // Nobody here gives up waiting for an answer.
            What::Late { .. } => {}
        }
    }

    fn failed(&mut self, whom: u32) {
        let now = self.now;
        let elapsed = Elapsed::since_start(Duration::from_micros(now));
        let mut run = self.client(whom).run;
        let decision = run.failed(&POLICY, Failure::transient(), elapsed, &self.random);
        self.client(whom).run = run;
        self.settled(whom, false);
        let Decision::Sleep(pause) = decision else { return };
        if let Some(line) = &mut self.line {
            line.budget.failed(&|| moment(now));
            if !line.waiting.is_empty() || line.budget.take(&|| moment(now)).is_none() {
                line.waiting.push_back(whom);
                return self.arm();
            }
        }
        self.calendar.add(now + micros(pause.sleep), What::Begin, whom);
    }

    fn settled(&mut self, whom: u32, succeeded: bool) {
        let Client { run, began, .. } = *self.client(whom);
        let now = self.now;
        let Some(line) = &mut self.line else { return };
        if succeeded {
            line.budget.succeeded(None, &|| moment(now));
        }
        let is_retry = run.attempt() > if succeeded { 1 } else { 2 };
        let random = &self.random;
        let settled = Settled { succeeded, is_retry, began: moment(began) };
        let releases = line.clock.settled(settled, moment(now), random, |k| POLICY.sleep(k, random));
        for _ in 0..releases {
            self.release();
        }
        self.arm();
    }

    fn release(&mut self) {
        if let Some(whom) = self.line.as_mut().and_then(|line| line.waiting.pop_front()) {
            self.begin(whom);
        }
    }

    fn arm(&mut self) {
        let Some(line) = self.line.as_ref().filter(|line| !line.waiting.is_empty()) else { return };
        if let Some(probe) = line.clock.probe() {
            let at = micros(probe.since(Moment::at(Duration::ZERO))).max(self.now);
            self.calendar.add(at, What::Look, 0);
        }
    }

    fn look(&mut self) {
        let now = moment(self.now);
        let Some(line) = &mut self.line else { return };
        if !line.waiting.is_empty() && line.clock.probe().is_some_and(|probe| probe <= now) {
            line.clock.probed();
            self.release();
        }
    }
}
