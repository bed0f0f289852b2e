use backoff_core::exponential_backoff;

#[exponential_backoff]
struct S {
    f: fn() -> Option<u8>,
}

fn main() {
    let _ = S { f: || None }.f;
}
