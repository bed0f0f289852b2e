use backoff_core::exponential_backoff;

macro_rules! picky {
    ([$($inside:tt)*]) => { 1 };
}

#[exponential_backoff]
fn f() -> Option<u8> {
    Some(picky!({ 1 }))
}

fn main() {}
