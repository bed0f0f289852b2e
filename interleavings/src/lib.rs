//! The models are in `tests/guards.rs`.
