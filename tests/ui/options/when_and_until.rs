use backoff_core::exponential_backoff;

#[exponential_backoff(when = |_| true, until = |_| true)]
fn f0() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
}
