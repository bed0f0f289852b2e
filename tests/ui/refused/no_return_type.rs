use backoff_core::exponential_backoff;

#[exponential_backoff]
async fn f() {
    std::fs::read("x").unwrap();
}

fn main() {
    drop(f());
}
