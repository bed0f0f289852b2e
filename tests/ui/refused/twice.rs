use backoff_core::exponential_backoff;

#[exponential_backoff(max_attempts = 3)]
#[backoff_core::exponential_backoff(max_attempts = 3)]
fn f() -> Option<u8> {
    None
}

fn main() {
    f();
}
