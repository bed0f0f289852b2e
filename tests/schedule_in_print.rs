//! What a schedule prints: its table and its picture, to the letter.

use std::time::Duration;

use backoff_core::{ExponentialBackoff, Jitter};

const POLICY: ExponentialBackoff = ExponentialBackoff::new();

#[test]
fn a_table_has_a_row_for_each_sleep_and_dashes_where_a_run_is_over() {
    let table = POLICY.jitter(Jitter::Full).schedule().to_string();
    let right = "\
200ms x2, full jitter, budget 3.5s, spread
  retry       delay     shortest         mean      longest   at the latest
      1       200ms          1us        100ms        200ms           200ms
      2       400ms          1us        200ms        400ms           600ms
      3       800ms          1us        400ms        800ms            1.4s
      4        1.6s          1us        800ms         1.6s              3s
      5        3.2s          1us         1.6s        500ms            3.5s
      6        6.4s          1us        300ms            -               -
6 attempts or more, typically 7
";
    assert_eq!(table, right);
}

#[test]
fn a_table_ends_with_how_many_attempts_there_are() {
    let last = |policy: ExponentialBackoff| policy.schedule().to_string().lines().last().map(str::to_owned);
    assert_eq!(last(POLICY).as_deref(), Some("6 attempts"));
    assert_eq!(last(POLICY.max_attempts(1)).as_deref(), Some("1 attempt"));
    assert_eq!(last(POLICY.max_attempts(2).jitter(Jitter::Full)).as_deref(), Some("2 attempts"));
    assert_eq!(last(POLICY.unlimited()).as_deref(), Some("and so on"));
}

#[test]
fn without_an_end_twenty_rows_are_printed() {
    let schedule = POLICY.unlimited().max_delay(Duration::from_secs(1)).schedule();
    let (table, bars) = (schedule.to_string(), schedule.bars().to_string());
    assert_eq!((table.lines().count(), bars.lines().count()), (2 + 20 + 1, 20));
    let row = "     20          1s           1s           1s           1s           18.4s";
    assert_eq!(table.lines().nth(21), Some(row));
    assert_eq!(bars.lines().last(), Some(format!("   20 {} 1s", "█".repeat(40)).as_str()));
}

#[test]
fn times_of_any_length_stay_apart_in_a_table() {
    let lines = |policy: ExponentialBackoff, from: usize| -> Vec<String> {
        policy.schedule().to_string().lines().skip(from).take(2).map(str::to_owned).collect()
    };
    let right = [
        "  retry          delay       shortest           mean        longest   at the latest",
        "      1          200ms          200ms          200ms          200ms           200ms",
    ];
    assert_eq!(lines(POLICY.unlimited(), 1), right);
    let right = [
        "     16   1h 49m 13.6s   1h 49m 13.6s   1h 49m 13.6s   1h 49m 13.6s      3h 38m 27s",
        "     17   3h 38m 27.2s   3h 38m 27.2s   3h 38m 27.2s   3h 38m 27.2s    7h 16m 54.2s",
    ];
    assert_eq!(lines(POLICY.unlimited(), 17), right);
    let longest = POLICY.initial(Duration::MAX).unlimited().max_attempts(2).jitter(Jitter::Equal);
    let right = concat!(
        "      1  5124095576030431h 15.999999999s  2562047788015215h 30m 7.999999999s  3843071682022823h 15m 11.999999999s",
        "  5124095576030431h 15.999999999s  5124095576030431h 15.999999999s",
    );
    assert_eq!(lines(longest, 2)[0], right);
}

/// A line of a picture: so much solid, so much shaded, and what it says.
fn bar(retry: u32, solid: usize, shaded: usize, text: &str) -> String {
    format!("{retry:>5} {}{} {text}\n", "█".repeat(solid), "░".repeat(shaded))
}

#[test]
fn bars_are_solid_up_to_the_shortest_and_shaded_up_to_the_longest() {
    let lines = |bars: &[(usize, usize, &str)]| -> String {
        (1..).zip(bars).map(|(retry, (solid, shaded, text))| bar(retry, *solid, *shaded, text)).collect()
    };
    let solid = [(5, 0, "200ms"), (10, 0, "400ms"), (20, 0, "800ms"), (40, 0, "1.6s"), (12, 0, "500ms")];
    assert_eq!(POLICY.schedule().bars().to_string(), lines(&solid));
    let equal = POLICY.jitter(Jitter::Equal).max_attempts(4);
    assert_eq!(equal.schedule().bars().to_string(), lines(&[(5, 5, "200ms"), (10, 10, "400ms"), (20, 20, "800ms")]));
    assert_eq!(POLICY.max_attempts(1).schedule().bars().to_string(), "");
}

#[test]
fn a_bar_says_how_long_it_is_where_the_middle_run_sleeps_longest() {
    let bars = POLICY.jitter(Jitter::Full).schedule().bars().to_string();
    let last: Vec<_> = bars.lines().skip(3).collect();
    assert_eq!(
        last,
        [bar(4, 0, 40, "1.6s").trim_end(), bar(5, 0, 40, "1.6s").trim_end(), bar(6, 0, 7, "300ms").trim_end()]
    );
}

#[test]
fn the_longest_draw_of_an_odd_width_is_all_of_it() {
    let policy = POLICY.initial(Duration::from_nanos(1_000_001)).jitter(Jitter::Full);
    let row = policy.schedule().rows().next().expect("there is a retry");
    let nanos = |sleep: Option<Duration>| sleep.map(|sleep| sleep.as_nanos());
    assert_eq!((nanos(row.mean), nanos(row.longest)), (Some(500_000), Some(1_000_001)));
}
