//! Deadlines that are handed down without being told.
//!
//! A run with `propagate`, or a caller with [`within`], publishes an end to everything it calls in the same thread or
//! task. Inner runs look it up when an attempt has failed, or asks what remains, and only then: nothing is read on the path
//! without failure.
//! Threads and tasks that are spawned start without one.

use std::any::Any;
use std::cell::Cell;
use std::pin::pin;
use std::time::Instant;

thread_local! {
    static CURRENT: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// The deadline that is in force here, if any.
///
/// ```
/// assert_eq!(backoff_core::deadline::current(), None);
/// ```
#[must_use]
#[inline]
pub fn current() -> Option<Instant> {
    CURRENT.try_with(Cell::get).ok().flatten()
}

/// Calls `f` with a deadline in force: runs inside of it end by then. An earlier deadline from outside stays.
///
/// ```
/// use backoff_core::{deadline, ExponentialBackoff, Reason};
/// use std::time::Instant;
/// let error = deadline::within(Instant::now(), || {
///     ExponentialBackoff::new().retry(|| Err::<(), _>("down")).unwrap_err()
/// });
/// assert_eq!((error.reason(), error.attempts()), (Reason::Deadline, 1));
/// ```
pub fn within<R>(deadline: Instant, f: impl FnOnce() -> R) -> R {
    let _scope = Scope::enter(deadline);
    f()
}

/// As [`within`] for a future, which may move between threads: the deadline is in force only while it is polled.
///
/// ```
/// use backoff_core::deadline;
/// use std::time::Instant;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let end = Instant::now();
/// let seen = deadline::within_async(end, async { deadline::current() }).await;
/// assert_eq!(seen, Some(end));
/// # }
/// ```
pub async fn within_async<F: Future>(deadline: Instant, future: F) -> F::Output {
    let mut future = pin!(future);
    std::future::poll_fn(move |context| {
        let _scope = Scope::enter(deadline);
        future.as_mut().poll(context)
    })
    .await
}

/// Puts a deadline in force until it is dropped.
pub(crate) struct Scope {
    outer: Option<Instant>,
}

impl Scope {
    pub(crate) fn enter(deadline: Instant) -> Self {
        let outer = current();
        let nearer = outer.map_or(deadline, |outer| outer.min(deadline));
        set(Some(nearer));
        Self { outer }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        set(self.outer);
    }
}

/// While a thread is torn down there is nothing left to hand a deadline to.
fn set(deadline: Option<Instant>) {
    let _ = CURRENT.try_with(|current| current.set(deadline));
}

/// The deadline in force as an instant of some clock: none unless that clock counts in [`Instant`]s.
#[inline]
pub(crate) fn inherited<I: Copy + 'static>() -> Option<I> {
    let current: &dyn Any = &current()?;
    current.downcast_ref().copied()
}
