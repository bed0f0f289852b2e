//! The default: whatever clock and sleep the features provide.

/// The default time of a run: thread sleep for blocking runs, and for async runs the timer of the enabled feature.
///
/// | features | blocking | async |
/// |---|---|---|
/// | `std` | [`Threads`](super::Threads) | does not compile, and says which features help |
/// | `tokio` | [`Threads`](super::Threads) | [`Tokio`](super::Tokio) |
/// | `futures-timer` | [`Threads`](super::Threads) | [`FuturesTimer`](super::FuturesTimer) |
/// | both timers | [`Threads`](super::Threads) | tokio inside a tokio runtime, which must have time enabled, else the other |
/// | none | does not compile | does not compile |
///
/// With the feature `testing` all of them become virtual inside a [`VirtualTime`](crate::testing::VirtualTime) guard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct System;

#[cfg(not(feature = "std"))]
impl super::Timeline for System {
    type Instant = core::convert::Infallible;
}

#[cfg(feature = "std")]
mod blocking {
    use std::time::{Duration, Instant};

    use super::System;
    use crate::CancelToken;
    use crate::clock::{BlockingTime, Clock, Sleep, Threads, Timeline};

    /// Thread sleep, or virtual time under a guard.
    #[derive(Clone, Copy, Debug)]
    pub struct SystemThreads;

    impl Timeline for System {
        type Instant = Instant;
    }

    impl BlockingTime for System {
        type Time = SystemThreads;

        #[inline]
        fn blocking(&self) -> &SystemThreads {
            &SystemThreads
        }
    }

    impl Clock for SystemThreads {
        type Instant = Instant;

        #[inline]
        fn now(&self) -> Instant {
            #[cfg(feature = "testing")]
            if let Some(time) = crate::testing::entered() {
                return time.now();
            }
            Threads.now()
        }

        #[inline]
        fn elapsed(&self, from: Instant, to: Instant) -> Duration {
            Threads.elapsed(from, to)
        }
    }

    impl Sleep for SystemThreads {
        fn sleep(&self, duration: Duration) {
            #[cfg(feature = "testing")]
            if let Some(time) = crate::testing::entered() {
                return time.sleep(duration);
            }
            Threads.sleep(duration);
        }

        fn sleep_unless(&self, duration: Duration, token: &CancelToken) {
            #[cfg(feature = "testing")]
            if let Some(time) = crate::testing::entered() {
                return time.sleep_unless(duration, token);
            }
            Threads.sleep_unless(duration, token);
        }

        fn wakes(&self) -> bool {
            true
        }
    }
}

#[cfg(any(feature = "tokio", feature = "futures-timer"))]
mod asynchronous {
    use std::time::{Duration, Instant};

    use super::System;
    #[cfg(feature = "futures-timer")]
    use crate::clock::FuturesTimer;
    #[cfg(feature = "tokio")]
    use crate::clock::Tokio;
    use crate::clock::{AsyncSleep, AsyncTime, Clock};

    /// The timer of the enabled feature, or virtual time under a guard.
    #[derive(Clone, Copy, Debug)]
    pub struct SystemTimer;

    impl AsyncTime for System {
        type Time = SystemTimer;

        #[inline]
        fn asynchronous(&self) -> &SystemTimer {
            &SystemTimer
        }
    }

    impl Clock for SystemTimer {
        type Instant = Instant;

        #[inline]
        fn now(&self) -> Instant {
            #[cfg(feature = "testing")]
            if let Some(time) = crate::testing::entered() {
                return time.now();
            }
            #[cfg(feature = "tokio")]
            return Tokio.now();
            #[cfg(not(feature = "tokio"))]
            FuturesTimer.now()
        }

        #[inline]
        fn elapsed(&self, from: Instant, to: Instant) -> Duration {
            to.saturating_duration_since(from)
        }
    }

    #[cfg(not(feature = "testing"))]
    impl AsyncSleep for SystemTimer {
        fn sleep_async(&self, duration: Duration) -> impl Future<Output = ()> {
            sleep(duration)
        }
    }

    #[cfg(feature = "testing")]
    impl AsyncSleep for SystemTimer {
        async fn sleep_async(&self, duration: Duration) {
            match crate::testing::entered() {
                Some(time) => time.sleep_async(duration).await,
                None => sleep(duration).await,
            }
        }
    }

    #[cfg(all(feature = "tokio", not(feature = "futures-timer")))]
    fn sleep(duration: Duration) -> impl Future<Output = ()> {
        Tokio.sleep_async(duration)
    }

    #[cfg(all(feature = "futures-timer", not(feature = "tokio")))]
    async fn sleep(duration: Duration) {
        FuturesTimer.sleep_async(duration).await;
    }

    #[cfg(all(feature = "tokio", feature = "futures-timer"))]
    async fn sleep(duration: Duration) {
        if Tokio::is_here() {
            Tokio.sleep_async(duration).await;
        } else {
            FuturesTimer.sleep_async(duration).await;
        }
    }
}
