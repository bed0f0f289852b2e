//! What a simulation measured.

use std::time::Duration;

use super::scenario::{Load, Scenario};

/// The figures of one simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// How many requests were made.
    pub requests: u64,
    /// How many of them were served, at whatever attempt.
    pub served: u64,
    /// How many of them ended with a failure. What is neither was under way at the end.
    pub given_up: u64,
    /// How many calls were made, first attempts included.
    pub calls: u64,
    /// What happened, in slices of [`Outcome::SLICE`] from time zero.
    pub slices: Vec<Slice>,
    /// For each request that was served, how long it took from its first attempt, in microseconds; in ascending order.
    pub latencies: Vec<u32>,
    /// When the request was served with which 99 % of all were, since the end of the outage.
    pub served_99: Option<Duration>,
    /// When the last of all requests was served, since the end of the outage.
    pub served_all: Option<Duration>,
    /// The capacity of the server, for each millisecond.
    pub capacity: f64,
    /// The end of the outage.
    pub outage_end: Duration,
    /// When no more requests were made.
    pub new_until: Duration,
    /// The share of requests that fail although the server had room for them.
    pub errors: f64,
}

/// What happened within a slice of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// Calls that reached the server.
    pub arrived: u32,
    /// Calls among them that were served.
    pub served: u32,
    /// Calls among them that were dropped without an answer.
    pub dropped: u32,
    /// Retries among the calls that arrived.
    pub retries: u32,
    /// Requests whose first attempt began.
    pub new: u32,
    /// Requests among those that were served at the first attempt.
    pub new_served: u32,
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
impl Outcome {
    /// The length of a slice: 10 ms.
    pub const SLICE: Duration = Duration::from_millis(10);

    /// The share of the requests that were served.
    #[must_use]
    pub fn served_share(&self) -> f64 {
        self.served as f64 / self.requests.max(1) as f64
    }

    /// The share of the requests that ended with a failure.
    #[must_use]
    pub fn given_up_share(&self) -> f64 {
        self.given_up as f64 / self.requests.max(1) as f64
    }

    /// Calls for each request, first attempts included.
    #[must_use]
    pub fn calls_per_request(&self) -> f64 {
        self.calls as f64 / self.requests.max(1) as f64
    }

    /// The most that arrived within a tenth of a second after the end of the outage, in multiples of the capacity.
    #[must_use]
    pub fn peak(&self) -> f64 {
        self.peak_within(10)
    }

    /// The most that arrived within so many slices after the end of the outage, in multiples of the capacity.
    #[must_use]
    pub fn peak_within(&self, slices: usize) -> f64 {
        let slices = slices.max(1);
        let after = slice_of(self.outage_end).min(self.slices.len());
        let arrived = |slices: &[Slice]| slices.iter().map(|slice| u64::from(slice.arrived)).sum::<u64>();
        let peak = self.slices[after..].chunks(slices).map(arrived).max().unwrap_or(0);
        peak as f64 / (self.capacity * Self::SLICE.as_secs_f64() * 1_000.0 * slices as f64)
    }

    /// The latency that this share of the served requests did not exceed; zero if none was served.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
    pub fn latency(&self, share: f64) -> Duration {
        let last = self.latencies.len().saturating_sub(1);
        let at = (last as f64 * share.clamp(0.0, 1.0)).round() as usize;
        Duration::from_micros(self.latencies.get(at).copied().map_or(0, u64::from))
    }

    /// How long after the outage new traffic was whole: from then on, in each second that begins at a multiple of 100 ms,
    /// 99 % of the first attempts that did not fail by chance were served. None if that was not so until the end.
    #[must_use]
    pub fn whole_again(&self) -> Option<Duration> {
        const STEP: usize = 10;
        let first = slice_of(self.outage_end).div_ceil(STEP);
        let seconds = self.slices[..slice_of(self.new_until).min(self.slices.len())].chunks(STEP).collect::<Vec<_>>();
        let is_whole = |second: &[&[Slice]]| {
            let slices = || second.iter().copied().flatten();
            let new: u64 = slices().map(|slice| u64::from(slice.new)).sum();
            let served: u64 = slices().map(|slice| u64::from(slice.new_served)).sum();
            served as f64 * 100.0 >= new as f64 * 99.0 * (1.0 - self.errors)
        };
        let complete = seconds.len();
        let mut broken = seconds.windows(10).enumerate().skip(first).filter(|(_, second)| !is_whole(second));
        let whole = broken.next_back().map_or(first, |(at, _)| at + 1);
        let since = Self::SLICE * u32::try_from((whole - first) * STEP).unwrap_or(u32::MAX);
        (whole + 10 <= complete).then_some(since)
    }

    /// The smallest share of first attempts that were served within a second, from one second after the outage on.
    #[must_use]
    pub fn worst_second(&self) -> f64 {
        let from = slice_of(self.outage_end + Duration::from_secs(1)).min(self.slices.len());
        let until = slice_of(self.new_until).clamp(from, self.slices.len());
        let share = |slices: &[Slice]| {
            let new: u64 = slices.iter().map(|slice| u64::from(slice.new)).sum();
            let served: u64 = slices.iter().map(|slice| u64::from(slice.new_served)).sum();
            served as f64 / new.max(1) as f64
        };
        self.slices[from..until].chunks_exact(100).map(share).fold(1.0, f64::min)
    }

    /// How long the requests of a herd took together since the end of the outage, in multiples of what the server needs.
    #[must_use]
    pub fn times_optimum(&self) -> Option<f64> {
        let optimum = self.requests as f64 / self.capacity / 1_000.0;
        self.served_all.map(|all| all.as_secs_f64() / optimum)
    }

    pub(super) fn new(scenario: &Scenario) -> Self {
        let slices = slice_of(scenario.end) + 1;
        Self {
            slices: vec![Slice::default(); slices],
            capacity: scenario.server.capacity,
            errors: scenario.server.errors,
            outage_end: scenario.outage_end(),
            new_until: match scenario.load {
                Load::Herd { .. } => Duration::ZERO,
                Load::Traffic { lasts, .. } => lasts.min(scenario.end),
            },
            ..Self::default()
        }
    }

    pub(super) fn slice(&mut self, micros: u64) -> &mut Slice {
        let last = self.slices.len() - 1;
        let at = slice_of(Duration::from_micros(micros));
        &mut self.slices[at.min(last)]
    }
}

fn slice_of(time: Duration) -> usize {
    usize::try_from(time.as_nanos() / Outcome::SLICE.as_nanos()).unwrap_or(usize::MAX - 1)
}
