//! See a retry policy before you ship it: schedules as tables and pictures, fleets of clients simulated on the real engine.

pub mod fleet;
