//! A line of waiting calls: first come, first served.
//!
//! Only the call at the head needs a timer; the others sleep until they are called or their own run ends. Who leaves, for
//! whatever reason, calls the next, so a call that is dropped or cancelled holds nobody up.

use core::pin::pin;
use core::task::{Poll, Waker};
use core::time::Duration;
use std::collections::VecDeque;
#[cfg(not(loom))]
use std::sync::Mutex;
use std::sync::{Arc, PoisonError};

#[cfg(loom)]
use loom::sync::Mutex;

use super::{Moment, Origin};
use crate::CancelToken;
use crate::clock::{AsyncSleep, Cancellation, Clock, Sleep};

/// The calls that wait, the first at the front, so their numbers rise.
pub(super) struct Line {
    calls: VecDeque<Call>,
    next: u64,
}

struct Call {
    number: u64,
    /// None until it sleeps.
    bell: Option<Arc<Bell>>,
}

/// Wakes one waiting call, thread or future, once.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    rung: CancelToken,
    waker: Mutex<Option<Waker>>,
}

/// What a waiting call does next.
pub(crate) enum Turn {
    /// It is its turn.
    Go,
    /// It may go to see whether the others may follow, who wait for how it ends.
    Probe,
    /// Its run is over before its turn comes.
    Over,
    /// It sleeps for that long or until the bell, and asks again.
    Wait(Duration, Arc<Bell>),
}

/// A guard that lets calls wait in a line.
pub(crate) trait Queued {
    /// Whether it is the turn of a call, which leaves the line if it is, or if its run is over.
    fn turn(&self, number: u64, now: Moment, left: Option<Duration>) -> Turn;

    /// A call leaves without having had its turn.
    fn leave(&self, number: u64);
}

/// A call in the line of a guard. Dropped, it leaves.
pub(crate) struct Place<Q: Queued> {
    queue: Q,
    /// None once it has left.
    number: Option<u64>,
}

/// How waiting ended, and how long it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    Turn(Duration),
    Probe(Duration),
    Over(Duration),
    Cancelled,
}

