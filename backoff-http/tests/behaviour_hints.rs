//! RA: cases that users of other libraries reported about `Retry-After`, with real headers on real responses.

mod support;

use std::time::{Duration, SystemTime};

use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Reason, RetryError};
use backoff_http::{Judge, Operation, Rules, is_settled, is_transient, retry_after};
use http::{Response, StatusCode};
use support::{Answers, all_ms, answer, ms, secs};

/// No budget, and the first delay of the cases.
fn policy(initial: u64) -> ExponentialBackoff {
    ExponentialBackoff::new().unlimited().initial(ms(initial))
}

/// A run against scripted responses, judged in one word each.
fn run(
    policy: ExponentialBackoff,
    answers: &Answers,
) -> (Vec<Duration>, u32, Result<StatusCode, RetryError<StatusCode>>) {
    let time = VirtualTime::new();
    let mut calls = 0;
    let outcome = policy.time(&time).until(is_settled).hint(retry_after).retry(|| {
        calls += 1;
        answers.next()
    });
    let outcome = outcome.map(|response| response.status());
    (time.sleeps(), calls, outcome.map_err(|error| error.map_last(|response: Response<()>| response.status())))
}

/// A throttled call with this header, and then a success: what is slept in between.
fn slept_for(policy: ExponentialBackoff, header: &str) -> Vec<Duration> {
    let (sleeps, calls, outcome) =
        run(policy, &Answers::new([answer(429, &[("retry-after", header)]), answer(200, &[])]));
    assert_eq!((calls, outcome.unwrap()), (2, StatusCode::OK), "{header:?}");
    sleeps
}

/// A throttled call with this header, after which the run is over.
fn refused_for(policy: ExponentialBackoff, header: &str) -> Duration {
    let (sleeps, calls, outcome) = run(policy, &Answers::new([answer(429, &[("retry-after", header)])]));
    let error = outcome.unwrap_err();
    assert_eq!((sleeps.len(), calls, error.reason()), (0, 1, Reason::Hint), "{header:?}");
    error.hint().unwrap()
}

#[test]
fn ra_01_a_negative_wait_is_none() {
    assert_eq!(slept_for(policy(500).max_attempts(2), "-1"), [ms(500)]);
    assert_eq!(slept_for(policy(500).max_attempts(2), "Wed, 31 Dec 2025 23:58:30 GMT"), [ms(500)]);
}

#[test]
fn ra_03_a_fraction_is_none() {
    assert_eq!(slept_for(policy(100).max_attempts(2), "0.503"), [ms(100)]);
}

#[test]
fn ra_05_only_digits_are_seconds() {
    for header in ["6m0s", "7.66s", "76ms", "12abc", "0x10", "1e3", "+5", "", "5,6", "5 6", "５"] {
        assert_eq!(slept_for(policy(100), header), [ms(100)], "{header:?}");
    }
    assert_eq!(slept_for(policy(100), "5 "), [secs(5)]);
    assert_eq!(slept_for(policy(100), "\t5"), [secs(5)]);
    assert_eq!(slept_for(policy(100), "0000000005"), [secs(5)]);
}

#[test]
fn ra_06_a_huge_number_ends_the_run_and_overflows_nothing() {
    assert_eq!(refused_for(policy(100).max_hint(secs(60)), "9999999999"), secs(9_999_999_999));
    let budget = ExponentialBackoff::new().budget(secs(5)).max_hint(Duration::MAX);
    assert_eq!(refused_for(budget, "9999999999"), secs(9_999_999_999));
    assert_eq!(refused_for(policy(100), "99999999999999999999"), secs(u64::MAX));
}

