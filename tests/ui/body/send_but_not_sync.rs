use backoff_core::exponential_backoff;
use std::cell::Cell;

#[exponential_backoff]
async fn f(c: Cell<u8>) -> Result<u8, ()> {
    c.set(1);
    std::future::ready(()).await;
    Ok(c.get())
}

fn is_send<T: Send>(_: T) {}

fn main() {
    is_send(f(Cell::new(0)));
}
