//! The policy as a value: how long to wait between attempts, and when to give up.

mod builder;
mod describe;
mod schedule;
#[cfg(feature = "serde")]
mod serde;
pub(crate) mod settings;

use core::time::Duration;

pub use backoff_policy::{FinalSleep, Jitter};
pub use builder::PolicyBuilder;
pub use schedule::{Bars, Rows, Schedule, ScheduleRow};

use crate::random::Random;
use crate::{delay, jitter};
use backoff_policy::limits;

/// How long to wait between attempts, and when to give up.
///
/// Immutable and `Copy`: all state is in the run, so one policy can serve any number of runs at once.
///
/// | field | default | accepted |
/// |---|---|---|
/// | [`initial`](Self::initial) | 200 ms | longer than zero |
/// | [`budget`](Self::budget) | 3.5 s | longer than zero, or [`unlimited`](Self::unlimited) |
/// | [`multiplier`](Self::multiplier) | 2.0 | finite and greater than 1 |
/// | [`max_delay`](Self::max_delay) | none | longer than zero; shorter than `initial` is allowed, the cap wins |
/// | [`max_attempts`](Self::max_attempts) | none | 1 or more |
/// | [`jitter`](Self::jitter) | none | [`Jitter`] |
/// | [`final_sleep`](Self::final_sleep) | spread with jitter, else trim | [`FinalSleep`] |
/// | [`max_hint`](Self::max_hint) | 5 min | longer than zero |
///
/// ```
/// use backoff_core::{ExponentialBackoff, Jitter};
/// use std::time::Duration;
///
/// const POLICY: ExponentialBackoff = ExponentialBackoff::new()
///     .initial(Duration::from_millis(100))
///     .max_delay(Duration::from_secs(10))
///     .max_attempts(4)
///     .jitter(Jitter::Full);
/// assert_eq!(POLICY.to_string(), "100ms x2 up to 10s, full jitter, budget 3.5s, spread, 4 attempts");
/// ```
///
/// # In constants and at run time
/// The setters check their value. In a constant, a wrong one does not compile, and the message says why:
///
/// ```compile_fail
/// # use backoff_core::ExponentialBackoff;
/// // error: `max_attempts` can't be `0`: it counts the first attempt, so use 1 to 4294967295; ..
/// const POLICY: ExponentialBackoff = ExponentialBackoff::new().max_attempts(0);
/// ```
///
/// At run time they panic with the same sentence; for values that are not known in advance use
/// [`builder`](Self::builder), which returns it as an error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a policy does nothing until something runs under it"]
pub struct ExponentialBackoff {
    initial: Duration,
    budget: Option<Duration>,
    multiplier: f64,
    max_delay: Option<Duration>,
    max_attempts: Option<u32>,
    jitter: Jitter,
    final_sleep: Option<FinalSleep>,
    max_hint: Duration,
}

