use backoff_core::exponential_backoff;

#[exponential_backoff(jitter = "half")]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(jitter = "ful")]
fn f1() -> Option<u8> {
    None
}

#[exponential_backoff(jitter = "decorrelated")]
fn f2() -> Option<u8> {
    None
}

#[exponential_backoff(jitter = full)]
fn f3() -> Option<u8> {
    None
}

#[exponential_backoff(jitter = true)]
fn f4() -> Option<u8> {
    None
}

#[exponential_backoff(final_sleep = "trimm")]
fn f5() -> Option<u8> {
    None
}

#[exponential_backoff(final_sleep = "cut")]
fn f6() -> Option<u8> {
    None
}

#[exponential_backoff(budget = "unlimted")]
fn f7() -> Option<u8> {
    None
}

#[exponential_backoff(budget = unlimited)]
fn f8() -> Option<u8> {
    None
}

fn main() {
    let _ = f0();
    let _ = f1();
    let _ = f2();
    let _ = f3();
    let _ = f4();
    let _ = f5();
    let _ = f6();
    let _ = f7();
    let _ = f8();
}
