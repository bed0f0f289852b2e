#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod deadline;
mod error_kind;
mod failed;
pub mod grpc;
pub mod hint;
pub mod idempotency;
pub mod inspect;
mod judge;
#[cfg(any(feature = "reqwest", feature = "tower"))]
mod kept;
mod operation;
mod phase;
#[cfg(feature = "reqwest")]
pub mod reqwest;
mod rules;
#[cfg(feature = "tower")]
pub mod tower;
#[cfg(feature = "ureq")]
pub mod ureq;
mod verdict;

pub use error_kind::ErrorKind;
pub use failed::{Cause, Failed};
pub use idempotency::IdempotencyKey;
pub use judge::{Judge, is_settled, is_transient, is_unsent, retry_after};
pub use operation::Operation;
pub use phase::Phase;
pub use rules::{OnStatus, Rules};
pub use verdict::{Verdict, Why};