#[test]
fn ra_08_an_exotic_value_does_not_cost_the_attempts() {
    for header in ["1".repeat(5_000), "Fri, 31 Dec 99999 23:59:59 GMT".to_owned()] {
        let throttled = answer(429, &[("retry-after", &header)]);
        let answers = Answers::new([throttled.clone(), throttled, answer(200, &[])]);
        let (sleeps, calls, outcome) = run(policy(100).max_attempts(3), &answers);
        assert_eq!((sleeps, calls, outcome.unwrap()), (all_ms([100, 200]), 3, StatusCode::OK));
    }
}

#[test]
fn ra_10_the_longest_hint_is_a_limit() {
    let policy = policy(1_000).max_delay(secs(10)).max_attempts(2);
    assert_eq!(refused_for(policy, "3600"), secs(3_600));
    assert_eq!(slept_for(policy, "300"), [secs(300)]);
    assert!(refused_for(policy, "Fri, 31 Dec 9999 23:59:59 GMT") > secs(86_400 * 365 * 1_000));
}

#[test]
fn ra_11_every_status_that_is_retried_honours_the_header_and_no_other() {
    for status in [408, 413, 425, 429, 500, 502, 503, 504] {
        let answers = Answers::new([answer(status, &[("retry-after", "7")]), answer(200, &[])]);
        let (sleeps, calls, outcome) = run(policy(1_000).max_attempts(2), &answers);
        assert_eq!((sleeps, calls, outcome.unwrap()), (vec![secs(7)], 2, StatusCode::OK), "{status}");
    }
    for status in [200, 301, 400, 401, 403, 404, 409, 410, 422, 501, 505] {
        let (sleeps, calls, outcome) = run(policy(1_000), &Answers::new([answer(status, &[("retry-after", "7")])]));
        assert_eq!((sleeps.len(), calls, outcome.unwrap().as_u16()), (0, 1, status));
    }
    // Without the header, 413 is final.
    let (sleeps, calls, outcome) = run(policy(1_000), &Answers::new([answer(413, &[])]));
    assert_eq!((sleeps.len(), calls, outcome.unwrap().as_u16()), (0, 1, 413));
}

#[test]
fn ra_13_a_date_is_in_gmt_or_none() {
    let slept =
        |value| slept_for_headers(policy(100), &[("date", "Fri, 26 Jun 2020 04:28:00 GMT"), ("retry-after", value)]);
    assert_eq!(slept("Fri, 26 Jun 2020 04:28:20"), [ms(100)]);
    assert_eq!(slept("Fri Jun 26 04:28:20 2020"), [secs(20)]);
    assert_eq!(slept("Fri, 26 Jun 2020 06:28:20 +0200"), [ms(100)]);
    assert_eq!(slept("Fri, 26 Jun 2020 04:28:20 GMT"), [secs(20)]);
    assert_eq!(slept("Friday, 26-Jun-20 04:28:20 GMT"), [secs(20)]);
}

fn slept_for_headers(policy: ExponentialBackoff, headers: &[(&str, &str)]) -> Vec<Duration> {
    let (sleeps, calls, outcome) = run(policy, &Answers::new([answer(503, headers), answer(200, &[])]));
    assert_eq!((calls, outcome.unwrap()), (2, StatusCode::OK));
    sleeps
}

#[test]
fn a_server_with_a_wrong_clock_is_understood_by_its_own_date() {
    // Its zone is five hours off, and the year too.
    let headers = [("date", "Wed, 01 Jan 2020 05:00:00 GMT"), ("retry-after", "Wed, 01 Jan 2020 05:00:30 GMT")];
    assert_eq!(slept_for_headers(policy(100), &headers), [secs(30)]);
    let malformed = [("date", "yesterday"), ("retry-after", "Wed, 01 Jan 2020 05:00:30 GMT")];
    assert_eq!(slept_for_headers(policy(100), &malformed), [ms(100)], "by the clock here it is long past");
}

#[test]
fn of_several_lines_the_longest_counts() {
    assert_eq!(slept_for_headers(policy(100), &[("retry-after", "3"), ("retry-after", "9")]), [secs(9)]);
    assert_eq!(slept_for_headers(policy(100), &[("retry-after", "x"), ("retry-after", "9")]), [secs(9)]);
}

