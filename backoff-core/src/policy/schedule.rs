//! What a policy does when every attempt fails at once, worked out by the engine itself.

use core::fmt;
use core::time::Duration;

use super::ExponentialBackoff;
use crate::random::Random;
use crate::run::{Decision, Elapsed, Failure, Run};
use backoff_policy::duration::text;
use backoff_policy::sentence::Sentence;

/// More attempts than this are not counted, and a table stops long before.
const COUNTED: usize = 10_000;
const PRINTED: usize = 20;
const BAR: u128 = 40;

/// The columns of a table, after the number of the retry. They are this wide, unless a long time needs more.
const RETRY: usize = 7;
const COLUMNS: [&str; 5] = ["delay", "shortest", "mean", "longest", "at the latest"];
const WIDTHS: [usize; COLUMNS.len()] = [12, 13, 13, 13, 16];
/// What stands between two columns at least, so that no number runs into the next.
const GAP: usize = 2;

/// What a policy does when every attempt fails at once: three runs of the engine side by side, one that always draws the
/// shortest sleep, one the middle, one the longest. Made by [`ExponentialBackoff::schedule`].
///
/// Prints as a table, of 20 rows at most, whose columns are wider where a time is long:
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// let table = ExponentialBackoff::new().max_attempts(3).schedule().to_string();
/// assert_eq!(table, "\
/// 200ms x2, no jitter, budget 3.5s, trim, 3 attempts
///   retry       delay     shortest         mean      longest   at the latest
///       1       200ms        200ms        200ms        200ms           200ms
///       2       400ms        400ms        400ms        400ms           600ms
/// 3 attempts
/// ");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    policy: ExponentialBackoff,
}

/// One sleep of a schedule. A sleep is none where that run has already ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScheduleRow {
    /// The number of the retry, from 1; the attempt after it is one more.
    pub retry: u32,
    /// What the formula says: [`ExponentialBackoff::delay`].
    pub delay: Duration,
    /// The sleep if every draw is the shortest.
    pub shortest: Option<Duration>,
    /// The sleep if every draw is in the middle.
    pub mean: Option<Duration>,
    /// The sleep if every draw is the longest.
    pub longest: Option<Duration>,
    /// When the attempt after the longest sleep starts, counted from the first attempt.
    pub latest: Option<Duration>,
}

impl Schedule {
    pub(super) const fn new(policy: ExponentialBackoff) -> Self {
        Self { policy }
    }

    /// The sleeps, one row each. Without end if nothing bounds the run.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Jitter};
    /// # use std::time::Duration;
    /// let schedule = ExponentialBackoff::new().jitter(Jitter::Equal).schedule();
    /// let row = schedule.rows().next().unwrap();
    /// assert_eq!(row.delay, Duration::from_millis(200));
    /// assert_eq!(row.shortest, Some(Duration::from_millis(100)));
    /// assert_eq!(row.mean, Some(Duration::from_millis(150)));
    /// assert_eq!(row.longest, Some(Duration::from_millis(200)));
    /// ```
    pub const fn rows(&self) -> Rows {
        let track = Track { run: Run::new(), elapsed: Duration::ZERO, over: false };
        Rows { policy: self.policy, tracks: [track; 3], retry: 0 }
    }

    /// How many attempts are made if every draw is the longest, which is the fewest there can be: none if there is no end
    /// within 10,000.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().schedule().attempts(), Some(6));
    /// assert_eq!(ExponentialBackoff::new().unlimited().schedule().attempts(), None);
    /// ```
    #[must_use]
    pub fn attempts(&self) -> Option<u32> {
        self.count(|row| row.longest)
    }

    /// How many attempts are made if every draw is in the middle, which is about what to expect.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Jitter};
    /// assert_eq!(ExponentialBackoff::new().jitter(Jitter::Full).schedule().typical_attempts(), Some(7));
    /// ```
    #[must_use]
    pub fn typical_attempts(&self) -> Option<u32> {
        self.count(|row| row.mean)
    }

    fn count(&self, sleep: impl Fn(&ScheduleRow) -> Option<Duration>) -> Option<u32> {
        let retries = self.rows().take(COUNTED).take_while(|row| sleep(row).is_some()).count();
        if retries == COUNTED { None } else { u32::try_from(retries + 1).ok() }
    }

    /// The same as a picture: a bar for each sleep, solid up to the shortest and shaded up to the longest.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Jitter};
    /// println!("{}", ExponentialBackoff::new().jitter(Jitter::Equal).schedule().bars());
    /// ```
    #[must_use]
    pub const fn bars(&self) -> Bars {
        Bars { schedule: *self }
    }

    /// The rows that are worth printing: until the middle and the longest run have ended.
    fn printed(&self) -> impl Iterator<Item = ScheduleRow> {
        self.rows().take_while(|row| row.mean.is_some() || row.longest.is_some()).take(PRINTED)
    }

