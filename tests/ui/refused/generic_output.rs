use backoff_core::exponential_backoff;

#[exponential_backoff]
fn f<T: Clone>(t: &T) -> T {
    t.clone()
}

fn main() {}
