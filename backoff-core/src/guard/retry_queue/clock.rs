//! When retries that wait may go: the pure machine behind a retry queue.
//!
//! One for each process, or whatever shares a line. It is told how attempts end, and says how many of those that wait may
//! go. Three rules:
//!
//! 1. **While there is new traffic, retries are a small share of it.** Each success earns a twentieth of a retry, so the
//!    retries of a whole fleet are a twentieth of what the service manages. Nothing has to be learned for that: a process
//!    that sees one request a second has nothing to learn from. A failure among successes costs a whole retry. After an
//!    outage counting begins at a random place, or all processes would retry in step.
//! 2. **Without new traffic, the success of a retry lets the next one go**, and a failure lets none go: as TCP's
//!    acknowledgements clock what it sends, as many are under way as are being served.
//! 3. **While nothing succeeds, one goes as a probe**, after the policy's own sleep, which grows with each round trip that
//!    fails and shrinks with each success. A lone client is nothing but its own probe, and so follows its policy exactly.
//!    Where new traffic is about to come anyway no probe goes, because first attempts tell as much and use up no retry.

use core::time::Duration;

use super::{Moment, Random};

/// A retry, in the unit that is counted in.
const RETRY: i32 = 1_000;
/// The most that failures can cost together, so that a service with errors of its own is not distrusted for hours.
const DEBT: i32 = 10 * RETRY;
/// So many failed round trips in a row are an outage. Fewer among successes are an overload.
const OUTAGE: u32 = 2;
/// So many successes in a row make up for any number of failures.
const FORGIVEN: u32 = 7;
/// New traffic has ended if none came for so many times its longest pause.
const PAUSES: u32 = 3;
/// A pause is forgotten within so many times its own length.
const MEMORY: u32 = 16;

/// How an attempt ended. What a [`SuccessClock`] is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Whether it succeeded.
    pub succeeded: bool,
    /// Whether it was a retry, and not the first attempt of its run.
    pub is_retry: bool,
    /// When it began.
    pub began: Moment,
}

/// Says when retries that wait may go: the rules of a retry queue, without its lock and its line.
///
/// ```
/// use backoff_core::guard::{Moment, Settled, SuccessClock};
/// use backoff_core::{ExponentialBackoff, random::NoRandom};
/// use std::time::Duration;
///
/// let at = |millis| Moment::at(Duration::from_millis(millis));
/// let sleep = |k| ExponentialBackoff::new().delay(k);
/// let mut clock = SuccessClock::new();
///
/// // a call begins and fails: a probe may go when its policy would have slept
/// clock.began(at(0));
/// let failed = Settled { succeeded: false, is_retry: false, began: at(0) };
/// assert_eq!(clock.settled(failed, at(30), &NoRandom, sleep), 0);
/// assert_eq!(clock.probe(), Some(at(230)));
///
/// // it goes and succeeds twice, once for the debt: then the next one may go
/// clock.probed();
/// let served = Settled { succeeded: true, is_retry: true, began: at(230) };
/// assert_eq!(clock.settled(served, at(260), &NoRandom, sleep), 0);
/// assert_eq!(clock.settled(served, at(270), &NoRandom, sleep), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SuccessClock {
    /// What a success earns, in thousandths of a retry.
    share: i32,
    /// The longest time that new traffic is waited for.
    patience: Duration,
    /// Thousandths of a retry; below zero after failures.
    earned: i32,
    /// Failed round trips since the last success.
    failed: u32,
    /// Which sleep of the policy the next probe waits for.
    step: u32,
    /// An attempt that began before this moment can't have known better: of a round trip, one failure counts.
    judged: Option<Moment>,
    /// When a probe may go; none while one is under way.
    probe: Option<Moment>,
    /// When that was decided.
    drawn: Option<Moment>,
    /// When the last first attempt began.
    first: Option<Moment>,
    /// The longest pause between first attempts that is not forgotten.
    pause: Option<Duration>,
}

