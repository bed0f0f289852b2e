use backoff_core::exponential_backoff;
use std::pin::Pin;

struct S(u8);

impl S {
    #[exponential_backoff]
    fn poke(self: Pin<&mut Self>) -> Result<(), ()> {
        self.get_mut().0 += 1;
        Ok(())
    }
}

fn main() {}
