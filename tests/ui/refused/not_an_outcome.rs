use backoff_core::exponential_backoff;
use std::task::Poll;

#[exponential_backoff]
fn poll() -> Poll<Result<u8, ()>> {
    Poll::Pending
}

#[exponential_backoff]
async fn number() -> u8 {
    7
}

mod my {
    pub struct Result<T>(pub T);
}

#[exponential_backoff(when = |_| true)]
fn not_the_real_result() -> my::Result<u8> {
    my::Result(7)
}

fn main() {}
