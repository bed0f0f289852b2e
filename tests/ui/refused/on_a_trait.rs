use backoff_core::exponential_backoff;

#[exponential_backoff]
pub trait T {
    fn f(&self) -> Option<u8> {
        None
    }
}

fn main() {}
