use backoff_core::exponential_backoff;

#[exponential_backoff(intial = "1s")]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(retries = 3)]
fn f1() -> Option<u8> {
    None
}

#[exponential_backoff(colour = "red")]
fn f2() -> Option<u8> {
    None
}

#[exponential_backoff(retry_if = |_| true)]
fn f3() -> Option<u8> {
    None
}

#[exponential_backoff(timeout = "3s")]
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
