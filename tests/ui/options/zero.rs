use backoff_core::exponential_backoff;

#[exponential_backoff(initial = "0s")]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(budget = "0ms")]
fn f1() -> Option<u8> {
    None
}

#[exponential_backoff(max_delay = "0h")]
fn f2() -> Option<u8> {
    None
}

#[exponential_backoff(max_attempts = 0)]
fn f3() -> Option<u8> {
    None
}

#[exponential_backoff(max_hint = "0ns")]
fn f4() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
    let _ = f1();
    let _ = f2();
    let _ = f3();
    let _ = f4();
}
