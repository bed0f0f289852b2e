#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error_kind;
pub mod hint;
pub mod idempotency;
pub mod inspect;
mod judge;
mod operation;
mod phase;
mod rules;
mod verdict;

pub use error_kind::ErrorKind;
pub use idempotency::IdempotencyKey;
pub use judge::{Judge, is_settled, is_transient, is_unsent, retry_after};
pub use operation::Operation;
pub use phase::Phase;
pub use rules::{OnStatus, Rules};
pub use verdict::{Verdict, Why};