#[test]
fn ra_15_a_wait_beyond_the_host_s_timer_is_not_an_instant_retry() {
    assert_eq!(refused_for(policy(100).max_attempts(4), "2200000"), secs(2_200_000));
    let throttled = answer(429, &[("retry-after", "2200000")]);
    let patient = policy(100).max_attempts(4).max_hint(secs(10_000_000));
    let (sleeps, calls, outcome) = run(patient, &Answers::new(vec![throttled; 4]));
    assert_eq!((sleeps, calls), (vec![secs(2_200_000); 3], 4));
    assert_eq!(outcome.unwrap_err().reason(), Reason::Attempts);
}

#[test]
fn ra_16_a_date_is_not_rounded_down_and_zero_is_no_wish() {
    let noon = SystemTime::UNIX_EPOCH + secs(1_767_225_600 + 12 * 3_600);
    let busy = answer(503, &[("retry-after", "Thu, 01 Jan 2026 12:00:02 GMT")]);
    let verdict = Rules::new().judge_status_at(&Operation::repeatable(), busy.status(), busy.headers(), noon + ms(400));
    assert_eq!(verdict.hint().unwrap().delay(), ms(1_600));
    assert_eq!(slept_for(policy(200), "0"), [ms(200)]);
}

#[test]
fn ra_18_a_timestamp_in_place_of_seconds_is_not_guessed() {
    assert_eq!(refused_for(policy(100).max_hint(secs(120)), "1634800030"), secs(1_634_800_030));
}

#[test]
fn a_result_of_a_response_is_judged_in_one_word_too() {
    let busy: Result<Response<()>, std::io::Error> = Ok(answer(503, &[("retry-after", "7")]));
    assert!(!is_settled(&busy) && is_transient(&busy));
    assert_eq!(retry_after(&busy).unwrap().delay(), secs(7));
    let lost: Result<Response<()>, std::io::Error> = Err(std::io::ErrorKind::ConnectionReset.into());
    assert!(!is_settled(&lost));
    assert_eq!(retry_after(&lost), None);
    let permanent: Result<Response<()>, std::io::Error> = Err(std::io::ErrorKind::PermissionDenied.into());
    assert!(is_settled(&permanent));
    assert!(is_settled(&Ok::<_, std::io::Error>(answer(404, &[]))));
    assert!(!lost.judge(&Rules::new(), &Operation::once()).is_retry());
}

#[test]
fn no_attempt_is_earlier_than_the_hint_in_ten_thousand_runs() {
    use backoff_core::Jitter;
    // A generator of its own, so that the runs are the same every time.
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut retries = 0;
    for _ in 0..10_000 {
        let jitter = [Jitter::None, Jitter::Full, Jitter::Equal][usize::try_from(draw(3)).unwrap()];
        let budget = secs(1 + draw(60));
        let policy = ExponentialBackoff::new().initial(ms(1 + draw(500))).budget(budget).jitter(jitter).max_attempts(6);
        let time = VirtualTime::new();
        let hints: Vec<u64> = (0..6).map(|_| draw(12)).collect();
        let mut starts = Vec::new();
        let _ = policy.time(&time).until(is_settled).hint(retry_after).retry(|| {
            starts.push(time.elapsed());
            let hint = hints[starts.len() - 1].to_string();
            answer(if hint == "11" { 200 } else { 429 }, &[("retry-after", &hint)])
        });
        for (pair, hint) in starts.windows(2).zip(&hints) {
            retries += 1;
            let gap = pair[1].saturating_sub(pair[0]);
            assert!(gap >= secs(*hint), "{gap:?} after a hint of {hint} s");
        }
        assert!(*starts.last().unwrap() <= budget);
    }
    assert!(retries > 10_000, "{retries}");
}
