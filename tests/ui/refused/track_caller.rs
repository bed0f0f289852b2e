use backoff_core::exponential_backoff;

#[exponential_backoff]
#[track_caller]
fn f() -> Option<u8> {
    None
}

fn main() {
    f();
}
