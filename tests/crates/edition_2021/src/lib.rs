//! A crate of the edition of 2021: async, unsafe functions without unsafe blocks, names that became words later.
#![deny(warnings)]

use backoff_core::exponential_backoff;

/// Fails twice.
#[exponential_backoff(initial = "1ms", jitter = "full", when = |error| !error.is_empty())]
pub fn flaky(calls: &mut u32) -> Result<u32, String> {
    let gen = 1;
    *calls += gen;
    if *calls < 3 {
        return Err("down".into());
    }
    Ok(*calls)
}

/// Fails twice.
#[exponential_backoff(initial = "1ms", attempt_timeout = "1s", propagate)]
pub async fn flaky_async<T: AsRef<str> + Sync>(
    calls: &mut u32,
    text: T,
) -> Result<Box<dyn Fn() -> u32 + Send>, String> {
    let length = flaky_inner(calls, text.as_ref()).await?;
    if length > 100 {
        return Ok(Box::new(|| 100));
    }
    Ok(Box::new(move || length))
}

async fn flaky_inner(calls: &mut u32, text: &str) -> Result<u32, String> {
    *calls += 1;
    if *calls < 3 {
        Err(text.to_owned())
    } else {
        Ok(*calls)
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

/// Reads a number.
///
/// # Safety
/// The pointer must be valid.
#[exponential_backoff(max_attempts = 2)]
pub async unsafe fn read_async(pointer: *const u8) -> Option<u8> {
    Some(*pointer)
}

/// Attributes that choose how a function is compiled stay on the one function.
///
/// # Safety
/// The processor must have the instructions.
#[cold]
#[no_mangle]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[exponential_backoff(initial = "1ms")]
pub unsafe fn hazard_compiled_specially(calls: &mut u32) -> Option<u32> {
    *calls += 1;
    if *calls < 3 {
        None
    } else {
        Some(*calls)
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::sync::Arc;
    use std::task::{Context, Poll, Wake};

    struct Unpark(std::thread::Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    /// The smallest executor: the timer needs no runtime.
    fn block_on<F: Future>(future: F) -> F::Output {
        let mut future = Box::pin(future);
        let waker = Arc::new(Unpark(std::thread::current())).into();
        loop {
            match future.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(output) => return output,
                Poll::Pending => std::thread::park(),
            }
        }
    }

    #[test]
    fn retries_in_this_edition() {
        assert_eq!(super::flaky(&mut 0), Ok(3));
        assert_eq!(block_on(super::flaky_async(&mut 0, "down")).unwrap()(), 3);
        assert_eq!(unsafe { super::read(&7) }, Some(7));
        assert_eq!(unsafe { super::hazard_compiled_specially(&mut 0) }, Some(3));
        assert_eq!(block_on(unsafe { super::read_async(&7) }), Some(7));
    }
}
