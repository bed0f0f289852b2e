//! A crate that knows the engine by another name, and re-exports it for a macro of its own.

/// What the macros below need.
#[doc(hidden)]
pub mod __dep {
    pub use retry::*;
}

/// Makes a function that is retried, in a crate that may not know the engine at all.
#[macro_export]
macro_rules! job {
    ($(#[$attribute:meta])* $vis:vis fn $name:ident($($argument:ident: $type:ty),*) -> $output:ty $body:block) => {
        $(#[$attribute])*
        #[$crate::__dep::exponential_backoff(crate = $crate::__dep, initial = "1ms")]
        $vis fn $name($($argument: $type),*) -> $output $body
    };
}

/// Fails twice.
#[retry::exponential_backoff(crate = retry, initial = "1ms")]
#[must_use]
pub fn flaky(calls: &mut u32) -> Option<u32> {
    *calls += 1;
    (*calls == 3).then_some(*calls)
}

/// Fails twice.
///
/// # Errors
/// Twice.
#[retry::exponential_backoff(crate = ::retry, initial = "1ms", jitter = "equal")]
pub async fn flaky_async(calls: &mut u32) -> Result<u32, ()> {
    *calls += 1;
    if *calls < 3 { Err(()) } else { Ok(*calls) }
}

static BREAKER: retry::guard::CircuitBreaker = retry::guard::CircuitBreaker::new();
static QUEUE: retry::guard::RetryQueue = retry::guard::RetryQueue::new();

/// Fails twice, under guards.
#[retry::exponential_backoff(crate = retry, initial = "1ms", breaker = BREAKER, retry_queue = QUEUE)]
#[must_use]
pub fn guarded(calls: &mut u32) -> Option<u32> {
    *calls += 1;
    (*calls == 3).then_some(*calls)
}

job! {
    /// Fails twice.
    #[must_use]
    pub fn made(calls: &mut u32) -> Option<u32> {
        *calls += 1;
        (*calls == 3).then_some(*calls)
    }
}

#[test]
fn retries_under_another_name() {
    assert_eq!(flaky(&mut 0), Some(3));
    assert_eq!(made(&mut 0), Some(3));
}
