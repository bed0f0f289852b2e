//! Generators behind pointers, and how a draw is made of 64 random bits: evenly, so that some bits are drawn again.

use std::cell::Cell;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use backoff_core::random::{FromRng, NoRandom, Random};
use backoff_core::run::{Decision, Elapsed, Failure, Run};
use backoff_core::{ExponentialBackoff, FinalSleep, Jitter};
use rand::rngs::SmallRng;
use rand::{Rng as _, SeedableRng as _};

/// Hands out these words, and counts them.
struct Words<const N: usize>([u64; N], Cell<usize>);

impl<const N: usize> Random for Words<N> {
    fn next_u64(&self) -> u64 {
        self.1.set(self.1.get() + 1);
        self.0[self.1.get() - 1]
    }
}

/// What is drawn from `0..=width`, and how many words that took.
fn drawn<const N: usize>(words: [u64; N], width: u128) -> (u128, usize) {
    let words = Words(words, Cell::new(0));
    (words.draw(width), words.1.get())
}

const HALF: u64 = 1 << 63;
const WIDEST: u128 = u64::MAX as u128;

#[test]
fn a_draw_is_the_upper_half_of_a_product() {
    assert_eq!(drawn([], 0), (0, 0));
    assert_eq!(drawn([HALF], 1), (1, 1));
    assert_eq!(drawn([HALF - 1], 1), (0, 1));
    assert_eq!(drawn([u64::MAX], 199_999_999), (199_999_999, 1));
    assert_eq!(drawn([HALF + 1], 199_999_999), (100_000_000, 1));
    assert_eq!(drawn([7], WIDEST), (7, 1));
}

#[test]
fn bits_that_would_favour_a_number_are_drawn_again() {
    // Three numbers: two to the 64 is one more than a multiple of three, so one of all words has to go.
    assert_eq!(drawn([0, HALF], 2), (1, 2));
    assert_eq!(drawn([0, 0, u64::MAX], 2), (2, 3));
    assert_eq!(drawn([0xaaaa_aaaa_aaaa_aaab], 2), (2, 1), "the next word is the first that may stay");
    assert_eq!(drawn([1], 2), (0, 1));
}

#[test]
fn wide_draws_are_made_of_two_words_and_again_if_they_are_beyond() {
    let width = WIDEST + 1;
    assert_eq!(drawn([0, 5], width), (5, 2));
    assert_eq!(drawn([1, 0], width), (width, 2));
    assert_eq!(drawn([1, 1, 2, 9], width), (9, 4), "bits above the width do not count");
    assert_eq!(drawn([u64::MAX, u64::MAX], u128::MAX), (u128::MAX, 2));
}

/// Writes down what it is asked.
#[derive(Default)]
struct Spy(Mutex<Vec<String>>);

impl Spy {
    fn write(&self, line: impl Into<String>) {
        self.0.lock().expect("nothing panics here").push(line.into());
    }
}

impl Random for Spy {
    fn next_u64(&self) -> u64 {
        self.write("next");
        7
    }

    fn draw(&self, width: u128) -> u128 {
        self.write(format!("draw {width}"));
        5
    }

    fn refresh(&self) {
        self.write("refresh");
    }
}

fn asked<R: Random>(random: R) {
    random.refresh();
    assert_eq!((random.next_u64(), random.draw(9)), (7, 5));
}

#[test]
fn a_generator_is_asked_the_same_behind_a_reference_and_in_an_arc() {
    let spy = Arc::new(Spy::default());
    asked(&*spy);
    asked(Arc::clone(&spy));
    assert_eq!(*spy.0.lock().unwrap(), [["refresh", "next", "draw 9"]; 2].concat());
}

#[test]
fn a_run_is_announced_before_its_first_draw_and_not_again() {
    let spy = Spy::default();
    let policy = ExponentialBackoff::new().initial(Duration::from_millis(1));
    let jittered = policy.jitter(Jitter::Full);
    assert_eq!([0, 1, 2].map(|k| jittered.sleep(k, &spy)), [Duration::from_micros(1); 3]);
    assert_eq!(*spy.0.lock().unwrap(), ["refresh", "draw 1000000", "draw 2000000", "draw 4000000"]);

    let (spy, mut run) = (Spy::default(), Run::new());
    let plain = policy.budget(Duration::from_millis(2)).final_sleep(FinalSleep::Spread);
    for passed in [0, 1] {
        let time = Elapsed::since_start(Duration::from_millis(passed));
        assert!(matches!(run.failed(&plain, Failure::transient(), time, &spy), Decision::Sleep(_)));
    }
    assert_eq!(*spy.0.lock().unwrap(), ["refresh", "draw 500000"], "only the last sleep is drawn");
}

#[test]
fn a_generator_of_rand_hands_out_its_own_words() {
    let mut plain = SmallRng::seed_from_u64(7);
    let wrapped = FromRng::new(plain.clone());
    let words: [u64; 3] = std::array::from_fn(|_| wrapped.next_u64());
    assert_eq!(words, std::array::from_fn(|_| plain.next_u64()));
    assert_ne!(words[0], words[1]);
}

#[test]
fn without_randomness_every_draw_is_the_longest() {
    assert_eq!((NoRandom.draw(0), NoRandom.draw(9), NoRandom.draw(u128::MAX)), (0, 9, u128::MAX));
    assert_eq!(NoRandom.next_u64(), u64::MAX);
}
