use backoff_core::exponential_backoff;

#[exponential_backoff(initial = "1s" max_delay = "2s")]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(max_attempts = 3 jitter = "full")]
fn f1() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
    let _ = f1();
}
