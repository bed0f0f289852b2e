//! JI: jitter spreads a sleep inside its delay, at every delay, and no two runs share their draws.

mod support;

use std::collections::HashSet;
use std::process::{Command, Stdio};
use std::time::Duration;

use backoff_core::random::{Random as _, SystemRandom};
use backoff_core::testing::VirtualTime;
use backoff_core::{ExponentialBackoff, Jitter, Reason};
use support::{Case, Op, all_ms, ms, secs, unlimited, us};

/// Set for a child process that only prints its draws.
const CHILD: &str = "BACKOFF_TEST_PRINT_DRAWS";

fn nanos<const N: usize>(nanos: [u64; N]) -> Vec<Duration> {
    nanos.map(Duration::from_nanos).to_vec()
}

/// Initial 100 ms and so many attempts.
fn from_100ms(attempts: u32) -> ExponentialBackoff {
    unlimited().initial(ms(100)).max_attempts(attempts)
}

#[test]
fn ji_01_no_sleep_is_longer_than_the_cap() {
    let policy = from_100ms(6).max_delay(ms(500));
    let full = Case::new(policy.jitter(Jitter::Full)).every_draw(0.999).run();
    assert_eq!(full.sleeps, [99_900, 199_800, 399_600, 499_500, 499_500].map(us));
    let equal = Case::new(policy.jitter(Jitter::Equal)).every_draw(0.999).run();
    assert_eq!(equal.sleeps, [99_950, 199_900, 399_800, 499_750, 499_750].map(us));
}

#[test]
fn ji_03_jitter_goes_on_at_the_cap() {
    let policy = unlimited().initial(ms(1_000)).max_delay(ms(4_000)).max_attempts(6).jitter(Jitter::Full);
    let seen = Case::new(policy).draws([0.5, 0.5, 0.25, 0.75, 0.1]).run();
    assert_eq!(seen.sleeps, all_ms([500, 1_000, 1_000, 3_000, 400]));
}

#[test]
fn ji_05_the_cap_wins_over_the_initial_delay() {
    let policy = unlimited().initial(secs(10)).max_delay(secs(2)).max_attempts(4);
    assert_eq!(Case::new(policy).run().sleeps, [secs(2); 3]);
}

#[test]
fn ji_06_cap_first_then_jitter() {
    let policy = from_100ms(6).max_delay(ms(1_000));
    assert_eq!(Case::new(policy).run().sleeps, all_ms([100, 200, 400, 800, 1_000]));
    let full = Case::new(policy.jitter(Jitter::Full)).every_draw(0.5).run();
    assert_eq!(full.sleeps, all_ms([50, 100, 200, 400, 500]));
}

#[test]
fn ji_08_the_width_grows_with_the_delay() {
    let policy = unlimited().initial(ms(10)).max_delay(secs(60)).max_attempts(22);
    let at_k_20 = |jitter, fraction| {
        let seen = Case::new(policy.jitter(jitter)).every_draw(fraction).run();
        seen.sleeps[20]
    };
    assert_eq!(at_k_20(Jitter::Full, 0.0), us(1), "the shortest jittered sleep");
    assert_eq!(at_k_20(Jitter::Full, 0.999), ms(59_940));
    assert_eq!(at_k_20(Jitter::Equal, 0.0), ms(30_000));
    assert_eq!(at_k_20(Jitter::Equal, 0.999), ms(59_970));
}

#[test]
fn ji_10_a_zero_delay_is_refused_with_jitter_too() {
    let built = ExponentialBackoff::builder().initial(Duration::ZERO).jitter(Jitter::Full).max_attempts(4).build();
    let message = built.expect_err("zero is refused").to_string();
    assert_eq!(message, "`initial` can't be `0s`: the first delay must be longer than zero, such as `200ms`");
}

#[test]
fn ji_11_a_draw_of_zero_sleeps_a_microsecond() {
    let policy = from_100ms(3).jitter(Jitter::Full);
    let seen = Case::new(policy).ops([Op::Fails, Op::Fails, Op::Succeeds]).draws([0.0, 0.5]).run();
    assert_eq!(seen.sleeps, [us(1), ms(100)]);
    assert_eq!((seen.calls(), seen.result), (3, Ok(())));
}

#[test]
fn ji_13_nothing_is_rounded_to_milliseconds() {
    let policy = unlimited().initial(ms(1)).max_attempts(3).jitter(Jitter::Full);
    assert_eq!(Case::new(policy).draws([0.9, 0.4]).run().sleeps, [us(900), us(800)]);
    // Nor to microseconds.
    let fine = policy.initial(Duration::from_nanos(3_333));
    assert_eq!(Case::new(fine).draws([0.5, 0.5]).run().sleeps, nanos([1_666, 3_333]));
}

