use backoff_core::exponential_backoff;

struct Request;

fn send(_: Request) -> Result<u8, ()> {
    Err(())
}

#[exponential_backoff]
async fn asynchronous(request: Request) -> Result<u8, ()> {
    send(request)
}

#[exponential_backoff]
fn blocking(request: Request) -> Result<u8, ()> {
    send(request)
}

#[exponential_backoff]
fn once<F: FnOnce() -> u8>(f: F) -> Result<u8, ()> {
    Ok(f())
}

fn main() {}