impl SuccessClock {
    /// A twentieth of a retry for each success; new traffic is waited for up to ten seconds.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            share: RETRY / 20,
            patience: Duration::from_secs(10),
            earned: 0,
            failed: 0,
            step: 0,
            judged: None,
            probe: None,
            drawn: None,
            first: None,
            pause: None,
        }
    }

    /// What a success earns, in thousandths of a retry: at most a whole one.
    #[must_use]
    pub const fn share(self, thousandths: u16) -> Self {
        let share = if thousandths < 1_000 { thousandths as i32 } else { RETRY };
        Self { share, ..self }
    }

    /// How long new traffic is waited for at most. Where it is further apart, it is not waited for.
    #[must_use]
    pub const fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// A first attempt begins.
    pub fn began(&mut self, now: Moment) {
        self.look(now);
        if let Some(first) = self.first {
            let pause = now.since(first);
            let longest = self.pause.unwrap_or(pause).saturating_sub(pause / MEMORY);
            self.pause = Some(longest.max(pause));
        }
        self.first = Some(now);
    }

    /// An attempt ended. Returns how many of those that wait may go now.
    ///
    /// `sleep` is the policy's sleep before retry `k`, counted from 0, with its jitter.
    pub fn settled(
        &mut self,
        attempt: Settled,
        now: Moment,
        random: &impl Random,
        sleep: impl FnOnce(u32) -> Duration,
    ) -> u32 {
        self.look(now);
        if attempt.succeeded {
            self.failed = 0;
            self.step = self.step.min(FORGIVEN).saturating_sub(1);
            self.judged = Some(now);
            self.draw(now, self.step.saturating_sub(1), sleep);
            return self.earn(attempt.is_retry && self.is_quiet(now));
        }
        if Moment::is_news(attempt.began, now, self.judged) {
            self.earned = if self.failed < OUTAGE {
                (self.earned - RETRY).max(-DEBT)
            } else {
                i32::try_from(random.draw(RETRY.unsigned_abs().into())).unwrap_or(0)
            };
            self.draw(now, self.step, sleep);
            self.failed = self.failed.saturating_add(1);
            self.step = self.step.saturating_add(1);
            self.judged = Some(now);
        }
        0
    }

    /// When the first of those that wait may go as a probe; none while a probe is under way.
    #[must_use]
    pub const fn probe(&self) -> Option<Moment> {
        self.probe
    }

    /// A probe goes.
    pub fn probed(&mut self) {
        self.probe = None;
    }

    /// The attempt of a probe begins, with all that was judged before it behind it.
    #[cfg(feature = "std")]
    pub(super) fn probes(&mut self, now: Moment) {
        self.judged = self.judged.min(Some(now));
    }

    /// Looks at the clock. If it has stepped back, nobody waits for it to come here again: what was to come within a time from then
    /// comes within that time from now.
    pub(super) fn look(&mut self, now: Moment) {
        let back = self.drawn.map_or(Duration::ZERO, |drawn| drawn.since(now));
        self.probe = self.probe.map(|probe| probe.before(back));
        self.drawn = self.drawn.min(Some(now));
        self.first = self.first.min(Some(now));
    }

    /// An attempt ended without telling anything: it was dropped or cancelled.
    pub fn abandoned(&mut self, now: Moment) {
        self.probe = self.probe.or(Some(now));
    }

    /// How many retries are earned by now, if this success earned a whole one or its share.
    fn earn(&mut self, whole: bool) -> u32 {
        self.earned = self.earned.saturating_add(if whole { RETRY } else { self.share });
        let retries = self.earned.max(0) / RETRY;
        self.earned -= retries * RETRY;
        retries.unsigned_abs()
    }

    fn draw(&mut self, now: Moment, step: u32, sleep: impl FnOnce(u32) -> Duration) {
        self.probe = Some(now.after(sleep(step).max(self.wait())));
        self.drawn = Some(now);
    }

    /// Whether new traffic would have come by now, if it were still coming.
    fn is_quiet(&self, now: Moment) -> bool {
        self.first.is_none_or(|first| now.since(first) >= self.wait())
    }

    /// How long new traffic is waited for: not at all, if it is too far apart.
    fn wait(&self) -> Duration {
        match self.pause {
            Some(pause) if pause < self.patience => pause.saturating_mul(PAUSES).min(self.patience),
            _ => Duration::ZERO,
        }
    }
}