    /// How wide the columns are for what stands in them.
    fn widths(&self) -> [usize; COLUMNS.len()] {
        let mut widths = WIDTHS;
        for row in self.printed() {
            for (width, cell) in widths.iter_mut().zip(row.cells()) {
                *width = (*width).max(GAP + cell.len());
            }
        }
        widths
    }
}

/// The rows of a [`Schedule`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy"]
pub struct Rows {
    policy: ExponentialBackoff,
    tracks: [Track; 3],
    retry: u32,
}

/// A run whose attempts take no time, and whose draws are all alike.
#[derive(Clone, Copy, Debug)]
struct Track {
    run: Run,
    elapsed: Duration,
    over: bool,
}

/// Always the same share of the width, in halves.
#[derive(Clone, Copy)]
struct Halves(u128);

impl Random for Halves {
    fn next_u64(&self) -> u64 {
        0
    }

    fn draw(&self, width: u128) -> u128 {
        // A width is a duration: 94 bits at most.
        width * self.0 / 2
    }
}

impl Track {
    fn fail(&mut self, policy: &ExponentialBackoff, draw: Halves) -> Option<Duration> {
        if self.over {
            return None;
        }
        match self.run.failed(policy, Failure::transient(), Elapsed::since_start(self.elapsed), &draw) {
            Decision::Sleep(pause) => {
                self.elapsed = self.elapsed.saturating_add(pause.sleep);
                Some(pause.sleep)
            }
            Decision::Stop(_) => {
                self.over = true;
                None
            }
        }
    }
}

impl Iterator for Rows {
    type Item = ScheduleRow;

    fn next(&mut self) -> Option<ScheduleRow> {
        let delay = self.policy.delay(self.retry);
        self.retry = self.retry.saturating_add(1);
        let [short, middle, long] = &mut self.tracks;
        let shortest = short.fail(&self.policy, Halves(0));
        let mean = middle.fail(&self.policy, Halves(1));
        let longest = long.fail(&self.policy, Halves(2));
        shortest.or(mean).or(longest)?;
        let latest = longest.map(|_| long.elapsed);
        Some(ScheduleRow { retry: self.retry, delay, shortest, mean, longest, latest })
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.policy)?;
        let widths = self.widths();
        write!(f, "{:>RETRY$}", "retry")?;
        for (name, width) in COLUMNS.iter().zip(widths) {
            write!(f, "{name:>width$}")?;
        }
        writeln!(f)?;
        for row in self.printed() {
            write!(f, "{:>RETRY$}", row.retry)?;
            for (cell, width) in row.cells().iter().zip(widths) {
                write!(f, "{cell:>width$}")?;
            }
            writeln!(f)?;
        }
        match (self.attempts(), self.typical_attempts()) {
            (Some(1), Some(1)) => writeln!(f, "1 attempt"),
            (Some(fewest), Some(typical)) if fewest == typical => writeln!(f, "{fewest} attempts"),
            (Some(fewest), Some(typical)) => writeln!(f, "{fewest} attempts or more, typically {typical}"),
            _ => writeln!(f, "and so on"),
        }
    }
}

impl ScheduleRow {
    const fn cells(&self) -> [Cell; COLUMNS.len()] {
        [Cell(Some(self.delay)), Cell(self.shortest), Cell(self.mean), Cell(self.longest), Cell(self.latest)]
    }
}

/// A duration in a table, or a dash.
#[derive(Clone, Copy)]
struct Cell(Option<Duration>);

impl Cell {
    /// How many characters it prints; all are ASCII.
    fn len(self) -> usize {
        self.0.map_or(1, |duration| Sentence::new().duration(duration).as_str().len())
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(duration) => fmt::Display::fmt(&text(duration), f),
            None => f.pad("-"),
        }
    }
}

/// A [`Schedule`] as a picture. Made by [`Schedule::bars`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bars {
    schedule: Schedule,
}

impl fmt::Display for Bars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The middle run may sleep longer, where the longest one has no budget left for it.
        let longest = |row: &ScheduleRow| row.longest.max(row.mean);
        let nanos = |row: &ScheduleRow| longest(row).unwrap_or_default().as_nanos();
        let scale = self.schedule.printed().map(|row| nanos(&row)).max().unwrap_or(0).max(1);
        for row in self.schedule.printed() {
            let end = (nanos(&row).saturating_mul(BAR) / scale).max(1);
            let solid = row.shortest.unwrap_or_default().as_nanos().saturating_mul(BAR) / scale;
            write!(f, "{:>5} ", row.retry)?;
            (0..end).try_for_each(|at| f.write_str(if at < solid { "█" } else { "░" }))?;
            writeln!(f, " {}", Cell(longest(&row)))?;
        }
        Ok(())
    }
}
