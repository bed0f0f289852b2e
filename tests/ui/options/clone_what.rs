use backoff_core::exponential_backoff;

#[exponential_backoff(clone(b, a, self, a))]
fn f0(a: u8, (c, _): (u8, u8)) -> Option<u8> {
    Some(a + c)
}

#[exponential_backoff(clone())]
fn f1(a: u8) -> Option<u8> {
    Some(a)
}

#[exponential_backoff(clone = a)]
fn f2(a: u8) -> Option<u8> {
    Some(a)
}

#[exponential_backoff(clone(&a))]
fn f3(a: u8) -> Option<u8> {
    Some(a)
}

fn main() {
    f0(1, (1, 1));
    f1(1);
    f2(1);
    f3(1);
}
