use backoff_core::exponential_backoff;

#[exponential_backoff(backoff::initial = "1s")]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(r#initial = "1s")]
fn f1() -> Option<u8> {
    None
}

#[exponential_backoff(Initial = "1s")]
fn f2() -> Option<u8> {
    None
}

#[exponential_backoff("initial" = "1s")]
fn f3() -> Option<u8> {
    None
}

#[exponential_backoff(initial("1s"))]
fn f4() -> Option<u8> {
    None
}

#[exponential_backoff(initial { "1s" })]
fn f5() -> Option<u8> {
    None
}

#[exponential_backoff(initial)]
fn f6() -> Option<u8> {
    None
}

#[exponential_backoff(initial =)]
fn f7() -> Option<u8> {
    None
}

#[exponential_backoff(initial: "1s")]
fn f8() -> Option<u8> {
    None
}

#[exponential_backoff(= "1s")]
fn f9() -> Option<u8> {
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
    let _ = f9();
}
