//! The guards of a process that need more than an answer: the line of waiting calls, and the pacer.

use std::time::Duration;

use backoff_core::guard::{Moment, Settled, Slot};
use backoff_core::run::{Elapsed, Run};

use super::{Micros, Request, Simulation, index, micros, moment};
use crate::fleet::calendar::What;

impl Simulation<'_> {
    /// Lets the calls go whose turn has come.
    pub(super) fn pace(&mut self, process: u32) {
        let now = moment(self.now);
        loop {
            let paced = &mut self.crowd.pacers[index(process)];
            let Some(&whom) = paced.waiting.front() else { return };
            if let Err(due) = paced.pacer.try_reserve(now, 1) {
                // Rounded up, or the turn would not have come yet.
                let due = micros(due.since(Moment::at(Duration::ZERO)).saturating_add(Duration::from_nanos(999)));
                if paced.look != due {
                    paced.look = due;
                    self.calendar.add(due, What::Look, process);
                }
                return;
            }
            paced.waiting.pop_front();
            self.call(whom);
        }
    }

    /// Tells them how an attempt ended, and lets those go that may.
    pub(super) fn settled(&mut self, whom: u32, succeeded: bool) {
        let Request { run, started, process, .. } = self.requests[index(whom)];
        let now = self.now;
        if let Some(paced) = self.crowd.pacers.get(index(process)) {
            paced.pacer.settle(Slot::starting(moment(started)), succeeded, || moment(now));
            self.pace(process);
        }
        let Some(line) = self.crowd.lines.get_mut(index(process)) else { return };
        let attempts = if succeeded { run.attempt() } else { run.attempt() - 1 };
        let settled = Settled { succeeded, is_retry: attempts > 1, began: moment(started) };
        let (policy, random) = (&self.strategy.policy, &self.random);
        let releases = line.clock.settled(settled, moment(now), random, |k| policy.sleep(k, random));
        for _ in 0..releases {
            if !self.release(process) {
                break;
            }
        }
        self.arm(process);
    }

    pub(super) fn wait(&mut self, whom: u32) {
        let process = self.requests[index(whom)].process;
        self.crowd.lines[index(process)].calls.push_back(whom);
        self.arm(process);
    }

    /// Lets the first of the line go, and gives those up whose time is over.
    fn release(&mut self, process: u32) -> bool {
        while let Some(whom) = self.crowd.lines[index(process)].calls.pop_front() {
            let elapsed = Elapsed::since_start(Duration::from_micros(self.now - self.requests[index(whom)].first));
            if Run::remaining(&self.strategy.policy, elapsed) == Some(Duration::ZERO) {
                self.give_up(whom);
            } else {
                self.begin(whom);
                return true;
            }
        }
        false
    }

    /// Makes sure that somebody looks at the line when its probe is due.
    fn arm(&mut self, process: u32) {
        let now = self.now;
        let line = &mut self.crowd.lines[index(process)];
        let probe = line.clock.probe().map(|probe| micros(probe.since(Moment::at(Duration::ZERO))).max(now));
        if let Some(probe) = probe.filter(|probe| !line.calls.is_empty() && line.look != *probe) {
            line.look = probe;
            self.calendar.add(probe, What::Look, process);
        }
    }

    pub(super) fn look(&mut self, process: u32) {
        if let Some(pacer) = self.crowd.pacers.get_mut(index(process)) {
            if pacer.look == self.now {
                pacer.look = Micros::MAX;
                self.pace(process);
            }
            return;
        }
        let line = &mut self.crowd.lines[index(process)];
        if line.look != self.now || line.calls.is_empty() {
            return;
        }
        line.look = Micros::MAX;
        line.clock.probed();
        if !self.release(process) {
            // All of them were too late.
            self.crowd.lines[index(process)].clock.abandoned(moment(self.now));
        }
    }
}
