use backoff_core::exponential_backoff;

#[exponential_backoff(attempt = "a")]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(name = f0)]
fn f1() -> Option<u8> {
    None
}

#[exponential_backoff(crate = "backoff_core")]
fn f2() -> Option<u8> {
    None
}

#[exponential_backoff(propagate = true)]
fn f3() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
    let _ = f1();
    let _ = f2();
    let _ = f3();
}