/// Defines a setter that takes a value through the table of limits.
macro_rules! setter {
    ($(#[$doc:meta])* $name:ident: $type:ty => $wrap:expr) => {
        $(#[$doc])*
        ///
        /// # Panics
        /// When the value is not accepted; in a constant that is a compile error. See [`ExponentialBackoff::builder`].
        pub const fn $name(mut self, value: $type) -> Self {
            match limits::$name(value) {
                Ok(value) => self.$name = $wrap(value),
                Err(error) => error.sentence().refuse(),
            }
            self
        }
    };
}

const fn same<T: Copy>(value: T) -> T {
    value
}

impl ExponentialBackoff {
    /// The defaults: 200, 400, 800, 1600 ms and so on, for 3.5 s in all, without jitter.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().to_string(), "200ms x2, no jitter, budget 3.5s, trim");
    /// ```
    pub const fn new() -> Self {
        Self {
            initial: limits::INITIAL,
            budget: Some(limits::BUDGET),
            multiplier: limits::MULTIPLIER,
            max_delay: None,
            max_attempts: None,
            jitter: Jitter::None,
            final_sleep: None,
            max_hint: limits::MAX_HINT,
        }
    }

    /// A builder for values that are only known at run time: it returns an error where the setters would panic.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// let error = ExponentialBackoff::builder().multiplier(0.5).build().unwrap_err();
    /// assert!(error.to_string().starts_with("`multiplier` can't be `0.5`: it must be a finite number greater than 1"));
    /// ```
    pub const fn builder() -> PolicyBuilder {
        PolicyBuilder::new()
    }

    setter! {
        /// Sets the delay before the second attempt, from which the others grow. Default 200 ms.
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// # use std::time::Duration;
        /// let policy = ExponentialBackoff::new().initial(Duration::from_secs(1));
        /// assert_eq!(policy.delay(1), Duration::from_secs(2));
        /// ```
        initial: Duration => same
    }

    setter! {
        /// Sets the total time of a run, operation time included. Default 3.5 s.
        ///
        /// It starts when a run starts. It never cuts an attempt off: a run ends at most one attempt after it.
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// # use std::time::Duration;
        /// let policy = ExponentialBackoff::new().budget(Duration::from_secs(30));
        /// assert_eq!(policy.get_budget(), Some(Duration::from_secs(30)));
        /// ```
        budget: Duration => Some
    }

    /// Takes the budget away: only `max_attempts` or a deadline ends a run that keeps failing, or nothing does.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().unlimited().get_budget(), None);
    /// ```
    pub const fn unlimited(mut self) -> Self {
        self.budget = None;
        self
    }

    setter! {
        /// Sets what each delay is multiplied by to get the next. Default 2.0.
        ///
        /// Delays are exact to the nanosecond for whole numbers; for others each step is rounded once, to the nearest.
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// # use std::time::Duration;
        /// let policy = ExponentialBackoff::new().multiplier(1.5);
        /// assert_eq!(policy.delay(4), Duration::from_nanos(1_012_500_000));
        /// ```
        multiplier: f64 => same
    }

    setter! {
        /// Sets the longest delay. Default: none. One that is equal to `initial` makes the delay constant.
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// # use std::time::Duration;
        /// let policy = ExponentialBackoff::new().max_delay(Duration::from_millis(500));
        /// assert_eq!(policy.delay(9), Duration::from_millis(500));
        /// ```
        max_delay: Duration => Some
    }

    setter! {
        /// Sets the most attempts of a run, the first included. Default: none.
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// let once = ExponentialBackoff::new().max_attempts(1);
        /// assert_eq!(once.retry(|| Err::<(), _>("down")).unwrap_err().attempts(), 1);
        /// ```
        max_attempts: u32 => Some
    }

    /// Sets how a sleep is spread inside its delay. Default none.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Jitter};
    /// assert_eq!(ExponentialBackoff::new().jitter(Jitter::Equal).get_jitter(), Jitter::Equal);
    /// ```
    pub const fn jitter(mut self, jitter: Jitter) -> Self {
        self.jitter = jitter;
        self
    }

    /// Sets what happens to the sleep that reaches the end of the budget. Default: spread with jitter, else trim.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, FinalSleep};
    /// assert_eq!(ExponentialBackoff::new().final_sleep(FinalSleep::Skip).get_final_sleep(), FinalSleep::Skip);
    /// ```
    pub const fn final_sleep(mut self, final_sleep: FinalSleep) -> Self {
        self.final_sleep = Some(final_sleep);
        self
    }

    setter! {
        /// Sets the longest server hint that is obeyed; a longer one ends the run. Default 5 min.
        ///
        /// ```
        /// # use backoff_core::ExponentialBackoff;
        /// # use std::time::Duration;
        /// let policy = ExponentialBackoff::new().max_hint(Duration::from_secs(60));
        /// assert_eq!(policy.get_max_hint(), Duration::from_secs(60));
        /// ```
        max_hint: Duration => same
    }

    /// The delay before the second attempt, as it was set.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().get_initial().as_millis(), 200);
    /// ```
    #[must_use]
    pub const fn get_initial(&self) -> Duration {
        self.initial
    }

    /// The total time of a run, or none.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().get_budget().unwrap().as_millis(), 3_500);
    /// ```
    #[must_use]
    pub const fn get_budget(&self) -> Option<Duration> {
        self.budget
    }

    /// What each delay is multiplied by.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().get_multiplier(), 2.0);
    /// ```
    #[must_use]
    pub const fn get_multiplier(&self) -> f64 {
        self.multiplier
    }

    /// The longest delay, or none.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().get_max_delay(), None);
    /// ```
    #[must_use]
    pub const fn get_max_delay(&self) -> Option<Duration> {
        self.max_delay
    }

    /// The most attempts of a run, or none.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().get_max_attempts(), None);
    /// ```
    #[must_use]
    pub const fn get_max_attempts(&self) -> Option<u32> {
        self.max_attempts
    }

    /// How a sleep is spread.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Jitter};
    /// assert_eq!(ExponentialBackoff::new().get_jitter(), Jitter::None);
    /// ```
    #[must_use]
    pub const fn get_jitter(&self) -> Jitter {
        self.jitter
    }

    /// What happens to the last sleep: what was set, or else spread with jitter and trim without.
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, FinalSleep, Jitter};
    /// assert_eq!(ExponentialBackoff::new().get_final_sleep(), FinalSleep::Trim);
    /// assert_eq!(ExponentialBackoff::new().jitter(Jitter::Full).get_final_sleep(), FinalSleep::Spread);
    /// ```
    #[must_use]
    pub const fn get_final_sleep(&self) -> FinalSleep {
        match (self.final_sleep, self.jitter) {
            (Some(chosen), _) => chosen,
            (None, Jitter::None) => FinalSleep::Trim,
            (None, _) => FinalSleep::Spread,
        }
    }

    /// The longest server hint that is obeyed.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// assert_eq!(ExponentialBackoff::new().get_max_hint().as_secs(), 300);
    /// ```
    #[must_use]
    pub const fn get_max_hint(&self) -> Duration {
        self.max_hint
    }

    /// Whether a run waits for what a server asks, if it has the time.
    #[inline]
    pub(crate) fn obeys(&self, hint: Duration) -> bool {
        hint <= self.max_hint
    }

    /// Delay `k`, counted from 0 for the one before the second attempt: `min(max_delay, initial x multiplier^k)`.
    ///
    /// Beyond [`Duration::MAX`] it saturates upwards. It needs no state, so a schedule that is kept elsewhere can be
    /// resumed at any `k`. The cost is the logarithm of `k` for a whole multiplier; for others one multiplication a step
    /// until the cap is reached (about 160 for 1.5 without a cap), and after 4,096 steps again the logarithm of the rest,
    /// which is then rounded once in all.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// # use std::time::Duration;
    /// let policy = ExponentialBackoff::new().max_delay(Duration::from_secs(30));
    /// assert_eq!(policy.delay(0), Duration::from_millis(200));
    /// assert_eq!(policy.delay(3), Duration::from_millis(1_600));
    /// assert_eq!(policy.delay(u32::MAX), Duration::from_secs(30));
    /// ```
    #[must_use]
    pub const fn delay(&self, k: u32) -> Duration {
        backoff_policy::duration::from_nanos(delay::nanos(self, k))
    }

    /// The sleep before retry `k`, counted from 0: its delay, spread by jitter. Knows nothing of a budget. A generator looks for a
    /// `fork` where `k` is 0 only; see [`SystemRandom::reseed`](crate::random::SystemRandom::reseed).
    ///
    /// ```
    /// # use backoff_core::{ExponentialBackoff, Jitter, testing::Draws};
    /// # use std::time::Duration;
    /// let policy = ExponentialBackoff::new().jitter(Jitter::Full);
    /// assert_eq!(policy.sleep(2, &Draws::always(0.25)), Duration::from_millis(200));
    /// ```
    #[must_use]
    #[inline]
    pub fn sleep<R: Random>(&self, k: u32, random: &R) -> Duration {
        jitter::duration(self, k, random)
    }

    /// What the policy does when every attempt fails at once: delays and sleeps as data that prints as a table.
    ///
    /// ```
    /// # use backoff_core::ExponentialBackoff;
    /// let schedule = ExponentialBackoff::new().schedule();
    /// assert_eq!(schedule.attempts(), Some(6));
    /// ```
    #[must_use]
    pub const fn schedule(&self) -> Schedule {
        Schedule::new(*self)
    }
}

impl Default for ExponentialBackoff {
    fn default() -> Self {
        Self::new()
    }
}
