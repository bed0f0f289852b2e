//! Every driver and every guard in virtual time, and a place to trip at.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use backoff_core::clock::{AsyncSleep, Clock, Sleep};
use backoff_core::event::{GiveUp, Retry, Success};
use backoff_core::guard::{CircuitBreaker, Moment, Pacer, Rejected, RetryBudget, RetryQueue, RetryQuota};
use backoff_core::random::Random;
use backoff_core::testing::VirtualTime;
use backoff_core::{AttemptTimeout, ExponentialBackoff, Jitter, Waiter, exponential_backoff};

const POLICY: ExponentialBackoff = ExponentialBackoff::new()
    .initial(Duration::from_millis(100))
    .budget(Duration::from_secs(600))
    .max_attempts(4)
    .jitter(Jitter::Full);
/// What the quota holds, and what a retry takes.
const TOKENS: u32 = 100;
const COST: u32 = 5;

pub(crate) struct Scene {
    pub(crate) time: VirtualTime,
    pub(crate) breaker: CircuitBreaker,
    pub(crate) pacer: Pacer,
    pub(crate) quota: RetryQuota,
    pub(crate) queue: RetryQueue,
    /// Attempts that began.
    pub(crate) begun: Cell<u32>,
    /// Attempts that are under way.
    under_way: Cell<i32>,
    /// The call that succeeds.
    heals: Cell<u32>,
    /// Where to panic, and at which passage.
    trip: Cell<Option<(&'static str, u32)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault;

impl From<Rejected> for Fault {
    fn from(_: Rejected) -> Self {
        Self
    }
}

impl From<AttemptTimeout> for Fault {
    fn from(_: AttemptTimeout) -> Self {
        Self
    }
}

pub(crate) type Answer = Result<u32, Fault>;
pub(crate) type Future<'a> = Pin<Box<dyn std::future::Future<Output = Answer> + 'a>>;
pub(crate) type Driver = fn(&Scene) -> Future<'_>;

impl Scene {
    /// A circuit that waits for a probe, a pacer whose next slot is not due, and a queue that lets nobody pass.
    pub(crate) fn new() -> Self {
        let scene = Self {
            time: VirtualTime::new(),
            breaker: CircuitBreaker::new().failures(1),
            pacer: Pacer::new().interval(Duration::from_millis(50)),
            quota: RetryQuota::new().capacity(TOKENS).cost(COST),
            queue: RetryQueue::new().free(RetryBudget::new().max_tokens(1)),
            begun: Cell::new(0),
            under_way: Cell::new(0),
            heals: Cell::new(u32::MAX),
            trip: Cell::new(None),
        };
        let now = || Moment::of(&scene.time);
        scene.breaker.admit(now).expect("closed").failed(now);
        scene.time.pass(Duration::from_secs(60));
        let _ = scene.pacer.try_reserve(now(), 1).expect("the first slot");
        scene
    }

    pub(crate) fn healing_at(self, call: u32) -> Self {
        self.heals.set(call);
        self
    }

    pub(crate) fn tripping(self, place: &'static str, passage: u32) -> Self {
        self.trip.set(Some((place, passage)));
        self
    }

    fn pass(&self, place: &'static str) {
        if let Some((at, left)) = self.trip.get() {
            if at == place {
                self.trip.set(if left > 1 { Some((at, left - 1)) } else { None });
                if left == 1 {
                    // A panic without a message on the screen.
                    std::panic::resume_unwind(Box::new(format!("tripped at {place}")));
                }
            }
        }
    }

    /// Everything that was taken is back, but for so many tokens at most, and the guards serve the next run.
    pub(crate) fn assert_whole(&self, driver: Driver, lost: Option<u32>, what: &str) {
        let now = Moment::of(&self.time);
        assert_eq!(self.under_way.get(), 0, "{what}: an attempt is under way");
        assert_eq!(self.breaker.snapshot(now).probes, 0, "{what}: C10, a permit");
        assert_eq!(self.pacer.snapshot().waiting, 0, "{what}: C10, a place in the line of the pacer");
        assert_eq!(self.queue.snapshot().waiting, 0, "{what}: C10, a place in the queue");
        let retries = self.begun.get().saturating_sub(1);
        if let Some(lost) = lost {
            let left = self.quota.left() + COST * retries;
            assert!(
                (TOKENS - lost..=TOKENS).contains(&left),
                "{what}: C10, what a retry took that was not made: {left}"
            );
        }
        // A timer that is left behind would hold this one up.
        self.time.pass(Duration::from_secs(600));
        let sleep = Box::pin(async {
            self.time.sleep_async(Duration::from_secs(1)).await;
            Ok(0)
        });
        assert_eq!(polled(sleep, 2), Some(Ok(0)), "{what}: C10, a timer");
        // The next run fails once and then succeeds, through the same guards.
        self.trip.set(None);
        self.begun.set(0);
        self.heals.set(2);
        self.time.pass(Duration::from_secs(600));
        assert_eq!(polled(driver(self), 1_000), Some(Ok(2)), "{what}: the next run");
    }

    fn waiter(&self) -> Waiter<&Self, &Self> {
        POLICY.time(self).random(self)
    }

    fn call(&self) -> Answer {
        let _work = self.begin();
        self.time.pass(Duration::from_millis(30));
        self.answer()
    }

    async fn call_async(&self) -> Answer {
        let _work = self.begin();
        self.time.pass_async(Duration::from_millis(10)).await;
        self.time.pass_async(Duration::from_millis(20)).await;
        self.answer()
    }

    fn begin(&self) -> Work<'_> {
        self.begun.set(self.begun.get() + 1);
        self.under_way.set(self.under_way.get() + 1);
        Work(self)
    }

    fn answer(&self) -> Answer {
        self.pass("operation");
        if self.begun.get() >= self.heals.get() { Ok(self.begun.get()) } else { Err(Fault) }
    }

    fn when(&self) -> bool {
        self.pass("predicate");
        true
    }

    fn hint(&self) -> Option<Duration> {
        self.pass("hint");
        None
    }
}

struct Work<'a>(&'a Scene);

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.0.under_way.set(self.0.under_way.get() - 1);
    }
}

