//! What the settings of guards accept: the ends of each range belong to it, and what lies beyond is refused with a sentence.

use std::time::Duration;

use backoff_core::guard::{
    AdaptiveThrottle, CircuitBreaker, Moment, Now, Pacer, RetryBudget, RetryDeposits, RetryQueue, RetryQuota,
    RetryTokens, SettingError,
};

const ZERO: Now<'static> = &|| Moment::at(Duration::ZERO);
const HOUR: Duration = Duration::from_secs(3_600);
const NANO: Duration = Duration::from_nanos(1);

/// Which values are accepted; all others are refused with this sentence.
fn accepted<V: Copy, T>(values: &[V], set: impl Fn(V) -> Result<T, SettingError>, sentence: &str) -> Vec<bool> {
    let is_accepted = |value| set(value).map_err(|error| assert_eq!(error.to_string(), sentence)).is_ok();
    values.iter().copied().map(is_accepted).collect()
}

#[test]
fn a_share_of_deposits_is_whole_thousandths_up_to_a_thousand() {
    let sentence = "`ratio` of retry deposits must be from 0 to 1,000, in steps of 0.001";
    let set = |share| RetryDeposits::new().try_ratio(share);
    let right = accepted(&[0.0, 0.001, 0.3, 999.999, 1_000.0], set, sentence);
    assert_eq!(right, [true; 5]);
    let wrong = [-0.001, -1e-9, 1e-9, 0.000_5, 0.001_001, 1_000.001, 4_294_967.295, 1e300, f64::INFINITY, f64::NAN];
    assert_eq!(accepted(&wrong, set, sentence), [false; 10]);
    // What is a millionth of a thousandth off is off: the largest number whose thousandths are not above that.
    assert_eq!(accepted(&[9.999_999_999_999_999e-10], set, sentence), [false]);
}

#[test]
fn a_share_is_what_it_says_and_not_its_nearest_binary_fraction() {
    // 0.3 times a thousand is not quite 300: ten requests are three retries all the same.
    for (share, retries) in [(0.001, 0), (0.3, 3), (0.7, 7), (1.1, 11), (999.999, 9_999)] {
        let deposits = RetryDeposits::new().reserve(0).try_ratio(share).unwrap();
        (0..10).for_each(|_| deposits.began(ZERO));
        assert_eq!(deposits.balance(ZERO()), retries, "{share}");
    }
}

#[test]
fn deposits_have_a_reserve_of_up_to_a_million_and_live_up_to_a_minute() {
    let sentence = "`reserve` of retry deposits must be at most 1,000,000 retries a second";
    let reserve = |retries| RetryDeposits::new().try_reserve(retries);
    assert_eq!(accepted(&[0, 1_000_000, 1_000_001], reserve, sentence), [true, true, false]);
    let most = RetryDeposits::new().reserve(1_000_000).ttl(Duration::from_secs(60));
    assert_eq!(most.balance(ZERO()), 60_000_000);

    let sentence = "`ttl` of retry deposits must be from 1s to 60s";
    let lives = [Duration::from_nanos(999_999_999), Duration::from_secs(1), Duration::from_secs(60)];
    let ttl = |ttl| RetryDeposits::new().try_ttl(ttl);
    assert_eq!(accepted(&lives, ttl, sentence), [false, true, true]);
    assert_eq!(accepted(&[Duration::from_secs(60) + NANO], ttl, sentence), [false]);
}

#[test]
fn budgets_quotas_and_throttles_have_ends_too() {
    let sentence = "`ratio` of a retry budget must be from 0.001 to 1,000, in steps of 0.001";
    let ratio = |tokens| RetryBudget::new().try_ratio(tokens);
    assert_eq!(accepted(&[0.0, 0.001, 1_000.0, 1_000.001], ratio, sentence), [false, true, true, false]);
    let sentence = "`cost` of a retry budget must be from 0.001 to 1,000, in steps of 0.001";
    let cost = |tokens| RetryBudget::new().try_cost(tokens);
    assert_eq!(accepted(&[0.0, 0.001, 1_000.0, 1_000.001], cost, sentence), [false, true, true, false]);
    let sentence = "`capacity` of a retry quota must be at least 1";
    assert_eq!(
        accepted(&[0, 1, u32::MAX], |tokens| RetryQuota::new().try_capacity(tokens), sentence),
        [false, true, true]
    );
    let sentence = "`cost` of a retry quota must be at least 1";
    assert_eq!(accepted(&[0, 1, u32::MAX], |tokens| RetryQuota::new().try_cost(tokens), sentence), [false, true, true]);
    let sentence = "`requests_per_accept` of an adaptive throttle must be from 1 to 1,000";
    let k = |k| AdaptiveThrottle::new().try_requests_per_accept(k);
    assert_eq!(accepted(&[0.999, 1.0, 1_000.0, 1_000.1, f64::NAN], k, sentence), [false, true, true, false, false]);
}

