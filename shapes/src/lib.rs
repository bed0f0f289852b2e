//! Which function shapes the retry attributes support: `cargo run` measures, and writes `SHAPES.md`.
//!
//! Each shape is a function that fails twice and then succeeds. For each attribute it becomes a program, which is
//! compiled and run. Three calls are a retry; a program that does not compile is a refusal; anything else is a defect.

pub mod attribute;
mod list;
mod measure;
pub mod shape;
mod table;

pub use list::groups;
pub use measure::{Matrix, Row, Verdict, measure};
pub use table::{same_but_for_the_date, table};

use std::path::{Path, PathBuf};

/// Where the table is.
#[must_use]
pub fn path_of_the_table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("SHAPES.md")
}
