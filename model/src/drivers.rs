//! Every way to call the engine.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use backoff_core::{RetryError, Waiter, exponential_backoff};

use crate::case::Case;
use crate::world::{Fault, World};

/// A way to call the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after what is called")]
pub enum Driver {
    Retry,
    StartBlocking,
    Attribute,
    RetryAsync,
    Start,
    AttributeAsync,
    AttemptTimeout,
}

impl Driver {
    /// All that can run the case.
    #[must_use]
    pub const fn all(case: &Case) -> &'static [Self] {
        if case.timeout.is_some() {
            &[Self::AttemptTimeout]
        } else {
            &[Self::Retry, Self::StartBlocking, Self::Attribute, Self::RetryAsync, Self::Start, Self::AttributeAsync]
        }
    }

    /// One for threads and one for futures, in turn.
    #[must_use]
    pub const fn two(case: &Case, turn: u64) -> &'static [Self] {
        match turn % 3 {
            _ if case.timeout.is_some() => &[Self::AttemptTimeout],
            0 => &[Self::Retry, Self::RetryAsync],
            1 => &[Self::StartBlocking, Self::Start],
            _ => &[Self::Attribute, Self::AttributeAsync],
        }
    }

    pub(crate) fn drive(self, world: &World<'_>) {
        let waiter = plain(world)
            .when(|fault: &Fault| world.is_transient(fault))
            .hint(|fault: &Fault| world.hint(fault))
            .on_retry(|retry: &_| world.on_retry(retry))
            .on_give_up(|end: &_| world.on_give_up(end))
            .on_success(|success: &_| world.on_success(success));
        match self {
            Self::Retry => world.ended(waiter.retry(|| world.call())),
            Self::RetryAsync => world.ended(block_on(waiter.retry_async(|| world.call_async()))),
            Self::AttemptTimeout => {
                let timeout = crate::case::duration(world.case.timeout.expect("a timeout"));
                world.ended(block_on(waiter.attempt_timeout(timeout).retry_async(|| world.call_async())));
            }
            Self::StartBlocking => {
                let mut run = waiter.start_blocking();
                loop {
                    match world.call() {
                        Ok(call) => {
                            run.succeed::<Fault>();
                            return world.ended(Ok(call));
                        }
                        Err(fault) => {
                            if let Err(error) = run.backoff(fault) {
                                return world.ended(Err(error));
                            }
                        }
                    }
                }
            }
            Self::Start => block_on(async {
                let mut run = waiter.start();
                loop {
                    match world.call_async().await {
                        Ok(call) => {
                            run.succeed::<Fault>();
                            return world.ended(Ok(call));
                        }
                        Err(fault) => {
                            if let Err(error) = run.backoff(fault).await {
                                return world.ended(Err(error));
                            }
                        }
                    }
                }
            }),
            Self::Attribute => {
                if let Ok(call) = annotated(world) {
                    world.ended(Ok(call));
                }
            }
            Self::AttributeAsync => {
                if let Ok(call) = block_on(annotated_async(world)) {
                    world.ended(Ok(call));
                }
            }
        }
    }
}

fn plain<'a>(world: &'a World<'_>) -> Waiter<&'a World<'a>, &'a World<'a>> {
    let waiter = world.case.policy().time(world).random(world);
    match world.case.deadline {
        Some(deadline) => waiter.deadline(deadline),
        None => waiter,
    }
}

#[exponential_backoff(
    waiter = plain(world),
    when = |fault: &Fault| world.is_transient(fault),
    hint = |fault: &Fault| world.hint(fault),
    on_retry = |retry| world.on_retry(retry),
    on_give_up = |end| world.on_give_up(end),
    on_success = |success| world.on_success(success),
    exhausted = |error| exhausted(world, error)
)]
fn annotated(world: &World<'_>) -> Result<usize, Fault> {
    world.call()
}

#[exponential_backoff(
    waiter = plain(world),
    when = |fault: &Fault| world.is_transient(fault),
    hint = |fault: &Fault| world.hint(fault),
    on_retry = |retry| world.on_retry(retry),
    on_give_up = |end| world.on_give_up(end),
    on_success = |success| world.on_success(success),
    exhausted = |error| exhausted(world, error)
)]
async fn annotated_async(world: &World<'_>) -> Result<usize, Fault> {
    world.call_async().await
}

fn exhausted(world: &World<'_>, error: RetryError<Fault>) -> Result<usize, Fault> {
    world.failed(&error);
    Err(error.into_last().expect("an annotated function makes an attempt"))
}

/// Polls until it is ready: nothing here waits for anything outside.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..10_000 {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
    panic!("the future is never ready");
}
