//! What follows a failure that may be retried, in whole nanoseconds.
//!
//! Written once for both widths of [`Nanos`]. Hints are rare, and what does not fit into 64 bits is rarer: both are decided in
//! 128. So nothing may be drawn or changed before it is known that everything fits.

use core::time::Duration;

use backoff_policy::duration::from_nanos;

use super::{Decision, Elapsed, End, Failure, Pause, Run, end, in_u64};
use crate::jitter::{self, Nanos};
use crate::random::Random;
use crate::{ExponentialBackoff, FinalSleep, delay};

impl Run {
    /// Decides about retry `k`, unless a number does not fit.
    #[inline]
    pub(super) fn next<N: Nanos, R: Random>(
        &mut self,
        policy: &ExponentialBackoff,
        k: u32,
        hint: Option<Duration>,
        time: Elapsed,
        random: &R,
    ) -> Result<Decision, N::Error> {
        let mut until_end = None;
        if let Some(End { at, reason }) = end(policy, time.deadline) {
            let at = of(at)?;
            // What was slept has passed, whatever the clock says: a clock that stands still and a timer that wakes early
            // must not keep the run going for ever.
            let passed = of::<N>(time.elapsed)?.max(self.slept.into());
            if passed >= at {
                return Ok(self.stop(reason, time));
            }
            until_end = Some((at - passed, reason));
        }
        let delay = N::try_from(delay::nanos(policy, k))?;
        let mut least = None;
        if let Some(hint) = hint {
            if !hint.is_zero() {
                let nanos = of(hint)?;
                if !policy.obeys(hint) || until_end.is_some_and(|(remaining, _)| nanos > remaining) {
                    return Ok(self.stop_for_hint(hint, time));
                }
                least = Some(nanos);
            }
        }
        let mut sleep = jitter::sleep(policy, k, delay, least, random);
        if let Some((remaining, reason)) = until_end {
            if sleep >= remaining {
                match last_sleep(policy.get_final_sleep(), remaining, least, random) {
                    Some(trimmed) => sleep = trimmed,
                    None => return Ok(self.stop(reason, time)),
                }
                self.ending = Some(reason);
            }
        }
        self.slept = self.slept.saturating_add(in_u64(sleep.into()));
        Ok(Decision::Sleep(Pause {
            sleep: from_nanos(sleep.into()),
            attempt: self.failed,
            elapsed: time.elapsed,
            remaining: until_end.map(|(remaining, _)| from_nanos(remaining.into())),
        }))
    }

    /// As [`next`](Self::next), for hints and for times of more than 584 years.
    #[cold]
    pub(super) fn next_in_128_bits<R: Random>(
        &mut self,
        policy: &ExponentialBackoff,
        k: u32,
        failure: Failure,
        time: Elapsed,
        random: &R,
    ) -> Decision {
        let Ok(decision) = self.next::<u128, R>(policy, k, failure.hint, time, random);
        decision
    }
}

#[inline]
fn of<N: Nanos>(duration: Duration) -> Result<N, N::Error> {
    N::try_from(duration.as_nanos())
}

/// The last sleep, if there is one: at least as long as the hint and at most what remains.
#[cold]
fn last_sleep<N: Nanos, R: Random>(final_sleep: FinalSleep, remaining: N, hint: Option<N>, random: &R) -> Option<N> {
    match final_sleep {
        FinalSleep::Skip => None,
        FinalSleep::Trim => Some(remaining),
        FinalSleep::Spread => {
            // Without jitter this is the only draw of a run.
            random.refresh();
            let half = remaining / 2.into();
            let floor = hint.map_or(half, |hint| half.max(hint));
            Some((floor + jitter::draw(random, remaining - floor)).max(jitter::SHORTEST.into()).min(remaining))
        }
    }
}
