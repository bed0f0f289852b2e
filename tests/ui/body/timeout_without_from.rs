use backoff_core::exponential_backoff;

struct My;

#[exponential_backoff(attempt_timeout = "1s")]
async fn f() -> Result<u8, My> {
    Err(My)
}

fn main() {}