impl Default for SuccessClock {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{Moment, Random, Settled, SuccessClock};
    use core::time::Duration;

    /// Draws the same share of every width.
    struct Share(u128);

    impl Random for Share {
        fn next_u64(&self) -> u64 {
            0
        }

        fn draw(&self, width: u128) -> u128 {
            width * self.0 / 100
        }
    }

    fn at(millis: u64) -> Moment {
        Moment::at(Duration::from_millis(millis))
    }

    /// 100 ms doubling, without jitter.
    fn sleep(k: u32) -> Duration {
        Duration::from_millis(100 << k)
    }

    fn settle(clock: &mut SuccessClock, succeeded: bool, is_retry: bool, began: u64, now: u64) -> u32 {
        clock.settled(Settled { succeeded, is_retry, began: at(began) }, at(now), &Share(30), sleep)
    }

    /// A first attempt each 100 ms from zero on, 20 ms long.
    fn traffic(clock: &mut SuccessClock, from: u64, count: u64, succeeded: bool) -> u32 {
        let firsts = (0..count).map(|nth| from + nth * 100);
        firsts.fold(0, |releases, start| {
            clock.began(at(start));
            releases + settle(clock, succeeded, false, start, start + 20)
        })
    }

    #[test]
    fn a_lone_client_follows_its_policy() {
        let mut clock = SuccessClock::new();
        clock.began(at(0));
        let mut start = 0;
        for k in 0..12 {
            assert_eq!(settle(&mut clock, false, k > 0, start, start + 20), 0);
            assert_eq!(clock.probe(), Some(at(start + 20).after(sleep(k))), "retry {k}");
            clock.probed();
            assert_eq!(clock.probe(), None);
            start += 20 + (100 << k);
        }
    }

    #[test]
    fn in_traffic_a_success_earns_a_twentieth() {
        let mut clock = SuccessClock::new();
        assert_eq!(traffic(&mut clock, 0, 19, true), 0);
        assert_eq!(traffic(&mut clock, 1_900, 1, true), 1);
        assert_eq!(traffic(&mut clock, 2_000, 200, true), 10);
        assert_eq!(settle(&mut clock, true, true, 21_900, 21_920), 0, "that of a retry as well");
        assert_eq!(traffic(&mut clock, 22_000, 19, true), 1);
        assert_eq!(traffic(&mut SuccessClock::new().share(100), 0, 200, true), 20);
    }

    #[test]
    fn a_failure_among_successes_costs_a_whole_retry() {
        let mut clock = SuccessClock::new();
        traffic(&mut clock, 0, 1, false);
        assert_eq!(traffic(&mut clock, 100, 39, true), 0);
        assert_eq!(traffic(&mut clock, 4_000, 1, true), 1);
    }

    #[test]
    fn failures_can_not_cost_more_than_ten_retries_together() {
        let mut clock = SuccessClock::new();
        for nth in 0..1_000 {
            traffic(&mut clock, nth * 200, 1, true);
            traffic(&mut clock, nth * 200 + 100, 1, false);
        }
        // 200 successes make up for ten retries, 20 more earn one.
        assert_eq!(traffic(&mut clock, 200_000, 219, true), 0);
        assert_eq!(traffic(&mut clock, 221_900, 1, true), 1);
    }

    #[test]
    fn an_outage_is_not_charged_but_counted_anew_from_a_random_place() {
        let mut clock = SuccessClock::new();
        traffic(&mut clock, 0, 50, false);
        assert_eq!(traffic(&mut clock, 5_000, 13, true), 0, "thirty hundredths were drawn");
        assert_eq!(traffic(&mut clock, 6_300, 1, true), 1);
    }

