use backoff_core::exponential_backoff;

#[exponential_backoff]
fn f<'a>(a: &'a str, b: &str) -> Result<&'a str, ()> {
    Ok(b)
}

fn main() {}
