use backoff_core::exponential_backoff;

#[exponential_backoff]
async fn asynchronous() -> Result<String, ()> {
    Ok("x")
}

#[exponential_backoff]
fn blocking() -> Result<String, ()> {
    Ok("x")
}

#[exponential_backoff]
async fn semicolon(s: String) -> Result<String, ()> {
    Ok(s);
}

fn main() {}
