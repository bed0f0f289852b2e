//! Fleets of clients in front of one service, simulated on the real engine.
//!
//! Every decision about retrying is the engine's: [`Run`](backoff_core::run::Run) decides whether and how long to sleep,
//! [`RetryTokens`](backoff_core::guard::RetryTokens) whether a retry is allowed,
//! [`SuccessClock`](backoff_core::guard::SuccessClock) when one that waits may go, [`Pacer`](backoff_core::guard::Pacer)
//! when the next call may. This module only supplies the world around them: time, a network, a server of limited capacity,
//! and a crowd.
//!
//! ```
//! use backoff_lab::fleet::{Scenario, Strategy, simulate};
//!
//! // five processes of a hundred calls, which all failed at once
//! let scenario = Scenario { processes: 5, ..Scenario::herd() };
//! let outcome = simulate(&scenario, &Strategy::full(&scenario), 1)?;
//! assert_eq!(outcome.served, 500);
//! assert!(outcome.calls_per_request() > 2.0);
//! # Ok::<(), backoff_lab::fleet::ScenarioError>(())
//! ```

pub mod bars;
mod calendar;
pub mod conditions;
mod crowd;
mod network;
mod outcome;
pub mod record;
pub mod report;
mod scenario;
mod server;
mod simulation;
mod strategy;

pub use outcome::{Outcome, Slice};
pub use scenario::{Load, Scenario, ScenarioError, Server};
pub use simulation::{Progress, simulate, simulate_with};
pub use strategy::{Budget, Guard, Line, Pacing, Strategy};