impl Clock for Scene {
    type Instant = Instant;

    fn now(&self) -> Instant {
        self.pass("clock");
        self.time.now()
    }

    fn elapsed(&self, from: Instant, to: Instant) -> Duration {
        Clock::elapsed(&self.time, from, to)
    }
}

impl Sleep for Scene {
    fn sleep(&self, duration: Duration) {
        self.pass("sleep");
        self.time.sleep(duration);
    }

    fn sleep_unless(&self, duration: Duration, token: &backoff_core::CancelToken) {
        self.pass("sleep");
        self.time.sleep_unless(duration, token);
    }

    fn wakes(&self) -> bool {
        true
    }
}

impl AsyncSleep for Scene {
    async fn sleep_async(&self, duration: Duration) {
        self.pass("sleep");
        self.time.sleep_async(duration).await;
    }
}

impl Random for Scene {
    fn next_u64(&self) -> u64 {
        self.pass("random");
        u64::MAX / 2
    }
}

/// Polls at most so many times.
pub(crate) fn polled(mut future: Future<'_>, most: u32) -> Option<Answer> {
    let mut context = Context::from_waker(Waker::noop());
    (0..most).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(answer) => Some(answer),
        Poll::Pending => None,
    })
}

/// The closures of a waiter.
macro_rules! watched {
    ($scene:ident, $waiter:expr) => {
        $waiter
            .when(|_: &Fault| $scene.when())
            .hint(|_: &Fault| $scene.hint())
            .on_retry(|_: &Retry<'_, Fault>| $scene.pass("on_retry"))
            .on_give_up(|_: &GiveUp<'_, Fault>| $scene.pass("on_give_up"))
            .on_success(|_: &Success| $scene.pass("on_success"))
    };
}

/// A loop that is written by hand.
macro_rules! by_hand {
    ($run:ident, $call:expr $(, $await:tt)?) => {
        loop {
            match $call {
                Ok(call) => {
                    $run.succeed::<Fault>();
                    break Ok(call);
                }
                Err(fault) => $run.backoff(fault)$(.$await)?.map_err(|_| Fault)?,
            }
        }
    };
}

/// A run under one guard, by a future.
macro_rules! under {
    ($($guard:ident = $field:ident),*) => {
        |scene| Box::pin(async move {
            let waiter = watched!(scene, scene.waiter()$(.$guard(&scene.$field))*);
            waiter.retry_async(|| scene.call_async()).await.map_err(|_| Fault)
        })
    };
}

/// The drivers for futures.
pub(crate) const ASYNC: [(&str, Driver); 11] = [
    ("retry_async", under!()),
    ("retry_async under a breaker", under!(breaker = breaker)),
    ("retry_async under a pacer", under!(pacer = pacer)),
    ("retry_async under a quota", under!(retry_budget = quota)),
    ("retry_async in a queue", under!(retry_queue = queue)),
    ("retry_async under all", under!(breaker = breaker, pacer = pacer, retry_budget = quota, retry_queue = queue)),
    ("start", |scene| {
        Box::pin(async move {
            let waiter = watched!(scene, scene.waiter().breaker(&scene.breaker).pacer(&scene.pacer));
            let waiter = waiter.retry_budget(&scene.quota).retry_queue(&scene.queue);
            let mut run = waiter.try_start().await.map_err(Fault::from)?;
            by_hand!(run, scene.call_async().await, await)
        })
    }),
    ("retry_async with a timeout", |scene| {
        Box::pin(async move {
            let waiter = watched!(scene, scene.waiter().breaker(&scene.breaker).pacer(&scene.pacer));
            let waiter = waiter.retry_budget(&scene.quota).retry_queue(&scene.queue).attempt_timeout(cut(scene));
            waiter.retry_async(|| scene.call_async()).await.map_err(|_| Fault)
        })
    }),
    ("attribute", |scene| Box::pin(annotated_async(scene))),
    ("attribute in a queue", |scene| Box::pin(annotated_async_in_queue(scene))),
    ("attribute with a timeout", |scene| Box::pin(annotated_with_timeout(scene))),
];

/// The drivers for threads. Their futures are ready at once.
pub(crate) const BLOCKING: [(&str, Driver); 5] = [
    ("retry", |scene| {
        Box::pin(async move { watched!(scene, scene.waiter()).retry(|| scene.call()).map_err(|_| Fault) })
    }),
    ("retry under all", |scene| {
        Box::pin(async move {
            let waiter = watched!(scene, scene.waiter().breaker(&scene.breaker).pacer(&scene.pacer));
            let waiter = waiter.retry_budget(&scene.quota).retry_queue(&scene.queue);
            waiter.retry(|| scene.call()).map_err(|_| Fault)
        })
    }),
    ("start_blocking", |scene| {
        Box::pin(async move {
            let waiter = watched!(scene, scene.waiter().breaker(&scene.breaker).pacer(&scene.pacer));
            let waiter = waiter.retry_budget(&scene.quota).retry_queue(&scene.queue);
            let mut run = waiter.try_start_blocking().map_err(Fault::from)?;
            by_hand!(run, scene.call())
        })
    }),
    ("attribute on fn", |scene| Box::pin(async move { annotated(scene) })),
    ("attribute on fn in a queue", |scene| Box::pin(async move { annotated_in_queue(scene) })),
];

/// Whether a driver asks the quota: then no token is lost.
pub(crate) fn spends(name: &str) -> Option<u32> {
    let asks = name.ends_with("all")
        || name.ends_with("quota")
        || name.starts_with("start")
        || name.contains("timeout")
        || name.starts_with("attribute");
    asks.then_some(0)
}

/// A timeout that cuts the first attempts in the middle, and lets one that heals pass.
fn cut(scene: &Scene) -> Duration {
    Duration::from_millis(if scene.heals.get() == u32::MAX { 15 } else { 60 })
}

macro_rules! annotated {
    ([$($async:tt)?] $name:ident($scene:ident), $call:ident $(.$await:tt)?, $($more:tt)*) => {
        #[exponential_backoff(
            waiter = $scene.waiter(),
            breaker = $scene.breaker,
            retry_budget = $scene.quota,
            when = |_: &Fault| $scene.when(),
            hint = |_: &Fault| $scene.hint(),
            on_retry = |_| $scene.pass("on_retry"),
            on_give_up = |_| $scene.pass("on_give_up"),
            on_success = |_| $scene.pass("on_success")
            $($more)*
        )]
        $($async)? fn $name($scene: &Scene) -> Answer {
            $scene.$call()$(.$await)?
        }
    };
}

annotated!([] annotated(scene), call, , pacer = scene.pacer);
annotated!([] annotated_in_queue(scene), call, , retry_queue = scene.queue);
annotated!([async] annotated_async(scene), call_async.await, , pacer = scene.pacer);
annotated!([async] annotated_async_in_queue(scene), call_async.await, , retry_queue = scene.queue);
annotated!([async] annotated_with_timeout(scene), call_async.await, , retry_queue = scene.queue, attempt_timeout = "35ms");
