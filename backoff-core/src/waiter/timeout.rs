//! A limit for each attempt, which only async attempts can have.

use core::time::Duration;

use crate::clock::{AsyncSleep, AsyncTime, System, Timeline};

/// An async time that cuts attempts. Made by [`Waiter::attempt_timeout`](super::Waiter::attempt_timeout).
#[derive(Clone, Copy, Debug)]
pub struct Timed<T> {
    time: T,
    limit: Duration,
}

impl<T> Timed<T> {
    pub(crate) const fn new(time: T, limit: Duration) -> Self {
        Self { time, limit }
    }
}

impl<T: Timeline> Timeline for Timed<T> {
    type Instant = T::Instant;
}

impl<T: AsyncTime> AsyncTime for Timed<T> {
    type Time = T::Time;

    #[inline]
    fn asynchronous(&self) -> &T::Time {
        self.time.asynchronous()
    }

    #[inline]
    fn attempt_timeout(&self) -> Option<Duration> {
        Some(self.limit)
    }
}

/// An async time that cuts nothing: what an annotated function without `attempt_timeout` can use.
#[diagnostic::on_unimplemented(
    message = "this waiter has an `attempt_timeout`, which has to stand in the attribute",
    label = "a cut attempt would have nothing to return",
    note = "write `attempt_timeout = \"5s\"` in the attribute, and leave it out of the waiter"
)]
pub trait Uncut: AsyncTime {}

impl<S: AsyncSleep> Uncut for S {}

impl Uncut for System where for<'late> System: AsyncTime {}
