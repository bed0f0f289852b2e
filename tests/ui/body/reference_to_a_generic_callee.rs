use backoff_core::exponential_backoff;

fn takes_any<T>(_: T) -> Result<(), ()> {
    Ok(())
}

#[exponential_backoff]
fn f(x: &mut u32) -> Result<(), ()> {
    takes_any(x)
}

fn main() {}
