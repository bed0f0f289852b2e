//! A crate of the first edition: no `async`, other paths, `dyn` left out, unsafe functions without unsafe blocks.
#![deny(warnings)]
#![allow(bare_trait_objects, ellipsis_inclusive_range_patterns)]

extern crate backoff_core;

mod deep {
    use backoff_core::exponential_backoff;

    #[exponential_backoff(initial = "1ms", jitter = "full")]
    pub fn flaky(calls: &mut u32) -> Result<u32, Box<::std::error::Error>> {
        let async = 1;
        *calls += async;
        if *calls < 3 {
            Err("down")?;
        }
        Ok(*calls)
    }

    static BREAKER: ::backoff_core::guard::CircuitBreaker = ::backoff_core::guard::CircuitBreaker::new();
    static BUDGET: ::backoff_core::guard::RetryBudget = ::backoff_core::guard::RetryBudget::new();

    #[exponential_backoff(initial = "1ms", breaker = BREAKER, retry_budget = BUDGET)]
    pub fn guarded(calls: &mut u32) -> Option<u32> {
        *calls += 1;
        if *calls < 3 {
            None
        } else {
            Some(*calls)
        }
    }

    /// Reads a number.
    ///
    /// # Safety
    /// The pointer must be valid.
    #[exponential_backoff(max_attempts = 2)]
    pub unsafe fn read(pointer: *const u8) -> Option<u8> {
        Some(*pointer)
    }
}

pub use deep::{flaky, guarded, read};

#[test]
fn retries_in_the_first_edition() {
    assert_eq!(flaky(&mut 0).unwrap(), 3);
    assert_eq!(guarded(&mut 0), Some(3));
    assert_eq!(unsafe { read(&7) }, Some(7));
}
