use backoff_core::exponential_backoff;

#[exponential_backoff(when = |e| e.is_timeout())]
fn no_such_method() -> Result<u8, std::io::Error> {
    Ok(1)
}

#[exponential_backoff(when = |e: &String| e.is_empty())]
fn of_another_type() -> Result<u8, std::io::Error> {
    Ok(1)
}

#[exponential_backoff(hint = |_| 30)]
fn not_a_hint() -> Result<u8, std::io::Error> {
    Ok(1)
}

#[exponential_backoff(exhausted = |e| e)]
fn not_the_return_type() -> Result<u8, std::io::Error> {
    Ok(1)
}

#[exponential_backoff(on_retry = |a, b| ())]
fn two_parameters() -> Result<u8, std::io::Error> {
    Ok(1)
}

fn main() {}