#[test]
fn ji_15_the_initial_delay_is_a_factor_and_a_cap_of_zero_no_cap() {
    let policy = unlimited().initial(ms(10)).max_delay(ms(5_000)).max_attempts(5);
    assert_eq!(Case::new(policy).run().sleeps, all_ms([10, 20, 40, 80]));
    let built = ExponentialBackoff::builder().max_delay(Duration::ZERO).jitter(Jitter::Full).build();
    let message = built.expect_err("zero is refused").to_string();
    assert_eq!(message, "`max_delay` can't be `0s`: it is the longest delay, such as `10s`; leave it out for no cap");
}

/// Five sleeps of full jitter, drawn by the default generator.
fn five_sleeps() -> Vec<Duration> {
    let time = VirtualTime::new();
    let error = from_100ms(6).jitter(Jitter::Full).time(&time).wait(|| None::<()>);
    assert!(error.is_err());
    time.sleeps()
}

/// What [`five_sleeps`] is in a fresh process.
fn in_a_process() -> String {
    let this = std::env::current_exe().expect("the path of this program");
    let child = Command::new(this)
        .args(["--exact", "child_process_prints_its_draws", "--nocapture"])
        .env(CHILD, "1")
        .stderr(Stdio::null())
        .output()
        .expect("a child process");
    let output = String::from_utf8(child.stdout).expect("text");
    let (_, after) = output.split_once("draws: ").expect("the draws");
    after.lines().next().expect("a line").to_owned()
}

#[test]
fn child_process_prints_its_draws() {
    if std::env::var_os(CHILD).is_some() {
        println!("draws: {:?}", five_sleeps());
    }
}

#[test]
fn ji_16_processes_do_not_share_their_draws() {
    let sequences: HashSet<_> = (0..200).map(|_| in_a_process()).collect();
    assert_eq!(sequences.len(), 200);
}

#[test]
fn ji_18_threads_and_children_do_not_repeat_each_other() {
    let threads: Vec<_> = (0..200).map(|_| std::thread::spawn(|| SystemRandom.next_u64())).collect();
    let first: HashSet<_> = threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
    assert_eq!(first.len(), 200, "every thread starts somewhere else");

    // The parent has drawn before its children start. A bare `fork`, which copies the generator, needs unsafe code; that
    // it is noticed is tested beside the generator.
    let parent = format!("{:?}", five_sleeps());
    let all = HashSet::from([parent, in_a_process(), in_a_process(), format!("{:?}", five_sleeps())]);
    assert_eq!(all.len(), 4);
}

#[test]
fn ji_20_decorrelated_jitter_is_refused_with_the_reason() {
    let error = "decorrelated".parse::<Jitter>().expect_err("it is not offered");
    assert_eq!(
        error.to_string(),
        "`jitter` can't be `decorrelated`: it replaces the growth instead of spreading it, and piles a quarter of its \
         draws on the cap; choose `full`"
    );
}

#[test]
fn ji_21_one_draw_for_each_sleep_and_none_without_jitter() {
    let policy = from_100ms(4);
    let full = Case::new(policy.jitter(Jitter::Full)).draws([0.1, 0.2, 0.3]).run();
    assert_eq!(full.sleeps, all_ms([10, 40, 120]));
    assert_eq!(full.widths(), [100_000_000, 200_000_000, 400_000_000]);
    assert_eq!(full.reason(), Reason::Attempts);
    let none = Case::new(policy).run();
    assert_eq!(none.sleeps, all_ms([100, 200, 400]));
    assert_eq!(none.draws, []);
}

#[test]
fn the_last_sleep_is_spread_by_default_with_jitter_and_trimmed_without() {
    let policy = ExponentialBackoff::new().initial(ms(400)).budget(ms(1_000));
    // 400 ms, then 600 remain and the delay of 800 ms reaches them.
    assert_eq!(Case::new(policy).run().sleeps, all_ms([400, 600]));
    let full = Case::new(policy.jitter(Jitter::Full)).draws([1.0, 1.0, 0.5]).run();
    assert_eq!(full.sleeps, all_ms([400, 450]), "half of 600 ms, and half of the other half");
    assert_eq!(full.widths(), [400_000_000, 800_000_000, 300_000_000], "a fresh draw for the spread");
    assert_eq!((full.calls(), full.reason(), full.end), (3, Reason::Budget, ms(850)));
}
