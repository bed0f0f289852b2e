#![doc = include_str!("../README.md")]

pub mod chart;
pub mod cli;
pub mod contention;
pub mod csv;
pub mod draws;
pub mod error;
pub mod failing;
pub mod fleet;
pub mod herd;
pub mod html;
pub mod outage;
pub mod pacer;
pub mod plot;
pub mod quantiles;
pub mod report;
pub mod schedule;
pub mod source;
pub mod table;

pub use error::Error;
