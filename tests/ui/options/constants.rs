use backoff_core::exponential_backoff;
use std::time::Duration;

const ZERO: Duration = Duration::ZERO;
const NUMBER: u32 = 3;

#[exponential_backoff(initial = ZERO)]
fn rejected() -> Option<u8> {
    None
}

#[exponential_backoff(budget = NUMBER)]
fn of_another_type() -> Option<u8> {
    None
}

#[exponential_backoff(max_delay = Duration::from_secs(1), multiplier = 0.5 + 0.25)]
fn a_number() -> Option<u8> {
    None
}

fn main() {
    rejected();
    of_another_type();
    a_number();
}
