use backoff_core::exponential_backoff;

#[exponential_backoff]
fn f() -> () {}

fn main() {
    f();
}
