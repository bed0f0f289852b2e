//! What the contract says of a run, worked out as plainly as can be. C1 to C17 are its rules; the comments say where.

use backoff_core::{FinalSleep, Jitter, Reason};

use crate::case::{Case, LONGEST, Op, Wake};
use crate::growth::Growth;
use crate::{End, Event};

/// The longest sum of sleeps that is kept: 584 years.
const LONGEST_SUM: u128 = u64::MAX as u128;
/// The shortest sleep with jitter.
const SHORTEST: u128 = 1_000;

/// Everything that can be seen of that run, by the contract.
#[must_use]
pub fn expected(case: &Case) -> Vec<Event> {
    let growth = Growth::new(case.initial, case.multiplier, case.max_delay.unwrap_or(LONGEST));
    // C2: the clock is read once at the start.
    let mut run = Run { case, clock: 0, log: vec![Event::Read], growth, draws: 0, slept: 0, last: None };
    // C1: the first attempt starts at once; they are counted from 1.
    for attempt in 1.. {
        let failure = match run.attempt(attempt) {
            Attempted::Succeeded => {
                run.log.push(Event::Success { attempts: count(attempt), slept: run.slept });
                run.log.push(Event::Returned(attempt));
                break;
            }
            Attempted::Failed(failure) => failure,
        };
        // C2: and once for each failed attempt.
        run.log.push(Event::Read);
        match run.decide(attempt, &failure) {
            Ok(sleep) => run.sleep(attempt, sleep, &failure),
            Err((reason, hint)) => {
                let (elapsed, slept) = (run.elapsed(), run.slept);
                let end = End { reason, attempts: count(attempt), elapsed, slept, hint, failure: failure.call };
                run.log.push(Event::GiveUp(end.clone()));
                run.log.push(Event::Failed(end));
                break;
            }
        }
    }
    run.log
}

struct Run<'a> {
    case: &'a Case,
    /// What the clock shows; it showed zero at the start.
    clock: i128,
    log: Vec<Event>,
    growth: Growth,
    draws: usize,
    slept: u128,
    /// Why the run is over after the attempt that follows a trimmed sleep.
    last: Option<Reason>,
}

struct Failure {
    transient: bool,
    hint: Option<u128>,
    /// None if the attempt was cut.
    call: Option<usize>,
}

enum Attempted {
    Succeeded,
    Failed(Failure),
}

