use backoff_core::exponential_backoff;

struct My;

#[exponential_backoff]
fn blocking() -> Result<u8, My> {
    Ok("1".parse()?)
}

#[exponential_backoff]
async fn asynchronous() -> Result<u8, My> {
    Ok("1".parse()?)
}

fn main() {}
