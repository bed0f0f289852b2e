//! Many threads want one lock file. Whoever does not get it waits and tries again: in step with all the others, or spread by
//! jitter.
//!
//! ```sh
//! cargo run --release --example lock_file
//! ```

use std::fs::OpenOptions;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use backoff_core::{ExponentialBackoff, Jitter};

const THREADS: u32 = 32;
const WORK: Duration = Duration::from_millis(2);

/// The file exists for as long as someone holds the lock.
struct Held<'a>(&'a Path);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(self.0) {
            eprintln!("{}: {error}", self.0.display());
        }
    }
}

fn try_lock(path: &Path) -> Result<Held<'_>, Error> {
    OpenOptions::new().write(true).create_new(true).open(path).map(|_| Held(path))
}

/// All threads want the lock at the same moment, each once: how long until all had it, and how often they tried.
fn contend(policy: ExponentialBackoff, path: &Path) -> Result<(Duration, u32), Error> {
    let (tries, barrier) = (AtomicU32::new(0), Barrier::new(THREADS as usize));
    let waiter = policy.waiter().when(|error: &Error| error.kind() == ErrorKind::AlreadyExists);
    let start = Instant::now();
    std::thread::scope(|scope| {
        let work = || {
            barrier.wait();
            let lock = waiter.retry(|| {
                tries.fetch_add(1, Ordering::Relaxed);
                try_lock(path)
            });
            let _held = lock.map_err(|error| Error::new(ErrorKind::TimedOut, error))?;
            std::thread::sleep(WORK);
            Ok::<_, Error>(())
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| Error::other("a thread panicked"))?)
    })?;
    Ok((start.elapsed(), tries.into_inner()))
}

fn main() -> Result<(), Error> {
    let folder: PathBuf = std::env::temp_dir().join(format!("backoff-lock-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("lock");
    let policy = ExponentialBackoff::new()
        .initial(Duration::from_millis(2))
        .max_delay(Duration::from_millis(100))
        .budget(Duration::from_secs(30));

    println!(
        "{THREADS} threads, each holds the lock for {WORK:?}; one after the other that is {:?}:\n",
        WORK * THREADS
    );
    println!("{:>8}  {:>10}  {:>8}", "jitter", "attempts", "time");
    for jitter in [Jitter::None, Jitter::Equal, Jitter::Full] {
        let (time, tries) = contend(policy.jitter(jitter), &path)?;
        println!("{:>8}  {tries:>10}  {:>5} ms", jitter.to_string(), time.as_millis());
    }
    std::fs::remove_dir_all(&folder)
}