impl Line {
    pub(super) const fn new() -> Self {
        Self { calls: VecDeque::new(), next: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    pub(super) fn join(&mut self) -> u64 {
        let number = self.next;
        self.next += 1;
        self.calls.push_back(Call { number, bell: None });
        number
    }

    fn find(&self, number: u64) -> Option<usize> {
        self.calls.binary_search_by_key(&number, |call| call.number).ok()
    }

    pub(super) fn contains(&self, number: u64) -> bool {
        self.find(number).is_some()
    }

    pub(super) fn is_head(&self, number: u64) -> bool {
        self.calls.front().is_some_and(|head| head.number == number)
    }

    /// A new bell for a call that is about to sleep.
    pub(super) fn bell(&mut self, number: u64) -> Arc<Bell> {
        let bell = Arc::new(Bell::default());
        if let Some(place) = self.find(number) {
            self.calls[place].bell = Some(Arc::clone(&bell));
        }
        bell
    }

    /// Takes a call out, and rings for the next if that is now at the head.
    pub(super) fn leave(&mut self, number: u64) {
        if let Some(place) = self.find(number) {
            self.calls.remove(place);
            if place == 0 {
                self.ring_head();
            }
        }
    }

    /// Takes the first call out and rings for it.
    pub(super) fn call_first(&mut self) {
        if let Some(Call { bell: Some(bell), .. }) = self.calls.pop_front() {
            bell.ring();
        }
    }

    /// Lets the head look again, because what it waits for has moved.
    pub(super) fn ring_head(&self) {
        if let Some(Call { bell: Some(bell), .. }) = self.calls.front() {
            bell.ring();
        }
    }
}

impl Bell {
    fn ring(&self) {
        self.rung.cancel();
        let waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Waits that long or until it rings.
    async fn sleep<S: AsyncSleep>(&self, clock: &S, duration: Duration) {
        let mut timer = pin!(clock.sleep_async(duration));
        core::future::poll_fn(|context| {
            // The waker first: what rings in between is then seen below.
            *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(context.waker().clone());
            if self.rung.is_cancelled() {
                return Poll::Ready(());
            }
            timer.as_mut().poll(context)
        })
        .await;
    }
}

impl<Q: Queued> Place<Q> {
    pub(super) const fn new(queue: Q, number: u64) -> Self {
        Self { queue, number: Some(number) }
    }

    fn turn(&mut self, wait: &Wait) -> Turn {
        let Some(number) = self.number else { return Turn::Over };
        let turn = self.queue.turn(number, wait.now, wait.left());
        if !matches!(turn, Turn::Wait(..)) {
            self.number = None;
        }
        turn
    }

    /// Blocks until it is the turn of this call, its run ends or it is cancelled.
    pub(crate) fn wait<S: Sleep>(mut self, clock: &S, end: Option<Moment>) -> Waited
    where
        S::Instant: Origin,
    {
        let mut wait = Wait::begin(clock, end);
        loop {
            match self.turn(&wait) {
                Turn::Go => return Waited::Turn(wait.passed),
                Turn::Probe => return Waited::Probe(wait.passed),
                Turn::Over => return Waited::Over(wait.passed),
                Turn::Wait(duration, bell) => {
                    let duration = if clock.wakes() { duration } else { duration.min(LOOK) };
                    clock.sleep_unless(duration, &bell.rung);
                    if clock.cancellation() == Cancellation::Cancelled {
                        return Waited::Cancelled;
                    }
                    wait.slept(clock, duration, &bell);
                }
            }
        }
    }

    /// Waits until it is the turn of this call, or its run ends.
    pub(crate) async fn wait_async<S: AsyncSleep>(mut self, clock: &S, end: Option<Moment>) -> Waited
    where
        S::Instant: Origin,
    {
        let mut wait = Wait::begin(clock, end);
        loop {
            match self.turn(&wait) {
                Turn::Go => return Waited::Turn(wait.passed),
                Turn::Probe => return Waited::Probe(wait.passed),
                Turn::Over => return Waited::Over(wait.passed),
                Turn::Wait(duration, bell) => {
                    bell.sleep(clock, duration).await;
                    wait.slept(clock, duration, &bell);
                }
            }
        }
    }
}

impl<Q: Queued> Drop for Place<Q> {
    fn drop(&mut self) {
        if let Some(number) = self.number.take() {
            self.queue.leave(number);
        }
    }
}

/// The time of a call that waits.
struct Wait {
    /// The present, for what is waited for. A timer that wakes early makes nobody go early: the clock counts as long as it goes on.
    /// If it stands still or goes back, what was slept has passed all the same, or the call would wait for ever.
    now: Moment,
    /// What the clock showed last.
    shown: Moment,
    /// How long the call has waited, for its own end: what was slept, or what the clock shows if that is more.
    passed: Duration,
    /// The end of the run, counted from the start of the wait.
    most: Option<Duration>,
}

impl Wait {
    fn begin<C: Clock>(clock: &C, end: Option<Moment>) -> Self
    where
        C::Instant: Origin,
    {
        let now = Moment::of(clock);
        Self { now, shown: now, passed: Duration::ZERO, most: end.map(|end| end.since(now)) }
    }

    fn left(&self) -> Option<Duration> {
        self.most.map(|most| most.saturating_sub(self.passed))
    }

    /// A sleep is over. One that the bell cut has no known length.
    fn slept<C: Clock>(&mut self, clock: &C, duration: Duration, bell: &Bell)
    where
        C::Instant: Origin,
    {
        let slept = if bell.rung.is_cancelled() { Duration::ZERO } else { duration };
        let shows = Moment::of(clock);
        let by_clock = shows.since(self.shown);
        self.now = self.now.after(if by_clock.is_zero() { slept } else { by_clock });
        self.passed = self.passed.saturating_add(slept.max(by_clock));
        self.shown = shows;
    }
}

/// How long a call that waits may sleep before it looks again, if its sleep can't be cut short.
const LOOK: Duration = Duration::from_millis(10);
/// The same if it can: not for ever, because some timers can't.
const LONGEST: Duration = Duration::from_secs(3_600);

/// How long a call sleeps before it looks again: until its turn if that is known, and no longer than its run lasts.
pub(super) fn until(turn: Option<Duration>, left: Option<Duration>) -> Duration {
    turn.into_iter().chain(left).min().unwrap_or(LONGEST).min(LONGEST)
}

/// The present of any clock, for rules that ask only if they need it.
pub(crate) fn now_of<C: Clock>(clock: &C) -> impl Fn() -> Moment + '_
where
    C::Instant: Origin,
{
    move || Moment::of(clock)
}
