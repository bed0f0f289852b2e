use backoff_core::exponential_backoff;

#[exponential_backoff(initial: "1ms", budget: "2s")]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(multiplier = 1,5)]
fn f1() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "1ms"; budget = "2s")]
fn f2() -> Option<u8> {
    None
}

#[exponential_backoff(3)]
fn f3() -> Option<u8> {
    None
}

#[exponential_backoff(max_attempts = Some(3), max_delay = None, budget = None)]
fn f4() -> Option<u8> {
    None
}

#[exponential_backoff(jitter = Full, final_sleep = Trim)]
fn f5() -> Option<u8> {
    None
}

#[exponential_backoff(when = "is_transient")]
fn f6() -> Result<u8, u8> {
    Err(1)
}

#[exponential_backoff(deadline = "5s")]
fn f7() -> Option<u8> {
    None
}

fn main() {
    let _ = (f0(), f1(), f2(), f3(), f4(), f5(), f6(), f7());
}
