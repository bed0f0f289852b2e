use backoff_core::exponential_backoff;

#[exponential_backoff(attempt_timeout = "1s")]
fn f() -> Option<u8> {
    None
}

fn main() {
    f();
}
