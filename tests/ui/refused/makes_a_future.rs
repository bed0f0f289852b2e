use backoff_core::exponential_backoff;
use std::pin::Pin;

#[exponential_backoff]
fn named() -> impl Future<Output = Option<u8>> {
    async { None }
}

#[exponential_backoff]
fn boxed() -> Pin<Box<dyn Future<Output = Option<u8>>>> {
    Box::pin(async { None })
}

fn main() {
    drop(named());
    drop(boxed());
}
