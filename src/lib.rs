//! Nothing: the examples and tests of this package use the published crates.
