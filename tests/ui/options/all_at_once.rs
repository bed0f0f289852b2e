use backoff_core::exponential_backoff;

#[exponential_backoff(intial = "1s", budget = "0s", jitter = "half")]
const fn f() -> Option<u8> {
    None
}

fn main() {
    let _: Option<u8> = f();
}
