//! What clocks say of themselves, and what wrapped ones pass on: whether a sleep can be cut, and whether the run is cancelled.

use std::cell::Cell;
use std::future::Future as _;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use backoff_core::clock::{
    AsyncSleep as _, AsyncTime as _, BlockingTime as _, Cancellation, Chained, Clock, Sleep, System, Threads,
    TickClock, Ticks,
};
use backoff_core::hint::IntoHint;
use backoff_core::testing::VirtualTime;
use backoff_core::{CancelToken, ExponentialBackoff, RetryAfter};

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A clock of somebody's own: it says no more than it has to.
#[derive(Default)]
struct Plain {
    slept: Cell<Duration>,
    cancelled: Cell<bool>,
}

impl Clock for Plain {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.slept.get()
    }

    fn elapsed(&self, from: Duration, to: Duration) -> Duration {
        to.saturating_sub(from)
    }
}

impl Sleep for Plain {
    fn sleep(&self, duration: Duration) {
        self.slept.set(self.slept.get() + duration);
    }

    fn cancellation(&self) -> Cancellation {
        if self.cancelled.get() { Cancellation::Cancelled } else { Cancellation::Pending }
    }
}

/// As a driver asks, which does not know whether it holds a clock or a reference to one.
fn wakes(clock: impl Sleep) -> bool {
    clock.wakes()
}

fn sleep_unless(clock: impl Sleep, duration: Duration, token: &CancelToken) {
    clock.sleep_unless(duration, token);
}

#[test]
fn who_can_wake_a_sleep_says_so() {
    assert!(Threads.wakes() && System.blocking().wakes() && VirtualTime::new().wakes());
    assert!(!Plain::default().wakes());
    let (threads, plain) = (&Threads, &Plain::default());
    assert!(wakes(threads) && wakes(Arc::new(Threads)) && wakes(Chained::new(Threads, secs(1))));
    assert!(!wakes(plain) && !wakes(Chained::new(Plain::default(), secs(1))));
}

#[test]
fn a_chained_sleep_passes_everything_on() {
    let clock = Chained::new(Plain::default(), secs(2));
    assert_eq!((clock.now(), clock.elapsed(secs(1), secs(4))), (Duration::ZERO, secs(3)));
    clock.sleep(secs(5));
    assert_eq!((clock.now(), clock.cancellation()), (secs(5), Cancellation::Pending));
    let token = CancelToken::new();
    clock.sleep_unless(secs(3), &token);
    assert_eq!(clock.now(), secs(8));
    token.cancel();
    clock.sleep_unless(secs(3), &token);
    assert_eq!(clock.now(), secs(8), "no piece begins after that");
}

#[test]
fn a_chained_sleep_ends_between_two_pieces_when_the_run_is_cancelled() {
    let plain = Plain::default();
    plain.cancelled.set(true);
    let clock = Chained::new(&plain, secs(2));
    assert_eq!(clock.cancellation(), Cancellation::Cancelled);
    clock.sleep(secs(5));
    clock.sleep_unless(secs(5), &CancelToken::new());
    assert_eq!(plain.now(), Duration::ZERO);
}

#[test]
fn pieces_of_no_length_are_a_nanosecond_long() {
    let time = VirtualTime::new();
    Chained::new(&time, Duration::ZERO).sleep(Duration::from_nanos(2));
    assert_eq!(time.sleeps(), [Duration::from_nanos(1); 2]);
}

#[test]
fn a_plain_clock_does_not_begin_a_sleep_that_is_cancelled_already() {
    let (clock, token) = (Plain::default(), CancelToken::new());
    sleep_unless(&clock, secs(1), &token);
    assert_eq!(clock.now(), secs(1));
    token.cancel();
    clock.sleep_unless(secs(1), &token);
    assert_eq!(clock.now(), secs(1));
}

/// Three ticks a second, and a counter that stands where it is put.
struct Thirds(Cell<u64>);

impl TickClock for Thirds {
    const HZ: u64 = 3;

    fn now(&self) -> u64 {
        self.0.get()
    }
}

#[test]
fn ticks_are_counted_in_nanoseconds_rounded_down() {
    let ticks = Ticks(Thirds(Cell::new(7)));
    assert_eq!((ticks.now(), ticks.elapsed(3, 7)), (7, Duration::from_nanos(1_333_333_333)));
    assert_eq!(ticks.elapsed(7, 3), Duration::ZERO);
    assert_eq!(ticks.elapsed(0, u64::MAX).as_secs(), u64::MAX / 3);
}

#[test]
fn a_hint_may_be_a_duration_or_what_a_server_said_or_nothing() {
    assert_eq!(secs(7).into_hint(), Some(secs(7)));
    assert_eq!(RetryAfter::after(secs(7)).into_hint(), Some(secs(7)));
    assert_eq!(Some(RetryAfter::after(secs(7))).into_hint(), Some(secs(7)));
    assert_eq!(Some(None::<Duration>).into_hint(), None);
    assert_eq!(None::<RetryAfter>.into_hint(), None);
}

#[test]
fn outside_of_a_runtime_the_default_timer_needs_none() {
    let mut sleep = pin!(System.asynchronous().sleep_async(Duration::from_micros(1)));
    let mut context = Context::from_waker(Waker::noop());
    while sleep.as_mut().poll(&mut context).is_pending() {
        std::thread::yield_now();
    }
}

/// A clock whose every sleep takes twice as long as it should.
#[derive(Default)]
struct Late(Plain);

impl Clock for Late {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.now()
    }

    fn elapsed(&self, from: Duration, to: Duration) -> Duration {
        to.saturating_sub(from)
    }
}

impl Sleep for Late {
    fn sleep(&self, duration: Duration) {
        self.0.sleep(2 * duration);
    }
}

#[test]
fn without_guards_what_was_slept_is_what_was_planned() {
    let policy = ExponentialBackoff::new().unlimited().initial(secs(1)).max_attempts(3);
    let error = policy.time(Late::default()).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.slept(), error.elapsed()), (secs(3), secs(6)));
    // Nor does it matter that something could have ended the sleep.
    let token = CancelToken::new();
    let error = policy.cancel(&token).time(Late::default()).retry(|| Err::<(), _>("down")).unwrap_err();
    assert_eq!((error.slept(), error.elapsed()), (secs(3), secs(6)));
}
