use backoff_core::exponential_backoff;

#[exponential_backoff(max_attempts = -1)]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(max_attempts = 4294967296)]
fn f1() -> Option<u8> {
    None
}

#[exponential_backoff(max_attempts = 2.5)]
fn f2() -> Option<u8> {
    None
}

#[exponential_backoff(max_attempts = "3")]
fn f3() -> Option<u8> {
    None
}

#[exponential_backoff(max_attempts = 3ms)]
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
