//! One run, as data that can be pasted into a test.

use std::fmt;
use std::time::Duration;

use backoff_core::{ExponentialBackoff, FinalSleep, Jitter};

/// The longest duration there is, in nanoseconds.
pub(crate) const LONGEST: u128 = Duration::MAX.as_nanos();

/// A policy and everything that happens to a run under it. Times are nanoseconds.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of a policy")]
pub struct Case {
    pub initial: u128,
    pub budget: Option<u128>,
    pub multiplier: f64,
    pub max_delay: Option<u128>,
    pub max_attempts: Option<u32>,
    pub jitter: Jitter,
    pub final_sleep: Option<FinalSleep>,
    pub max_hint: u128,
    /// What the clock shows then; it begins at zero.
    pub deadline: Option<i128>,
    /// The timeout for attempts.
    pub timeout: Option<u128>,
    /// What happens call by call. Behind the last the operation succeeds.
    pub steps: Vec<Step>,
    /// The draws, in 255ths of the width, round and round.
    pub draws: Vec<u8>,
}

/// One call of the operation, and the sleep that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it does.
    pub op: Op,
    /// How long it takes.
    pub takes: u128,
    /// By how much the clock is wrong afterwards.
    pub shift: i128,
    /// How the sleep ends.
    pub wake: Wake,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// It returns a value.
    Succeeds,
    /// It fails.
    #[expect(missing_docs, reason = "what is known of the failure")]
    Fails { transient: bool, hint: Option<u128> },
}

/// What the clock shows after a sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// That it has been slept out.
    InTime,
    /// That only so many 255ths of it have passed; none if the clock stands still.
    Part(u8),
    /// That more has passed.
    Late(u128),
    /// An earlier time than before.
    Back(u128),
}

impl Step {
    const LAST: Self = Self { op: Op::Succeeds, takes: 0, shift: 0, wake: Wake::InTime };
}

impl Case {
    /// What happens in a call, counted from 1.
    #[must_use]
    pub fn step(&self, call: usize) -> Step {
        self.steps.get(call - 1).copied().unwrap_or(Step::LAST)
    }

    /// The policy of the run.
    pub(crate) fn policy(&self) -> ExponentialBackoff {
        let mut policy = ExponentialBackoff::new()
            .initial(duration(self.initial))
            .multiplier(self.multiplier)
            .jitter(self.jitter)
            .max_hint(duration(self.max_hint));
        policy = self.budget.map_or(policy.unlimited(), |budget| policy.budget(duration(budget)));
        policy = self.max_delay.map_or(policy, |max_delay| policy.max_delay(duration(max_delay)));
        policy = self.max_attempts.map_or(policy, |max_attempts| policy.max_attempts(max_attempts));
        self.final_sleep.map_or(policy, |final_sleep| policy.final_sleep(final_sleep))
    }
}

/// That many nanoseconds.
pub(crate) fn duration(nanos: u128) -> Duration {
    const SECOND: u128 = 1_000_000_000;
    let (seconds, rest) = (nanos / SECOND, nanos % SECOND);
    match (u64::try_from(seconds), u32::try_from(rest)) {
        (Ok(seconds), Ok(rest)) => Duration::new(seconds, rest),
        _ => Duration::MAX,
    }
}

/// Rust, to be pasted.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |value: &dyn fmt::Debug, of: &str| format!("{value:?}").replace("Some(", &format!("Some({of}::"));
        writeln!(f, "Case {{")?;
        writeln!(f, "    initial: {},", self.initial)?;
        writeln!(f, "    budget: {:?},", self.budget)?;
        writeln!(f, "    multiplier: {:?},", self.multiplier)?;
        writeln!(f, "    max_delay: {:?},", self.max_delay)?;
        writeln!(f, "    max_attempts: {:?},", self.max_attempts)?;
        writeln!(f, "    jitter: Jitter::{:?},", self.jitter)?;
        writeln!(f, "    final_sleep: {},", named(&self.final_sleep, "FinalSleep"))?;
        writeln!(f, "    max_hint: {},", self.max_hint)?;
        writeln!(f, "    deadline: {:?},", self.deadline)?;
        writeln!(f, "    timeout: {:?},", self.timeout)?;
        writeln!(f, "    steps: vec![")?;
        for Step { op, takes, shift, wake } in &self.steps {
            writeln!(f, "        Step {{ op: Op::{op:?}, takes: {takes}, shift: {shift}, wake: Wake::{wake:?} }},")?;
        }
        writeln!(f, "    ],")?;
        writeln!(f, "    draws: vec!{:?},", self.draws)?;
        write!(f, "}}")
    }
}