#[test]
fn queues_have_a_capacity_a_share_and_a_patience() {
    let sentence = "`capacity` of a retry queue must be at least 1";
    assert_eq!(accepted(&[0, 1], |calls| RetryQueue::new().try_capacity(calls), sentence), [false, true]);
    let sentence = "`share` of a retry queue must be from 1 to 1,000 thousandths";
    let share = |thousandths| RetryQueue::new().try_share(thousandths);
    assert_eq!(accepted(&[0, 1, 1_000, 1_001], share, sentence), [false, true, true, false]);
    let sentence = "`patience` of a retry queue must be at most an hour";
    let patience = |patience| RetryQueue::new().try_patience(patience);
    let tried = [Duration::ZERO, HOUR, HOUR + NANO];
    assert_eq!(accepted(&tried, patience, sentence), [true, true, false]);
}

#[test]
fn breakers_count_something_and_rest_for_some_time() {
    let new = CircuitBreaker::new;
    let sentence = "`failures` of a circuit breaker must be at least 1";
    assert_eq!(accepted(&[0, 1], |failures| new().try_failures(failures), sentence), [false, true]);
    let sentence = "`failure_rate` of a circuit breaker must be above 0 and at most 1, of 1 to 256 calls";
    let rates = [(0.0, 4), (f64::MIN_POSITIVE, 1), (1.0, 256), (1.001, 4), (0.5, 0), (0.5, 257), (f64::NAN, 4)];
    let right = [false, true, true, false, false, false, false];
    assert_eq!(accepted(&rates, |(share, calls)| new().try_failure_rate(share, calls), sentence), right);
    let sentence =
        "`failure_rate_within` of a circuit breaker must be above 0 and at most 1, of 1ms or more and at least 1 call";
    let milli = Duration::from_millis(1);
    let rates =
        [(0.0, milli, 1), (0.5, milli, 1), (1.0, HOUR, 9), (1.1, milli, 1), (0.5, Duration::from_nanos(999_999), 1)];
    let within = |(share, time, calls)| new().try_failure_rate_within(share, time, calls);
    assert_eq!(accepted(&rates, within, sentence), [false, true, true, false, false]);
    assert_eq!(accepted(&[(0.5, milli, 0)], within, sentence), [false]);
    let sentence = "`open_for` of a circuit breaker must be longer than zero";
    assert_eq!(accepted(&[Duration::ZERO, NANO], |rest| new().try_open_for(rest), sentence), [false, true]);
    let sentence = "`probes` of a circuit breaker must be at least 1";
    assert_eq!(accepted(&[0, 1], |probes| new().try_probes(probes), sentence), [false, true]);
    let sentence = "`probes_to_close` of a circuit breaker must be at least 1";
    assert_eq!(accepted(&[0, 1], |probes| new().try_probes_to_close(probes), sentence), [false, true]);
    let sentence = "`probe_timeout` of a circuit breaker must be longer than zero";
    assert_eq!(accepted(&[Duration::ZERO, NANO], |timeout| new().try_probe_timeout(timeout), sentence), [false, true]);
}

#[test]
fn pacers_have_intervals_of_up_to_a_day() {
    let tried = [Duration::ZERO, NANO, 24 * HOUR, 24 * HOUR + NANO];
    let right = [false, true, true, false];
    let sentence = "`interval` of a pacer must be longer than zero, and at most a day";
    assert_eq!(accepted(&tried, |interval| Pacer::new().try_interval(interval), sentence), right);
    let sentence = "`min` of a pacer must be longer than zero, and at most a day";
    assert_eq!(accepted(&tried, |interval| Pacer::new().try_min(interval), sentence), right);
    let sentence = "`max` of a pacer must be longer than zero, and at most a day";
    assert_eq!(accepted(&tried, |interval| Pacer::new().try_max(interval), sentence), right);
}

#[test]
fn a_pacer_starts_within_its_limits_in_whatever_order_they_are_set() {
    let (ms, secs) = (Duration::from_millis, Duration::from_secs);
    for (pacer, start) in [
        (Pacer::new().min(ms(5)), ms(5)),
        (Pacer::new().max(Duration::from_micros(10)), Duration::from_micros(10)),
        (Pacer::new().interval(secs(10)).max(secs(1)), secs(1)),
        (Pacer::new().max(secs(1)).interval(secs(10)), secs(1)),
        (Pacer::new().interval(secs(90)).max(secs(100)), secs(90)),
        (Pacer::new().interval(secs(90)), secs(60)),
        (Pacer::new().min(secs(2)).max(secs(1)), secs(1)),
    ] {
        assert_eq!(pacer.snapshot().interval, start);
        let now = ZERO();
        assert!(pacer.try_reserve(now, 1).is_ok());
        assert_eq!(pacer.try_reserve(now, 1), Err(now.after(start)));
    }
}