impl Run<'_> {
    /// C13: a clock that is before its start shows that nothing has passed.
    fn elapsed(&self) -> u128 {
        u128::try_from(self.clock).unwrap_or(0).min(LONGEST)
    }

    /// C14: the nearer of budget and deadline, counted from the start, and its name.
    fn end(&self) -> Option<(u128, Reason)> {
        let deadline = self.case.deadline.map(|at| u128::try_from(at).unwrap_or(0).min(LONGEST));
        match (self.case.budget, deadline) {
            (Some(budget), Some(deadline)) if deadline < budget => Some((deadline, Reason::Deadline)),
            (Some(budget), _) => Some((budget, Reason::Budget)),
            (None, Some(deadline)) => Some((deadline, Reason::Deadline)),
            (None, None) => None,
        }
    }

    fn attempt(&mut self, attempt: usize) -> Attempted {
        let step = self.case.step(attempt);
        let limit = self.case.timeout.map(|timeout| self.limit(timeout));
        if let Some(limit) = limit {
            self.log.push(Event::Timer(limit));
        }
        self.log.push(Event::Attempt(attempt));
        // C15: what takes longer is cut, and that is a failure that may be retried.
        let is_cut = limit.is_some_and(|limit| step.takes > limit);
        self.clock += signed(if is_cut { limit.unwrap_or(0) } else { step.takes }) + step.shift;
        if is_cut {
            return Attempted::Failed(Failure { transient: true, hint: None, call: None });
        }
        match step.op {
            Op::Succeeds => Attempted::Succeeded,
            Op::Fails { transient, hint } => {
                // C7: the predicate is asked once for each failure, and so is the source of hints.
                self.log.push(Event::Judged(attempt));
                self.log.push(Event::Hinted(attempt));
                Attempted::Failed(Failure { transient, hint, call: Some(attempt) })
            }
        }
    }

    /// C15: an attempt is cut at what remains, but never at once; the one after a trimmed sleep has its own time.
    fn limit(&mut self, timeout: u128) -> u128 {
        let Some((at, _)) = self.end() else { return timeout };
        self.log.push(Event::Read);
        // A deadline is on the clock, the budget counts from the start: a clock that ran back is further from the deadline.
        let of_budget = self.case.budget.map(|budget| budget.saturating_sub(self.elapsed()));
        let of_deadline =
            self.case.deadline.map(|deadline| u128::try_from(deadline - self.clock).unwrap_or(0).min(LONGEST));
        let remaining = of_budget.into_iter().chain(of_deadline).min().unwrap_or(at);
        if self.last.is_some() || remaining == 0 { timeout } else { timeout.min(remaining) }
    }

    /// The sleep that follows, or why none does.
    fn decide(&mut self, attempt: usize, failure: &Failure) -> Result<Sleep, (Reason, Option<u128>)> {
        // C3: growth goes on underneath whatever happens.
        let delay = self.growth.next();
        // C7: a permanent failure ends the run, whatever the server asks for (C6).
        if !failure.transient {
            return Err((Reason::NotRetryable, None));
        }
        // C1: no sleep follows the last attempt.
        if self.case.max_attempts == Some(count(attempt)) {
            return Err((Reason::Attempts, None));
        }
        // C5: after a trimmed sleep comes one attempt.
        if let Some(reason) = self.last {
            return Err((reason, None));
        }
        // C2, C13: what was slept has passed, even if the clock does not show it.
        let passed = self.elapsed().max(self.slept);
        let end = self.end().map(|(at, reason)| (at.saturating_sub(passed), reason));
        if let Some((0, reason)) = end {
            return Err((reason, None));
        }
        let remaining = end.map(|(remaining, _)| remaining);
        // C6: a wish of zero is none; one that is too long or does not fit ends the run.
        let hint = failure.hint.filter(|hint| *hint > 0);
        if let Some(hint) = hint {
            if hint > self.case.max_hint || remaining.is_some_and(|remaining| hint > remaining) {
                return Err((Reason::Hint, Some(hint)));
            }
        }
        let planned = self.jittered(delay, hint);
        // C5: a sleep that reaches the end is the last.
        if let Some((remaining, reason)) = end {
            if planned >= remaining {
                let nanos = self.trimmed(remaining, hint.unwrap_or(0)).ok_or((reason, None))?;
                self.last = Some(reason);
                return Ok(Sleep { nanos, remaining: Some(remaining) });
            }
        }
        Ok(Sleep { nanos: planned.min(LONGEST), remaining })
    }

    /// C4: floor and width; on top of a hint only the width; at least a microsecond, at most the cap.
    fn jittered(&mut self, delay: u128, hint: Option<u128>) -> u128 {
        let floor = match self.case.jitter {
            Jitter::None => delay,
            Jitter::Full => 0,
            Jitter::Equal => delay / 2,
        };
        let drawn = self.draw(delay - floor);
        match hint {
            Some(hint) if self.case.jitter == Jitter::None => hint,
            Some(hint) => (hint + drawn).max(SHORTEST),
            None if self.case.jitter == Jitter::None => delay,
            None => (floor + drawn).max(SHORTEST).min(self.case.max_delay.unwrap_or(LONGEST)),
        }
    }

    /// C5: all that remains, a random part of its second half that keeps the hint, or nothing.
    fn trimmed(&mut self, remaining: u128, hint: u128) -> Option<u128> {
        let default = if self.case.jitter == Jitter::None { FinalSleep::Trim } else { FinalSleep::Spread };
        match self.case.final_sleep.unwrap_or(default) {
            FinalSleep::Skip => None,
            FinalSleep::Trim => Some(remaining),
            FinalSleep::Spread => {
                let floor = (remaining / 2).max(hint);
                // C12: where there is nothing to draw the engine still asks, of a width of zero.
                let drawn = self.drawn(remaining - floor);
                Some((floor + drawn).max(SHORTEST).min(remaining))
            }
        }
    }

    /// C4: one draw for a sleep; none where there is nothing to draw.
    fn draw(&mut self, width: u128) -> u128 {
        if width == 0 { 0 } else { self.drawn(width) }
    }

    fn drawn(&mut self, width: u128) -> u128 {
        self.log.push(Event::Draw(width));
        let draws = &self.case.draws;
        let part = draws[self.draws % draws.len()];
        self.draws += 1;
        width * u128::from(part) / 255
    }

    /// C9: observers hear of the sleep before it, as it will be slept. C13: it is handed over in one piece.
    fn sleep(&mut self, attempt: usize, sleep: Sleep, failure: &Failure) {
        let Sleep { nanos, remaining } = sleep;
        let (elapsed, failure) = (self.elapsed(), failure.call);
        self.log.push(Event::Retry { attempt: count(attempt), delay: nanos, elapsed, remaining, failure });
        self.log.push(Event::Timer(nanos));
        self.slept = (self.slept + nanos).min(LONGEST_SUM);
        self.clock += match self.case.step(attempt).wake {
            Wake::InTime => signed(nanos),
            Wake::Part(part) => signed(nanos * u128::from(part) / 255),
            Wake::Late(more) => signed(nanos + more),
            Wake::Back(by) => -signed(by),
        };
    }
}

#[derive(Clone, Copy)]
struct Sleep {
    nanos: u128,
    remaining: Option<u128>,
}

fn count(attempt: usize) -> u32 {
    u32::try_from(attempt).expect("cases are short")
}

fn signed(nanos: u128) -> i128 {
    i128::try_from(nanos).expect("durations have 94 bits")
}
