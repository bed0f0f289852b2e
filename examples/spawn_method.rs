//! An annotated method with `&mut self` whose future is spawned: the attribute keeps it `Send`.
//!
//! ```text
//! cargo run --example spawn_method
//! ```

use std::io;

use backoff_core::exponential_backoff;
use tokio::task::JoinSet;

/// A connection that has to be opened before it can send, and whose peer is slow to accept.
struct Connection {
    name: &'static str,
    refusals: u32,
    log: Vec<String>,
}

impl Connection {
    #[exponential_backoff(initial = "30ms", jitter = "full", max_attempts = 5, attempt = attempt)]
    async fn send(&mut self, message: &str) -> io::Result<usize> {
        let number = attempt.number();
        tokio::task::yield_now().await;
        if self.refusals > 0 {
            self.refusals -= 1;
            self.log.push(format!("attempt {number} refused"));
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
        self.log.push(format!("attempt {number} sent `{message}`"));
        Ok(message.len())
    }
}

#[tokio::main]
async fn main() {
    let mut tasks = JoinSet::new();
    for (name, refusals) in [("one", 0), ("two", 2), ("three", 9)] {
        tasks.spawn(async move {
            let mut connection = Connection { name, refusals, log: Vec::new() };
            let sent = connection.send("hello").await;
            (connection, sent)
        });
    }
    while let Some(Ok((connection, sent))) = tasks.join_next().await {
        println!("{}: {}", connection.name, connection.log.join(", "));
        match sent {
            Ok(bytes) => println!("  {bytes} bytes"),
            Err(error) => println!("  gave up: {error}"),
        }
    }
}
