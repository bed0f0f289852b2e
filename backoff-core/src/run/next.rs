//! What follows a failure that may be retried, in whole nanoseconds.
//!
//! Written once for both widths of [`Nanos`]: what does not fit into 64 bits is decided anew in 128. So nothing may be drawn
//! or changed before it is known that everything fits.

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
        let nanos = delay::nanos(policy, k);
        let delay = N::try_from(nanos)?;
        let mut least = None;
        if let Some(hint) = hint {
            if !hint.is_zero() {
                N::try_from(hint.as_nanos() + nanos)?;
                let nanos = of(hint)?;
                if hint > policy.get_max_hint() || until_end.is_some_and(|(remaining, _)| nanos > remaining) {
                    return Ok(self.stop_for_hint(hint, time));
                }
                least = Some(nanos);
            }
        }
        let mut sleep = jitter::sleep(policy, k, delay, least, random);
        if let Some((remaining, reason)) = until_end {
            if sleep >= remaining {
                if policy.get_final_sleep() == FinalSleep::Skip {
                    return Ok(self.stop(reason, time));
                }
                self.ending = Some(reason);
                sleep = trimmed(policy.get_final_sleep(), remaining, least.unwrap_or(0.into()), random);
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

    /// As [`next`](Self::next), for times of more than 584 years.
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

/// The last sleep, at least as long as the hint and at most what remains.
#[cold]
fn trimmed<N: Nanos, R: Random>(final_sleep: FinalSleep, remaining: N, hint: N, random: &R) -> N {
    match final_sleep {
        FinalSleep::Trim | FinalSleep::Skip => remaining,
        FinalSleep::Spread => {
            // Without jitter this is the only draw of a run.
            random.refresh();
            let floor = (remaining / 2.into()).max(hint);
            (floor + jitter::draw(random, remaining - floor)).max(jitter::SHORTEST.into()).min(remaining)
        }
    }
}
