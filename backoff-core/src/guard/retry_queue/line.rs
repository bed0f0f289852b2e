//! The line of a retry queue, which threads and futures share.

use core::fmt;
use core::time::Duration;

use super::{Settled, SuccessClock};
use crate::ExponentialBackoff;
use crate::error::Reason;
use crate::guard::line::{Line, Place, Queued, Turn, until};
use crate::guard::lock::Lock;
use crate::guard::setting::{is_at_most, setting};
use crate::guard::{BudgetSnapshot, Moment, RetryBudget, RetryTokens};
use crate::random::Random;
use crate::run::Pause;

/// Lets failed calls wait in line, and retries them at the rate at which the service answers.
///
/// **Experimental:** what it is good for was found by simulation. Where it holds and where it does not is in `FLEET.md` of the
/// crate `backoff-lab`. The rules and settings may change.
///
/// First attempts go at once. While few calls fail, each sleeps as its policy says, within a [`RetryBudget`] of the queue's own; so
/// nothing changes as long as there is no outage. A call that this budget does not let retry, or that finds others waiting
/// already, is not given up: it waits in line, for the first of these:
///
/// - While first attempts are being made, each success earns a twentieth of a retry ([`share`](Self::share)), and whoever is at
///   the head of the line goes when a whole one is earned.
/// - Without new traffic, the success of a retry lets the next one go.
/// - While nothing succeeds, one call at a time goes as a probe, after the sleep that its policy would have had. A lone
///   client waits for nothing else, and so follows its policy.
///
/// The rules are those of [`SuccessClock`]. They and the settings that [`new`](Self::new) has were chosen on one list of simulated
/// conditions and judged on another. Under live traffic, with outages of 0.5 to 10 s at loads of 60 to 95 %, the queue was nowhere
/// below full jitter with a retry budget by more than 0.3 points, and above where that gives up what could be served; a herd
/// needed 2.3 calls per request where full jitter needs 8. At 95 % load it can take new traffic some seconds longer to be whole
/// again.
///
/// Each waiting call ends by its own budget, deadline and attempts; nobody is given up
/// for others. Where the server itself says when to come back, the call sleeps until then and does not wait in line. The delay
/// that observers are told is the policy's; the wait may be shorter or longer. If the line is full the call ends with its last
/// failure and [`Reason::RetryQueue`](crate::Reason::RetryQueue).
///
/// A constant, so it can be a `static`. One for each service that a process calls. An attempt takes a short lock twice; a call that
/// waits allocates once or twice. Attempts that succeed while nobody waits draw nothing.
///
/// ```
/// use backoff_core::guard::RetryQueue;
/// use backoff_core::{exponential_backoff, testing::VirtualTime};
///
/// static QUEUE: RetryQueue = RetryQueue::new();
///
/// #[exponential_backoff(retry_queue = QUEUE, jitter = "full")]
/// fn load(answers: &mut Vec<Option<u8>>) -> Option<u8> {
///     answers.pop()?
/// }
///
/// let time = VirtualTime::new();
/// let _virtual = time.enter();
/// assert_eq!(load(&mut vec![Some(7), None, None]), Some(7));
/// assert_eq!(QUEUE.snapshot().waiting, 0);
/// ```
pub struct RetryQueue {
    state: Lock<State>,
    settings: SuccessClock,
    /// For the retries that need not wait.
    free: RetryBudget,
    most: usize,
}

struct State {
    /// None until something happens: then it starts from the settings.
    clock: Option<SuccessClock>,
    line: Line,
    /// Counts what was done to the two.
    changes: u32,
}

/// What a [`RetryQueue`] looks like at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QueueSnapshot {
    /// Calls that wait in line.
    pub waiting: usize,
    /// When the first of them may go as a probe; none while a probe is under way, or if nothing has failed yet.
    pub next_probe: Option<Moment>,
    /// The budget for the retries that need not wait.
    pub free: BudgetSnapshot,
}

/// A call that waits, and when its last attempt is due, if its run ends with the next.
#[derive(Debug)]
pub(crate) struct Retry<'q> {
    queue: &'q RetryQueue,
    last: Option<Moment>,
}

impl RetryQueue {
    /// The preset: retries that need not wait within ten tokens and a tenth for each success, a twentieth of a retry for each
    /// success after that, and room for 10,000 calls.
    #[must_use]
    pub const fn new() -> Self {
        let state = State { clock: None, line: Line::new(), changes: 0 };
        Self { state: Lock::new(state), settings: SuccessClock::new(), free: RetryBudget::new(), most: 10_000 }
    }

    setting! {
        /// Sets how many calls may wait: at least 1, by default 10,000.
        ///
        /// ```
        /// # use backoff_core::guard::RetryQueue;
        /// static QUEUE: RetryQueue = RetryQueue::new().capacity(100);
        /// ```
        capacity / try_capacity(self, calls: usize)
            if calls >= 1, else "`capacity` of a retry queue must be at least 1";
            self.most = calls
    }

    setting! {
        /// Sets what a success earns while there is new traffic, in thousandths of a retry: from 1 to 1,000, by default 50.
        ///
        /// ```
        /// # use backoff_core::guard::RetryQueue;
        /// static QUEUE: RetryQueue = RetryQueue::new().share(100);
        /// ```
        share / try_share(self, thousandths: u16)
            if matches!(thousandths, 1..=1_000), else "`share` of a retry queue must be from 1 to 1,000 thousandths";
            self.settings = self.settings.share(thousandths)
    }

