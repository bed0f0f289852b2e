//! Random cases: each from a seed and its number, so that any of them can be made again.

use backoff_core::{FinalSleep, Jitter};

use crate::case::{Case, LONGEST, Op, Step, Wake};

/// A generator of numbers (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }

    fn is_one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.is_one_in(2) { Some(make(self)) } else { None }
    }

    fn one_of<T: Copy, const N: usize>(&mut self, list: [T; N]) -> T {
        list[usize::try_from(self.below(N as u64)).unwrap_or(0)]
    }

    fn byte(&mut self) -> u8 {
        match self.below(4) {
            0 => 0,
            1 => 255,
            _ => u8::try_from(self.below(256)).unwrap_or(0),
        }
    }
}

/// How large the times of a case are.
#[derive(Clone, Copy)]
enum Scale {
    /// A few nanoseconds: sums and halves often meet.
    Nanos,
    /// A few microseconds, the least that a jittered sleep takes.
    Micros,
    /// Milliseconds up to a minute.
    Life,
    /// Everything, up to the end of time.
    Any,
}

impl Scale {
    /// At least one nanosecond.
    fn time(self, dice: &mut Dice) -> u128 {
        let nanos = match self {
            Self::Nanos => 1 + dice.below(40),
            Self::Micros => 500 * (1 + dice.below(24)),
            Self::Life => 1_000_000 * (1 + dice.below(60_000)),
            Self::Any if dice.is_one_in(40) => return LONGEST - u128::from(dice.below(3)),
            Self::Any => (dice.word() >> dice.below(64)).max(1),
        };
        nanos.into()
    }
}

impl Case {
    /// The case of that number.
    #[must_use]
    pub fn random(seed: u64, number: u64) -> Self {
        let dice = &mut Dice(seed ^ number.wrapping_mul(0xd605_1f27_d8a2_3c2b));
        let scale = dice.one_of([Scale::Nanos, Scale::Micros, Scale::Life, Scale::Any]);
        let time = |dice: &mut Dice| scale.time(dice);
        // Budgets are sums of some times, so that runs reach their end after some retries.
        let long = |dice: &mut Dice| (0..=dice.below(40)).map(|_| scale.time(dice)).sum::<u128>().min(LONGEST);
        let steps = (0..=dice.below(40)).map(|_| step(dice, scale)).collect();
        Self {
            initial: time(dice),
            budget: dice.maybe(long),
            multiplier: multiplier(dice),
            max_delay: dice.maybe(long),
            max_attempts: if dice.is_one_in(3) { u32::try_from(1 + dice.below(12)).ok() } else { None },
            jitter: dice.one_of([Jitter::None, Jitter::Full, Jitter::Equal]),
            final_sleep: dice.maybe(|dice| dice.one_of([FinalSleep::Trim, FinalSleep::Spread, FinalSleep::Skip])),
            max_hint: long(dice),
            deadline: if dice.is_one_in(3) { i128::try_from(long(dice)).ok().map(|at| at - early(dice)) } else { None },
            timeout: if dice.is_one_in(4) { Some(time(dice)) } else { None },
            steps,
            draws: (0..=dice.below(6)).map(|_| dice.byte()).collect(),
        }
    }
}

/// Some deadlines have passed before the run begins.
fn early(dice: &mut Dice) -> i128 {
    if dice.is_one_in(10) { i128::MAX >> 40 } else { 0 }
}

fn multiplier(dice: &mut Dice) -> f64 {
    let small = |number: u64| f64::from(u32::try_from(number).unwrap_or(1));
    match dice.below(6) {
        0 => 2.0,
        1 => small(2 + dice.below(1_000)),
        2 => 1.0 + small(1 + dice.below(160)) / 16.0,
        // Fractions that have no short binary form.
        3 => 1.0 + small(1 + dice.below(99)) / 10.0,
        4 => 1.0 + small(1 + dice.below(1_000_000)) / 1_000_000.0,
        // Any number from 1 to infinity.
        _ => f64::from_bits(0x3ff0_0000_0000_0001 + dice.below(0x3fff_ffff_ffff_ffff)),
    }
}

fn step(dice: &mut Dice, scale: Scale) -> Step {
    let hint = if dice.is_one_in(8) { Some(if dice.is_one_in(6) { 0 } else { scale.time(dice) }) } else { None };
    let op = match dice.below(60) {
        0 => Op::Succeeds,
        1 => Op::Fails { transient: false, hint },
        _ => Op::Fails { transient: true, hint },
    };
    let takes = if dice.is_one_in(2) { 0 } else { scale.time(dice) };
    let shift = match dice.below(10) {
        0 => signed(scale.time(dice)),
        1 => -signed(scale.time(dice)),
        _ => 0,
    };
    let wake = match dice.below(12) {
        0 => Wake::Part(dice.byte()),
        1 => Wake::Late(scale.time(dice)),
        2 => Wake::Back(scale.time(dice)),
        _ => Wake::InTime,
    };
    Step { op, takes, shift, wake }
}

fn signed(nanos: u128) -> i128 {
    i128::try_from(nanos).unwrap_or(0)
}
