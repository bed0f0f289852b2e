//! The rules of a retry queue at their edges: how long new traffic is waited for, and when failures are an outage.

use std::time::Duration;

use backoff_core::guard::{Moment, Settled, SuccessClock};
use backoff_core::random::Random;

/// Draws three tenths of every width.
struct Three;

impl Random for Three {
    fn next_u64(&self) -> u64 {
        0
    }

    fn draw(&self, width: u128) -> u128 {
        width * 3 / 10
    }
}

fn at(millis: u64) -> Moment {
    Moment::at(Duration::from_millis(millis))
}

/// An attempt of no length under a policy that sleeps 100 ms.
fn settle(clock: &mut SuccessClock, succeeded: bool, millis: u64) -> u32 {
    let attempt = Settled { succeeded, is_retry: false, began: at(millis) };
    clock.settled(attempt, at(millis), &Three, |_| Duration::from_millis(100))
}

/// First attempts at these times; after how many milliseconds a probe may go if the last one fails.
fn probe_after(mut clock: SuccessClock, firsts: &[u64]) -> u128 {
    for first in firsts {
        clock.began(at(*first));
    }
    let last = *firsts.last().expect("there is one");
    settle(&mut clock, false, last);
    clock.probe().expect("nobody probes yet").since(at(last)).as_millis()
}

#[test]
fn traffic_that_is_as_far_apart_as_patience_lasts_is_not_waited_for() {
    let new = SuccessClock::new;
    assert_eq!(probe_after(new(), &[0, 9_999]), 10_000, "three pauses, but no longer than patience");
    assert_eq!(probe_after(new(), &[0, 10_000]), 100);
    let patience = |seconds| new().patience(Duration::from_secs(seconds));
    assert_eq!(probe_after(patience(5), &[0, 1_000]), 3_000);
    assert_eq!(probe_after(patience(5), &[0, 4_999]), 5_000);
    assert_eq!(probe_after(patience(5), &[0, 5_000]), 100);
    assert_eq!(probe_after(patience(0), &[0, 1]), 100);
}

#[test]
fn the_longest_pause_is_forgotten_by_a_sixteenth_of_each_that_follows() {
    assert_eq!(probe_after(SuccessClock::new(), &[0, 160]), 480);
    assert_eq!(probe_after(SuccessClock::new(), &[0, 160, 176]), 3 * 159);
    assert_eq!(probe_after(SuccessClock::new(), &[0, 160, 176, 192]), 3 * 158);
    assert_eq!(probe_after(SuccessClock::new(), &[0, 160, 176, 500]), 3 * 324, "a longer one counts at once");
}

/// How many successes it takes, after so many failed round trips, until a retry is earned.
fn successes_after(mut clock: SuccessClock, failures: u64) -> usize {
    for nth in 0..failures {
        assert_eq!(settle(&mut clock, false, nth * 10), 0);
    }
    clock.began(at(1_000));
    clock.began(at(1_100));
    (1..=1_000).find(|_| settle(&mut clock, true, 1_100) == 1).expect("there is an end")
}

#[test]
fn two_failed_round_trips_are_charged_and_the_third_is_an_outage() {
    assert_eq!([0, 1, 2, 3, 4].map(|failures| successes_after(SuccessClock::new(), failures)), [20, 40, 60, 14, 14]);
}

#[test]
fn a_share_is_what_a_success_earns_and_at_most_a_whole_retry() {
    let after = |share| successes_after(SuccessClock::new().share(share), 0);
    assert_eq!([1, 50, 100, 999, 1_000, u16::MAX].map(after), [1_000, 20, 10, 2, 1, 1]);
}
