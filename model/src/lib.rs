//! The contract once more, slow and plain, and the engine beside it.
//!
//! A [`Case`] is one run: a policy, what each call of the operation does and how long it takes, what the clock shows, when a
//! sleep wakes, and the draws. [`expected`] works out from the contract everything that can be seen of that run, in order;
//! [`seen`] runs the engine and writes down what it does. The two lists have to be the same, under every [`Driver`].
//!
//! `cargo run --release -p model -- 10000000` does that for ten million random runs.

mod case;
mod contract;
mod drivers;
mod growth;
mod random;
mod shrink;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use case::{Case, Op, Step, Wake};
pub use contract::expected;
pub use drivers::Driver;
pub use shrink::shrunk;

/// Everything that can be seen of a run, in the order in which it happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The clock is read.
    Read,
    /// The operation is called.
    Attempt(usize),
    /// The predicate looks at the failure of that call.
    Judged(usize),
    /// The server's wish is looked for in the failure of that call.
    Hinted(usize),
    /// A number from zero to that is drawn.
    Draw(u128),
    /// Observers hear of a retry.
    Retry {
        /// The number of the attempt that failed.
        attempt: u32,
        /// The sleep that follows.
        delay: u128,
        /// Since the start.
        elapsed: u128,
        /// Until the end.
        remaining: Option<u128>,
        /// The call that failed, unless it was cut.
        failure: Option<usize>,
    },
    /// A timer is started, for a sleep or for the end of an attempt.
    Timer(u128),
    /// Observers hear that the run gives up.
    GiveUp(End),
    /// Observers hear of a success.
    Success {
        /// How many attempts it took.
        attempts: u32,
        /// The sum of all sleeps.
        slept: u128,
    },
    /// The call whose value is returned.
    Returned(usize),
    /// The error that is returned.
    Failed(End),
    /// It did not end as it should: a panic, or a future that is never ready.
    Stuck(String),
}

/// How a run ends without success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Why.
    pub reason: backoff_core::Reason,
    /// How many attempts there were.
    pub attempts: u32,
    /// Since the start.
    pub elapsed: u128,
    /// The sum of all sleeps.
    pub slept: u128,
    /// What the server asked for, if that was the reason.
    pub hint: Option<u128>,
    /// The call that failed last, unless it was cut.
    pub failure: Option<usize>,
}

/// Where engine and contract differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Under which driver.
    pub driver: Driver,
    /// How much of the run is the same.
    pub same: usize,
    /// What the contract says follows.
    pub right: Option<Event>,
    /// What the engine does.
    pub wrong: Option<Event>,
}

/// Compares the engine with the contract under the drivers.
///
/// # Errors
/// The first difference.
pub fn compared(case: &Case, drivers: &[Driver]) -> Result<(), Box<Difference>> {
    let right = expected(case);
    for &driver in drivers {
        let wrong = seen(case, driver);
        if right != wrong {
            let same = right.iter().zip(&wrong).take_while(|(right, wrong)| right == wrong).count();
            let at = |list: &[Event]| list.get(same).cloned();
            return Err(Box::new(Difference { driver, same, right: at(&right), wrong: at(&wrong) }));
        }
    }
    Ok(())
}

/// What the engine does in that case, under that driver.
#[must_use]
pub fn seen(case: &Case, driver: Driver) -> Vec<Event> {
    let world = world::World::new(case);
    let stuck = catch_unwind(AssertUnwindSafe(|| driver.drive(&world))).err();
    let mut log = world.into_log();
    if let Some(panic) = stuck {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        log.push(Event::Stuck(text.unwrap_or_default()));
    }
    log
}
