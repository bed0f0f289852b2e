use backoff_core::exponential_backoff;

struct S;

#[exponential_backoff]
impl S {
    fn f(&self) -> Option<u8> {
        None
    }
}

fn main() {
    S.f();
}
