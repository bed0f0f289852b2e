use backoff_core::exponential_backoff;

#[exponential_backoff]
fn f() -> ! {
    loop {}
}

fn main() {}
