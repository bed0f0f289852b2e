//! A blocking run that another thread cuts short while it sleeps.
//!
//! ```text
//! cargo run --example cancel
//! ```

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use backoff_core::event::Retry;
use backoff_core::{CancelToken, ExponentialBackoff, Reason};

const POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(Duration::from_secs(60)).unlimited();

fn main() {
    let token = CancelToken::new();
    let (sleeps, asleep) = mpsc::channel();
    let worker = thread::spawn({
        let token = token.clone();
        move || {
            let announce = |retry: &Retry<'_, &str>| {
                println!("worker: attempt {} failed, sleeping {:?}", retry.attempt, retry.delay);
                let _ = sleeps.send(());
            };
            let outcome = POLICY.cancel(&token).on_retry(announce).retry(|| Err::<(), _>("connection refused"));
            (outcome, Instant::now())
        }
    });

    // Wait until the worker is about to sleep, and then long enough to be sure that it does.
    let _ = asleep.recv();
    thread::sleep(Duration::from_millis(100));
    let cancelled = Instant::now();
    token.cancel();

    match worker.join() {
        Ok((Err(error), ended)) => {
            assert_eq!(error.reason(), Reason::Cancelled);
            println!("worker: {error}");
            println!("main:   it ended {:?} after `cancel`", ended.saturating_duration_since(cancelled));
        }
        _ => println!("main:   the worker should have been cancelled"),
    }
}