    #[test]
    fn while_first_attempts_come_no_probe_goes() {
        let mut clock = SuccessClock::new();
        traffic(&mut clock, 0, 3, false);
        assert_eq!(clock.probe(), Some(at(220 + 400)), "the policy's own sleep is longer");
        let mut clock = SuccessClock::new();
        traffic(&mut clock, 0, 2, true);
        traffic(&mut clock, 200, 1, false);
        assert_eq!(clock.probe(), Some(at(220 + 300)), "three times the longest pause");
        clock.began(at(20_000));
        settle(&mut clock, true, false, 20_000, 20_020);
        assert_eq!(clock.probe(), Some(at(20_020 + 100)), "what is that far apart is not waited for");
    }

    #[test]
    fn without_new_traffic_the_success_of_a_retry_lets_the_next_one_go() {
        let mut clock = SuccessClock::new();
        for _ in 0..100 {
            clock.began(at(0));
        }
        for _ in 0..100 {
            assert_eq!(settle(&mut clock, false, false, 0, 20), 0);
        }
        assert_eq!(clock.probe(), Some(at(20 + 100)), "a hundred failures within a round trip are one");
        assert_eq!(settle(&mut clock, true, true, 120, 140), 0, "which the first success pays for");
        assert!((1..50).all(|nth| settle(&mut clock, true, true, 120 + nth * 20, 140 + nth * 20) == 1));
        assert_eq!(settle(&mut clock, false, true, 1_120, 1_140), 0);
    }

    #[test]
    fn the_sleep_before_a_probe_shrinks_with_each_success() {
        let mut clock = SuccessClock::new();
        for nth in 0..20 {
            settle(&mut clock, false, true, nth * 10, nth * 10 + 5);
        }
        let sleeps = [5, 4, 3, 2, 1, 0, 0].map(sleep);
        for (nth, sleep) in (0..).zip(sleeps) {
            settle(&mut clock, true, true, 1_000 + nth, 1_000 + nth);
            assert_eq!(clock.probe(), Some(at(1_000 + nth).after(sleep)));
        }
    }

    #[test]
    fn after_a_step_back_a_probe_is_no_further_away_than_it_was() {
        let mut clock = SuccessClock::new();
        settle(&mut clock, false, false, 60_000, 60_020);
        clock.look(at(60_070));
        assert_eq!(clock.probe(), Some(at(60_120)));
        for (now, probe) in [(20, 120), (50, 120), (10, 110)] {
            clock.look(at(now));
            assert_eq!(clock.probe(), Some(at(probe)));
        }
    }

    #[test]
    fn after_a_step_back_failures_count_and_traffic_is_no_longer_away_than_it_was() {
        let mut clock = SuccessClock::new();
        traffic(&mut clock, 60_000, 2, true);
        settle(&mut clock, false, true, 60_200, 60_220);
        assert_eq!(clock.probe(), Some(at(60_220 + 300)), "three times the longest pause");
        settle(&mut clock, false, true, 20, 40);
        assert_eq!(clock.probe(), Some(at(40 + 300)), "counts, though it began before the last judgement");
        settle(&mut clock, true, true, 50, 60);
        assert_eq!(settle(&mut clock, true, true, 300, 339), 0, "not yet quiet: a share of what is owed is paid off");
        let paid = [340, 341, 342].map(|now| settle(&mut clock, true, true, 340, now));
        assert_eq!(paid, [0, 0, 1], "quiet: two whole ones for what is owed, and one for the next");
    }

    #[test]
    fn a_probe_that_is_dropped_wedges_nothing() {
        let mut clock = SuccessClock::new();
        settle(&mut clock, false, false, 0, 20);
        clock.probed();
        clock.abandoned(at(50));
        assert_eq!(clock.probe(), Some(at(50)));
    }
}
