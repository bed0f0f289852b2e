//! A limit for each attempt, which only async attempts can have.

use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::Poll;
use core::time::Duration;

use crate::clock::{AsyncSleep, AsyncTime, Layered, System, Timeline};

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

impl<T: Layered> Layered for Timed<T> {
    type Over<U: Timeline> = Timed<T::Over<U>>;

    fn over<U: Timeline>(self, time: U) -> Self::Over<U> {
        Timed { time: self.time.over(time), limit: self.limit }
    }
}

impl<T: AsyncTime> AsyncTime for Timed<T> {
    type Time = T::Time;

    #[inline]
    fn asynchronous(&self) -> &T::Time {
        self.time.asynchronous()
    }

    fn timed<F: Future>(
        &self,
        limit: impl FnOnce(Duration) -> Duration,
        mut attempt: Pin<&mut F>,
    ) -> impl Future<Output = Option<F::Output>> {
        let limit = limit(self.limit);
        async move {
            let mut timer = pin!(self.asynchronous().sleep_async(limit));
            poll_fn(move |context| match attempt.as_mut().poll(context) {
                Poll::Ready(outcome) => Poll::Ready(Some(outcome)),
                Poll::Pending => timer.as_mut().poll(context).map(|()| None),
            })
            .await
        }
    }
}

/// An async time that cuts nothing: what an annotated function without `attempt_timeout` can use.
#[diagnostic::on_unimplemented(
    message = "this waiter has an `attempt_timeout`, which nothing here would carry out",
    label = "a timeout for attempts can't come with the waiter",
    note = "for an annotated function write `attempt_timeout = \"5s\"` in the attribute and leave it out of the waiter; in a \
            loop written by hand cut the attempts yourself"
)]
pub trait Uncut: AsyncTime {}

impl<S: AsyncSleep> Uncut for S {}

impl Uncut for System where for<'late> System: AsyncTime {}
