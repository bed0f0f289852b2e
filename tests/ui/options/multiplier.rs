use backoff_core::exponential_backoff;

#[exponential_backoff(multiplier = 1)]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(multiplier = 1.0)]
fn f1() -> Option<u8> {
    None
}

#[exponential_backoff(multiplier = 0.5)]
fn f2() -> Option<u8> {
    None
}

#[exponential_backoff(multiplier = -2.0)]
fn f3() -> Option<u8> {
    None
}

#[exponential_backoff(multiplier = "2.0")]
fn f4() -> Option<u8> {
    None
}

#[exponential_backoff(multiplier = "two")]
fn f5() -> Option<u8> {
    None
}

#[exponential_backoff(multiplier = 1e999)]
fn f6() -> Option<u8> {
    None
}

#[exponential_backoff(multiplier = 2x)]
fn f7() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
    let _ = f1();
    let _ = f2();
    let _ = f3();
    let _ = f4();
    let _ = f5();
    let _ = f6();
    let _ = f7();
}
