use backoff_core::exponential_backoff;

struct S(u8);

impl S {
    #[exponential_backoff]
    fn f(&mut self) -> Result<&mut u8, ()> {
        Ok(&mut self.0)
    }
}

fn main() {
    let _ = S(0).f();
}
