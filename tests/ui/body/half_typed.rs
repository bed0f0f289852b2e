use backoff_core::exponential_backoff;

#[exponential_backoff]
fn f(list: Vec<u8>) -> Option<u8> {
    let first = list.first
    list.
}

fn main() {
    f(vec![]);
}
