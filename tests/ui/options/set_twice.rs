use backoff_core::exponential_backoff;

#[exponential_backoff(initial = "1s", budget = "2s", initial = "3s")]
fn f0() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
}
