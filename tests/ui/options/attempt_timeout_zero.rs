use backoff_core::exponential_backoff;

#[exponential_backoff(attempt_timeout = "0s")]
async fn f0() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
}
