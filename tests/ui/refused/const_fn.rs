use backoff_core::exponential_backoff;

#[exponential_backoff]
const fn f() -> Option<u8> {
    None
}

fn main() {
    f();
}