    /// Sets the budget within which calls sleep by themselves and do not wait in line.
    ///
    /// ```
    /// # use backoff_core::guard::{RetryBudget, RetryQueue};
    /// static QUEUE: RetryQueue = RetryQueue::new().free(RetryBudget::new().max_tokens(100));
    /// ```
    #[must_use]
    pub const fn free(mut self, budget: RetryBudget) -> Self {
        self.free = budget;
        self
    }

    setting! {
        /// Sets how long new traffic is waited for at most, before retries are clocked by retries: up to an hour, by default 10 s.
        ///
        /// ```
        /// # use backoff_core::guard::RetryQueue;
        /// # use std::time::Duration;
        /// static QUEUE: RetryQueue = RetryQueue::new().patience(Duration::from_secs(5));
        /// ```
        patience / try_patience(self, patience: Duration)
            if is_at_most(patience, 3_600), else "`patience` of a retry queue must be at most an hour";
            self.settings = self.settings.patience(patience)
    }

    /// Who waits.
    #[must_use]
    pub fn snapshot(&self) -> QueueSnapshot {
        let state = self.state.lock();
        QueueSnapshot {
            waiting: state.line.len(),
            next_probe: state.clock.and_then(|clock| clock.probe()),
            free: self.free.snapshot(),
        }
    }

    /// A run begins its first attempt.
    pub(crate) fn began(&self, now: Moment) {
        self.with(|clock, _| clock.began(now));
    }

    /// An attempt ended.
    pub(crate) fn settled<R: Random>(&self, attempt: Settled, now: Moment, policy: &ExponentialBackoff, random: &R) {
        if attempt.succeeded {
            self.free.succeeded(None, &|| now);
        } else {
            self.free.failed(&|| now);
        }
        loop {
            let (before, mut clock, is_empty) = {
                let mut state = self.state.lock();
                let clock = *state.clock.get_or_insert(self.settings);
                (state.changes, clock, state.line.is_empty())
            };
            // Where nobody waits a success draws nothing: who comes to wait has failed, and draws then.
            let is_idle = attempt.succeeded && is_empty;
            let sleep = |k| if is_idle { policy.delay(k) } else { policy.sleep(k, random) };
            // Outside of the lock, because the generator is anybody's code. If the clock moved meanwhile, once more.
            let releases = clock.settled(attempt, now, random, sleep);
            let mut state = self.state.lock();
            if state.changes == before {
                state.clock = Some(clock);
                state.changes = state.changes.wrapping_add(1);
                (0..releases).for_each(|_| state.line.call_first());
                // The time of the probe may have moved.
                state.line.ring_head();
                return;
            }
        }
    }

    /// The attempt of a probe begins.
    pub(crate) fn probes(&self, now: Moment) {
        self.with(|clock, _| clock.probes(now));
    }

    /// A probe was dropped or cancelled and has no end to tell of.
    pub(crate) fn abandoned(&self, began: Moment) {
        self.with(|clock, line| {
            clock.abandoned(began);
            line.ring_head();
        });
    }

    /// A place in line for a call that has to wait, or why there is to be no retry.
    pub(crate) fn join(&self, now: Moment, pause: &Pause, is_last: bool) -> Result<Option<Place<Retry<'_>>>, Reason> {
        self.with(|_, line| {
            // Where others wait already the budget is not asked: near the limit of a service it would set thousands free at once.
            if line.is_empty() && self.free.take(&|| now).is_some() {
                return Ok(None);
            }
            if line.len() >= self.most {
                return Err(Reason::RetryQueue);
            }
            let last = is_last.then(|| now.after(pause.sleep));
            Ok(Some(Place::new(Retry { queue: self, last }, line.join())))
        })
    }

    fn with<X>(&self, change: impl FnOnce(&mut SuccessClock, &mut Line) -> X) -> X {
        let mut state = self.state.lock();
        state.changes = state.changes.wrapping_add(1);
        let State { clock, line, .. } = &mut *state;
        change(clock.get_or_insert(self.settings), line)
    }
}

impl Queued for Retry<'_> {
    fn turn(&self, number: u64, now: Moment, left: Option<Duration>) -> Turn {
        self.queue.with(|clock, line| {
            if !line.contains(number) {
                return Turn::Go;
            }
            clock.look(now);
            let mut wait = None;
            if line.is_head(number) {
                // A run that ends anyway makes its last attempt when its own sleep is over, if no probe is under way.
                let due = clock.probe().map(|probe| self.last.map_or(probe, |last| last.min(probe)));
                if due.is_some_and(|due| due <= now) {
                    clock.probed();
                    line.leave(number);
                    return Turn::Probe;
                }
                wait = due.map(|due| due.since(now));
            }
            if left.is_some_and(|left| left.is_zero()) {
                line.leave(number);
                return Turn::Over;
            }
            Turn::Wait(until(wait, left), line.bell(number))
        })
    }

    /// Whoever was called and does not go hands its turn on.
    fn leave(&self, number: u64) {
        self.queue.with(|_, line| {
            if line.contains(number) {
                line.leave(number);
            } else {
                line.call_first();
            }
        });
    }
}

impl Default for RetryQueue {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for RetryQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RetryQueue").field(&self.snapshot()).finish()
    }
}
