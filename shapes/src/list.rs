//! All shapes, in groups.

mod asynchronous;
mod attributes;
mod control_flow;
mod generics;
mod hygiene;
mod parameters;
mod receivers;
mod returns;

use crate::shape::Shape;

/// The groups, each with its heading.
#[must_use]
pub fn groups() -> Vec<(&'static str, Vec<Shape>)> {
    vec![
        ("Receivers", receivers::shapes()),
        ("Parameters", parameters::shapes()),
        ("Generics", generics::shapes()),
        ("Returns", returns::shapes()),
        ("Async", asynchronous::shapes()),
        ("Control flow", control_flow::shapes()),
        ("Attributes", attributes::shapes()),
        ("Hygiene", hygiene::shapes()),
    ]
}
