//! The attribute `#[exponential_backoff]`. Use it through `backoff-core`, which re-exports it and documents it.
//!
//! `parse` reads the attribute and the function, `model` says what was understood, `check` refuses what can't work, and
//! `expand` writes the loop. The body of the function is one opaque token from end to end: it is never parsed, so it may
//! be half typed or use syntax that is newer than this crate.

mod attribute;
mod check;
mod errors;
mod expand;
mod keys;
mod model;
mod parse;
mod quote;
#[cfg(test)]
mod tests;
mod token;

/// Retries the function with exponential backoff.
///
/// ```
/// use backoff_core::exponential_backoff;
///
/// #[exponential_backoff(initial = "1ms", budget = "3.5s", jitter = "full")]
/// fn reward(answers: &mut Vec<Option<u64>>) -> Option<u64> {
///     answers.pop()?
/// }
/// assert_eq!(reward(&mut vec![Some(7), None, None]), Some(7));
/// ```
///
/// Works on any function that returns a `Result` or an `Option`, or anything at all with `until`; sync or async, free or
/// a method with any receiver. The function keeps its signature: what it returns at the end is what its last attempt
/// returned.
///
/// # Options
///
/// All are optional. Durations are quoted text (`"200ms"`, `"3.5s"`, `"1m 30s"`) or a constant expression of type
/// `Duration`.
///
/// | option | default | meaning |
/// |---|---|---|
/// | `initial` | `"200ms"` | the delay before the second attempt |
/// | `budget` | `"3.5s"` | the total time of a run, operation time included; `"unlimited"` for none |
/// | `multiplier` | `2.0` | what each delay is multiplied by |
/// | `max_delay` | none | the longest delay |
/// | `max_attempts` | none | the most attempts, the first included |
/// | `jitter` | `"none"` | `"none"`, `"full"` or `"equal"` |
/// | `final_sleep` | see below | `"trim"`, `"spread"` or `"skip"`; by default spread with jitter, else trim |
/// | `max_hint` | `"5m"` | the longest server hint that is obeyed |
/// | `when` | every failure | which errors are worth another attempt: `\|error\| ..` or a path, evaluated at each failure |
/// | `until` | | which values end the run, for any return type: `\|value\| ..` |
/// | `hint` | | the server's wish in an error (under `until`, in the value): `Option<Duration>` or `RetryAfter` |
/// | `exhausted` | the last value | turns the `RetryError` into what the function returns |
/// | `on_retry`, `on_give_up`, `on_success` | | hooks, called with the events of `backoff_core::event` |
/// | `clone(a, b)` | | gives each attempt a fresh clone of these arguments |
/// | `attempt = name` | | binds the attempt's context in the body: `name.number()`, `name.remaining()` |
/// | `policy = expr` | | a policy made elsewhere, evaluated at each call; other options override its fields |
/// | `waiter = expr` | | a `Waiter` made elsewhere, without conditions and hooks: clock, sleep, randomness, and the policy |
/// | `deadline = expr` | | an absolute end from outside, an `Instant` |
/// | `propagate` | | hands the end of the run down to everything that the attempts call |
/// | `spans` | | opens a `tracing` span around each attempt; needs the feature `tracing` |
/// | `attempt_timeout` | | cuts each attempt; async only |
/// | `breaker = BREAKER` | | a `CircuitBreaker` that is asked before the first attempt |
/// | `pacer = PACER` | | a `Pacer` that gives each attempt its slot |
/// | `retry_budget = BUDGET` | | a `RetryBudget`, or any `RetryTokens`, that is asked before each retry |
/// | `retry_queue = QUEUE` | | a `RetryQueue` that decides when each retry goes out |
/// | `name = ".."` | the function's path | the name in events |
/// | `crate = path` | `::backoff_core` | where the engine is, for re-exports |
///
/// # Arguments
///
/// The attempts share the arguments, as they would in a loop: what attempt 1 changes, attempt 2 sees. Nothing is cloned
/// unless `clone(..)` asks for it; a clone is fresh for each attempt, and the argument itself is dropped at the end, or used up by
/// `exhausted`. A body that consumes an argument does not compile (E0382); `clone(argument)` mends it.
///
/// A reference that is returned can come from a `&` argument. From a `&mut` one it can't, unless it points at a part that the
/// body does not change, because a failed attempt would still hold the borrow; a loop written by hand has the same limit.
///
/// # Guards
///
/// `breaker`, `pacer`, `retry_budget` and `retry_queue` name a guard of `backoff_core::guard`, most often a `static`, that many runs
/// share; it is borrowed for the whole run, so `retry_budget = BUDGET` and `breaker = self.breaker` both work, but a constant or
/// a fresh value, which nobody would share, does not compile. A guard that is a field needs `&self`, or a body that changes
/// other fields only. They are asked in this order: the
/// breaker, then the pacer, then comes the attempt, then budget and queue before a retry. A run that breaker or pacer does not
/// let begin has no last value to return: it is `None`, or an error that the function's error type makes `From<Rejected>`, or
/// what `exhausted` makes of it.
///
/// # What it becomes
///
/// A loop in the function itself, with a closure or an async block for each attempt:
///
/// ```text
#[doc = include_str!("tests/snapshots/poll.rs.txt")]
/// ```
///
/// # Cancellation and panics
///
/// Dropping the future of an async function stops the attempt or the timer, and nothing runs on. A waiter with a
/// `CancelToken` cuts the sleeps of a blocking function short; because the function has to return a value of its own, it
/// makes its first attempt even if the token is cancelled before. A panic leaves the function from the attempt in which it
/// happened, with its own location.
///
/// # What the compiler shows
///
/// Every mistake in the attribute is an error at the mistake, all of them at once, and the function stays as it was. Lints
/// see the body as they would without the attribute, except those that look at whole functions: of rustc
/// `unconditional_recursion`, of clippy `needless_return`, `unnecessary_wraps`, `missing_const_for_fn`, `unused_async`,
/// `too_many_lines`, `needless_question_mark`, `redundant_clone` and a few more. None is added. A constant that
/// mentions `Self` or a generic parameter, such as `max_attempts = Self::LIMIT`, is checked when the program is built, not
/// by `cargo check`. Parameters of the surrounding `impl` can't be seen from here and are known by their names, a capital letter or
/// two; for one with a longer name write `max_attempts = const { RETRIES }`.
///
/// # Beside other attributes
///
/// What changes the body, such as `#[tracing::instrument]` or `#[async_recursion]`, stands below this attribute, or it would hand on
/// a body that moves its arguments away in the first attempt. `#[async_trait]` stands on the `impl`, as always.
#[cfg(not(test))]
#[proc_macro_attribute]
pub fn exponential_backoff(arguments: token::TokenStream, function: token::TokenStream) -> token::TokenStream {
    let untouched = function.clone();
    let attribute = std::panic::AssertUnwindSafe(|| attribute::attribute(arguments, function));
    std::panic::catch_unwind(attribute).unwrap_or_else(|_| errors::internal(untouched))
}
