//! From tokens to options and to the parts of a function.
//!
//! Everything is read token by token. A full grammar of Rust would cost every user a second of compilation, and would
//! refuse syntax that is newer than itself.

mod commas;
mod item;
mod options;
mod tokens;
mod types;

pub(crate) use item::{Function, Item, NotAFunction, item, mutable_borrows};
pub(crate) use options::{Argument, options};
pub(crate) use tokens::{has_word, is_named, is_punct, is_word, peel, peeled, regrouped, same, span_of, trees};
pub(crate) use types::{mentions, without_impl_trait};
