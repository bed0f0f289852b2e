//! Prints what a run does, one line for each attempt, as it happens.

use std::fmt::Display;
use std::time::{Duration, Instant};

use backoff_core::event::{GiveUp, Retry, Success};

/// The clock and the columns of one run.
pub(crate) struct Timeline {
    started: Instant,
    attempt: Duration,
    ended: Option<Duration>,
}

impl Timeline {
    /// Prints the headings.
    pub(crate) fn new(title: &str) -> Self {
        println!("\n{title}");
        println!("  attempt  starts at     slept  then sleeps  outcome");
        Self { started: Instant::now(), attempt: Duration::ZERO, ended: None }
    }

    /// An attempt begins.
    pub(crate) fn begin(&mut self) {
        self.attempt = self.started.elapsed();
    }

    /// An attempt failed, and another will follow.
    pub(crate) fn retry<F: Display>(&mut self, retry: &Retry<'_, F>) {
        let failure = retry.failure.map(ToString::to_string).unwrap_or_default();
        self.line(retry.attempt, &milliseconds(retry.delay), &failure);
    }

    /// An attempt failed, and it was the last.
    pub(crate) fn give_up<F: Display>(&mut self, end: &GiveUp<'_, F>) {
        let failure = end.failure.map(ToString::to_string).unwrap_or_default();
        self.line(end.stop.attempts, "-", &format!("{failure}; {}", end.stop.reason));
    }

    /// An attempt succeeded.
    pub(crate) fn success(&mut self, end: &Success) {
        self.line(end.attempts, "-", "success");
    }

    fn line(&mut self, attempt: u32, next: &str, outcome: &str) {
        let slept = self.ended.map_or("-".to_owned(), |ended| milliseconds(self.attempt.saturating_sub(ended)));
        println!("{attempt:>9}{:>11}{slept:>10}{next:>13}  {outcome}", milliseconds(self.attempt));
        self.ended = Some(self.started.elapsed());
    }
}

fn milliseconds(duration: Duration) -> String {
    format!("{} ms", duration.as_millis())
}
