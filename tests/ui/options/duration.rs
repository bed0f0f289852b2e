use backoff_core::exponential_backoff;

#[exponential_backoff(initial = 200ms)]
fn f0() -> Option<u8> {
    None
}

#[exponential_backoff(initial = 200)]
fn f1() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "200")]
fn f2() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "-1s")]
fn f3() -> Option<u8> {
    None
}

#[exponential_backoff(initial = -1)]
fn f4() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "0s")]
fn f5() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "1e3s")]
fn f6() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "200mz")]
fn f7() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "")]
fn f8() -> Option<u8> {
    None
}

#[exponential_backoff(initial = " 1s")]
fn f9() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "1s 1m")]
fn f10() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "0.1ns")]
fn f11() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "99999999999999999999s")]
fn f12() -> Option<u8> {
    None
}

#[exponential_backoff(initial = "5mins")]
fn f13() -> Option<u8> {
    None
}

#[exponential_backoff(initial = true)]
fn f14() -> Option<u8> {
    None
}

#[exponential_backoff(initial = '1')]
fn f15() -> Option<u8> {
    None
}

#[exponential_backoff(budget = 3.5)]
fn f16() -> Option<u8> {
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
    let _ = f10();
    let _ = f11();
    let _ = f12();
    let _ = f13();
    let _ = f14();
    let _ = f15();
}
