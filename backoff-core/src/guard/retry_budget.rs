//! The retry budget: tokens that many runs share, so that a fleet's retries stay a fraction of its requests.

#[cfg(target_has_atomic = "32")]
mod bucket;
#[cfg(feature = "std")]
mod deposits;
mod patient;
#[cfg(target_has_atomic = "32")]
mod quota;
#[cfg(feature = "std")]
mod throttle;

#[cfg(target_has_atomic = "32")]
pub use bucket::{BudgetSnapshot, RetryBudget};
#[cfg(feature = "std")]
pub use deposits::RetryDeposits;
pub use patient::Patient;
#[cfg(target_has_atomic = "32")]
pub use quota::{AtCost, RetryQuota};
#[cfg(feature = "std")]
pub use throttle::AdaptiveThrottle;

use super::Moment;

/// Tells the time when a rule asks; most do not.
pub type Now<'a> = &'a dyn Fn() -> Moment;

/// What a run took for its last retry, for rules that give it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken(pub u32);

/// A rule of how many retries many runs may make together.
///
/// Asked last, after a run has decided that it would retry. A refusal never waits, unless the rule is [`Patient`]: the run ends with its
/// last failure and [`Reason::RetryBudget`](crate::Reason::RetryBudget). First attempts are never refused. What is shipped:
///
/// | rule | a retry takes | gets back |
/// |---|---|---|
/// | [`RetryBudget`] | nothing, but needs more than half of the tokens; each failure costs one | 0.1 for each success |
/// | [`RetryQuota`] | 5 | what the last retry took, on success; 1 for a success at the first attempt |
/// | [`RetryDeposits`] | 1 | a share for each first attempt, for ten seconds, and a reserve for each second |
/// | [`AdaptiveThrottle`] | nothing, but is refused by chance | |
///
/// ```
/// use backoff_core::guard::{Now, RetryTokens, Taken};
/// use backoff_core::{ExponentialBackoff, Reason};
///
/// /// Forbids every retry, for as long as someone holds a lever.
/// struct Lever(std::sync::atomic::AtomicBool);
///
/// impl RetryTokens for Lever {
///     fn take(&self, _: Now<'_>) -> Option<Taken> {
///         (!self.0.load(std::sync::atomic::Ordering::Relaxed)).then_some(Taken(0))
///     }
/// }
///
/// let lever = Lever(true.into());
/// let error = ExponentialBackoff::new().retry_budget(&lever).retry(|| Err::<(), _>("down")).unwrap_err();
/// assert_eq!((error.reason(), error.attempts()), (Reason::RetryBudget, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no rule of retry tokens",
    label = "not a retry budget",
    note = "a retry budget is a `RetryBudget`, `RetryQuota`, `RetryDeposits`, `AdaptiveThrottle`, one of these in `Patient`, or your \
            own type that implements `RetryTokens`"
)]
pub trait RetryTokens: Sync {
    /// A run begins its first attempt.
    fn began(&self, now: Now<'_>) {
        let _ = now;
    }

    /// An attempt failed, and another might help. Told before anything is decided, whether or not there will be a retry.
    fn failed(&self, now: Now<'_>) {
        let _ = now;
    }

    /// Whether there may be a retry now; takes what it costs.
    fn take(&self, now: Now<'_>) -> Option<Taken>;

    /// A retry that was taken for is not made: the run was dropped or cancelled during the sleep before it.
    fn give_back(&self, taken: Taken) {
        let _ = taken;
    }

    /// Whether a run that is refused waits and asks again, instead of ending. See [`Patient`].
    fn is_patient(&self) -> bool {
        false
    }

    /// A run succeeded; with what its last retry took, if it had one.
    fn succeeded(&self, last: Option<Taken>, now: Now<'_>) {
        let _ = (last, now);
    }
}

macro_rules! forward {
    ($($(#[$cfg:meta])* $pointer:ty),+) => {$(
        $(#[$cfg])*
        impl<T: RetryTokens + Send + ?Sized> RetryTokens for $pointer {
            fn began(&self, now: Now<'_>) {
                (**self).began(now);
            }

            fn failed(&self, now: Now<'_>) {
                (**self).failed(now);
            }

            fn take(&self, now: Now<'_>) -> Option<Taken> {
                (**self).take(now)
            }

            fn give_back(&self, taken: Taken) {
                (**self).give_back(taken);
            }

            fn succeeded(&self, last: Option<Taken>, now: Now<'_>) {
                (**self).succeeded(last, now);
            }

            fn is_patient(&self) -> bool {
                (**self).is_patient()
            }
        }
    )+};
}

forward!(&T, #[cfg(feature = "std")] std::sync::Arc<T>);

/// A thousandth of a token is the unit, because a tenth has no exact binary fraction.
const TOKEN: u32 = 1_000;

/// What stands for a share that has no exact number of thousandths.
const NOT_EXACT: u32 = u32::MAX;

/// A share of up to a thousand as whole thousandths, or [`NOT_EXACT`].
const fn thousandths(share: f64) -> u32 {
    let scaled = share * 1_000.0;
    if !(scaled >= 0.0 && scaled <= 1_000_000.0) {
        return NOT_EXACT;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    let whole = (scaled + 0.5) as u32;
    let off = scaled - whole as f64;
    if off < 1e-6 && off > -1e-6 { whole } else { NOT_EXACT }
}
