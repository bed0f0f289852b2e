//! What measures coverage counts the lines of a body: a line that ends in `// counted` has to be in the map that the compiler
//! makes of this file, which `.ci/coverage` looks at.

use backoff_core::exponential_backoff;

#[exponential_backoff(max_attempts = 2, initial = "1ns")]
fn halved(number: u32) -> Result<u32, u32> {
    if number % 2 == 1 {
        return Err(number); // counted
    }
    let half = number / 2; // counted
    Ok(half) // counted
}

#[exponential_backoff(max_attempts = 2, initial = "1ns", clone(text), attempt = attempt, propagate)]
fn parsed(text: String) -> Result<u32, std::num::ParseIntError> {
    let number: u32 = text.parse()?; // counted
    Ok(number + attempt.number()) // counted
}

#[exponential_backoff(max_attempts = 2, initial = "1ns")]
async fn awaited(number: u32) -> Result<u32, u32> {
    tokio::task::yield_now().await; // counted
    if number > 7 {
        return Err(number); // counted
    }
    Ok(number + 1) // counted
}

#[exponential_backoff(max_attempts = 2, initial = "1ns", attempt_timeout = "1s", clone(text), propagate)]
async fn timed(text: String) -> Option<usize> {
    let length = text.len(); // counted
    tokio::task::yield_now().await; // counted
    Some(length) // counted
}

struct Counter(u32);

impl Counter {
    #[exponential_backoff(max_attempts = 3, initial = "1ns")]
    fn third(&mut self) -> Option<u32> {
        self.0 += 1; // counted
        (self.0 == 3).then_some(self.0) // counted
    }
}

#[async_trait::async_trait]
trait Service {
    async fn call(&mut self) -> Result<u32, u32>;
}

#[async_trait::async_trait]
impl Service for Counter {
    #[exponential_backoff(max_attempts = 3, initial = "1ns")]
    async fn call(&mut self) -> Result<u32, u32> {
        self.0 += 1; // counted
        if self.0 < 2 { Err(self.0) } else { Ok(self.0) } // counted
    }
}

#[test]
fn every_counted_line_runs() {
    assert_eq!((halved(8), halved(7)), (Ok(4), Err(7)));
    assert_eq!(parsed("41".into()), Ok(42));
    assert_eq!(Counter(0).third(), Some(3));
}

#[tokio::test]
async fn every_counted_line_of_a_future_runs() {
    assert_eq!((awaited(7).await, awaited(8).await), (Ok(8), Err(8)));
    assert_eq!(timed("four".into()).await, Some(4));
    assert_eq!(Counter(0).call().await, Ok(2));
}
