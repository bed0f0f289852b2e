use backoff_core::exponential_backoff;

#[exponential_backoff(initial = concat!("2", "s"))]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(budget = env!("BUDGET"))]
fn f1() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
    let _ = f1();
}
