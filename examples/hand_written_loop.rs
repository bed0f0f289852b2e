//! A loop of one's own, for what no closure can express: the success borrows from the thing that is retried.
//!
//! ```text
//! cargo run --example hand_written_loop
//! ```

use std::time::Duration;

use backoff_core::{ExponentialBackoff, RetryError};

const POLICY: ExponentialBackoff = ExponentialBackoff::new().initial(Duration::from_millis(20)).max_attempts(4);

/// A cursor over rows that a slow server sends now and then.
struct Cursor {
    calls: u32,
    row: String,
}

impl Cursor {
    /// Every third call brings a row, lent out by the cursor.
    async fn advance(&mut self) -> Result<&str, String> {
        self.calls += 1;
        tokio::task::yield_now().await;
        if self.calls % 3 != 0 {
            return Err(format!("call {}: no row yet", self.calls));
        }
        self.row = format!("row of call {}", self.calls);
        Ok(&self.row)
    }
}

async fn next_length(cursor: &mut Cursor) -> Result<usize, RetryError<String>> {
    let mut run = POLICY.start();
    loop {
        let number = run.attempt().number();
        match cursor.advance().await {
            Ok(row) => {
                println!("  attempt {number}: {row}");
                return Ok(row.len());
            }
            Err(error) => {
                println!("  attempt {number}: {error}");
                run.backoff(error).await?; // sleeps, or gives the error back with the reason
            }
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), RetryError<String>> {
    let mut cursor = Cursor { calls: 0, row: String::new() };
    for _ in 0..2 {
        let length = next_length(&mut cursor).await?;
        println!("{length} bytes");
    }
    Ok(())
}
