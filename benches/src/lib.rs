//! What is measured: each scenario does one thing a given number of times, and counts nothing itself.

/// A scenario that repeats one expression over a state of its own.
macro_rules! repeat {
    ($state:ident: $make:expr => $body:expr) => {
        |times| {
            let mut $state = $make;
            for _ in 0..times {
                let _ = ::std::hint::black_box($body);
            }
            ::std::hint::black_box(&mut $state);
        }
    };
}

mod asynchronous;
mod blocking;
mod delay;
mod guards;
mod operation;
mod retries;
pub mod sizes;
pub mod waiting;
pub mod wakeups;

pub use operation::Failure;

/// A name and what to repeat.
pub type Scenario = (&'static str, fn(u64));

/// All of them. A name is `row/candidate`.
pub fn scenarios() -> impl Iterator<Item = Scenario> {
    [blocking::SCENARIOS, asynchronous::SCENARIOS, retries::SCENARIOS, delay::SCENARIOS, guards::SCENARIOS]
        .into_iter()
        .flatten()
        .copied()
}
