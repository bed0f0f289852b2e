//! An embedded crate: no `std`, no allocator, a clock and randomness of its own.
#![no_std]

use core::cell::Cell;
use core::time::Duration;

use backoff_core::clock::{AsyncTickTimer, TickClock, TickTimer, Ticks};
use backoff_core::random::{NoRandom, Random};
use backoff_core::run::{Decision, Elapsed, Failure, Run};
use backoff_core::{ExponentialBackoff, Jitter, RetryError, Waiter, exponential_backoff};

/// A timer whose counter runs at 1 MHz and jumps to wherever someone waits for.
#[derive(Debug, Default)]
pub struct Timer(Cell<u64>);

impl TickClock for Timer {
    const HZ: u64 = 1_000_000;

    fn now(&self) -> u64 {
        self.0.get()
    }
}

impl TickTimer for Timer {
    fn sleep_until(&self, tick: u64) {
        self.0.set(tick);
    }
}

impl AsyncTickTimer for Timer {
    async fn sleep_until_async(&self, tick: u64) {
        self.0.set(tick);
    }
}

/// Randomness of the board: a shift register.
#[derive(Debug)]
pub struct Noise(Cell<u64>);

impl Random for Noise {
    fn next_u64(&self) -> u64 {
        let mut bits = self.0.get();
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        self.0.set(bits);
        bits
    }
}

/// What a bus says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nack;

const POLICY: ExponentialBackoff =
    ExponentialBackoff::new().initial(Duration::from_micros(100)).budget(Duration::from_millis(10));

/// A sensor behind a bus that is busy at first.
#[derive(Debug)]
pub struct Sensor {
    timer: Ticks<Timer>,
    noise: Noise,
    busy: u8,
}

impl Sensor {
    /// A sensor that answers at attempt `busy`.
    #[must_use]
    pub fn new(busy: u8) -> Self {
        Self { timer: Ticks(Timer::default()), noise: Noise(Cell::new(7)), busy }
    }

    fn answer(busy: &mut u8) -> Result<u8, Nack> {
        *busy = busy.saturating_sub(1);
        if *busy == 0 { Ok(42) } else { Err(Nack) }
    }

    /// By hand, blocking.
    ///
    /// # Errors
    /// When the bus stays busy.
    pub fn read(&mut self) -> Result<u8, RetryError<Nack>> {
        let busy = &mut self.busy;
        POLICY.time(&self.timer).random(NoRandom).retry(|| Self::answer(busy))
    }

    /// By hand, async, with jitter.
    ///
    /// # Errors
    /// When the bus stays busy.
    pub async fn read_async(&mut self) -> Result<u8, RetryError<Nack>> {
        let busy = &mut self.busy;
        let policy = POLICY.jitter(Jitter::Full);
        policy.time(&self.timer).random(&self.noise).retry_async(|| core::future::ready(Self::answer(busy))).await
    }

    /// Annotated, blocking.
    ///
    /// # Errors
    /// When the bus stays busy.
    #[exponential_backoff(waiter = waiter, initial = "100us", max_attempts = 5)]
    pub fn read_annotated(waiter: Waiter<&Ticks<Timer>, NoRandom>, busy: &mut u8) -> Result<u8, Nack> {
        Self::answer(busy)
    }

    /// Annotated, async.
    ///
    /// # Errors
    /// When the bus stays busy.
    #[exponential_backoff(waiter = POLICY.time(timer).random(NoRandom))]
    pub async fn read_annotated_async(timer: &Ticks<Timer>, busy: &mut u8) -> Result<u8, Nack> {
        Self::answer(busy)
    }
}

/// The bare decision machine.
#[must_use]
pub fn first_sleep() -> Option<Duration> {
    let mut run = Run::new();
    match run.failed(&POLICY, Failure::transient(), Elapsed::since_start(Duration::ZERO), &NoRandom) {
        Decision::Sleep(pause) => Some(pause.sleep),
        Decision::Stop(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use core::future::Future;
    use core::pin::pin;
    use core::task::{Context, Poll, Waker};
    use core::time::Duration;

    use super::{Nack, POLICY, Sensor, Ticks, Timer, first_sleep};
    use backoff_core::Reason;
    use backoff_core::clock::TickClock as _;
    use backoff_core::random::NoRandom;

    fn ready<F: Future>(future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => output,
            Poll::Pending => panic!("nothing waits in this test"),
        }
    }

    #[test]
    fn every_driver_works_without_std() {
        assert_eq!(Sensor::new(3).read(), Ok(42));
        assert_eq!(ready(Sensor::new(3).read_async()), Ok(42));
        assert_eq!(first_sleep(), Some(Duration::from_micros(100)));
        let timer = Ticks(Timer::default());
        assert_eq!(Sensor::read_annotated(POLICY.time(&timer).random(NoRandom), &mut 3), Ok(42));
        assert_eq!(timer.0.now(), 300, "two sleeps of 100 and 200 us");
        assert_eq!(ready(Sensor::read_annotated_async(&timer, &mut 3)), Ok(42));
        let error = Sensor::new(200).read().unwrap_err();
        assert_eq!((error.reason(), error.into_last()), (Reason::Budget, Some(Nack)));
    }
}
