use backoff_core::exponential_backoff;

#[exponential_backoff(,)]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "1s",, budget = "2s")]
fn f1() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
    let _ = f1();
}
