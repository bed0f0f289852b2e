#![deny(warnings)]

use backoff_core::exponential_backoff;

#[exponential_backoff]
fn unused_argument(x: u8, mut y: u8) -> Result<u8, ()> {
    let z = 1;
    Ok(1)
}

#[exponential_backoff]
async fn unreachable() -> Result<u8, ()> {
    return Ok(1);
    drop(1);
}

fn main() {
    let _ = unused_argument(1, 1);
    drop(unreachable());
}
