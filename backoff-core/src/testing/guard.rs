//! The guard under which the default time is virtual.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::pin::pin;

use super::VirtualTime;
#[cfg(not(target_os = "unknown"))]
use crate::random::Random as _;

thread_local! {
    static ENTERED: RefCell<Vec<(u64, VirtualTime)>> = const { RefCell::new(Vec::new()) };
}

/// While it lives, runs in this thread that use the default time run in virtual time. Made by [`VirtualTime::enter`].
#[derive(Debug)]
#[must_use = "virtual time ends when the guard is dropped"]
pub struct Guard {
    id: u64,
    // It belongs to its thread.
    not_send: PhantomData<*const ()>,
}

impl Guard {
    fn new(time: &VirtualTime) -> Self {
        ENTERED.with_borrow_mut(|entered| {
            let id = entered.last().map_or(0, |(last, _)| last + 1);
            entered.push((id, time.clone()));
            Self { id, not_send: PhantomData }
        })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = ENTERED.try_with(|entered| entered.borrow_mut().retain(|(id, _)| *id != self.id));
    }
}

impl VirtualTime {
    /// Makes the default time of this thread virtual until the guard is dropped. Guards nest.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// let time = VirtualTime::new();
    /// let _guard = time.enter();
    /// assert_eq!(ExponentialBackoff::new().wait(|| None::<u8>).unwrap_err().elapsed().as_millis(), 3_500);
    /// ```
    pub fn enter(&self) -> Guard {
        Guard::new(self)
    }

    /// Makes the default time virtual inside a future, on whichever thread it is polled.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, testing::VirtualTime};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let time = VirtualTime::new();
    /// let run = ExponentialBackoff::new().wait_async(async || None::<u8>);
    /// assert_eq!(time.scope(run).await.unwrap_err().attempts(), 6);
    /// # }
    /// ```
    pub async fn scope<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        std::future::poll_fn(move |context| {
            let _guard = self.enter();
            future.as_mut().poll(context)
        })
        .await
    }
}

/// The virtual time of this thread, if there is one.
pub(crate) fn entered() -> Option<VirtualTime> {
    ENTERED.try_with(|entered| entered.borrow().last().map(|(_, time)| time.clone())).ok().flatten()
}

/// A draw from the script of this thread, if there is one.
#[cfg(not(target_os = "unknown"))]
pub(crate) fn scripted_draw(width: u128) -> Option<u128> {
    entered().and_then(|time| time.script()).map(|draws| draws.draw(width))
}
