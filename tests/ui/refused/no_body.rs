use backoff_core::exponential_backoff;

trait T {
    #[exponential_backoff]
    fn f(&self) -> Option<u8>;
}

fn main() {}
