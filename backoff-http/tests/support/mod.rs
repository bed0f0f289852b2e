//! What the tests share: durations, and responses in a row.
#![allow(dead_code, reason = "each test uses what it needs of it")]
#![allow(unreachable_pub, reason = "a module of every test")]

pub mod server;

use std::cell::RefCell;
use std::time::Duration;

use http::Response;

pub const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

pub fn all_ms<const N: usize>(all: [u64; N]) -> Vec<Duration> {
    all.map(ms).to_vec()
}

/// A response with a status and headers.
pub fn answer(status: u16, headers: &[(&str, &str)]) -> Response<()> {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, http::HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    response.body(()).unwrap()
}

/// Responses in a row.
#[derive(Debug)]
pub struct Answers(RefCell<std::vec::IntoIter<Response<()>>>);

impl Answers {
    pub fn new(answers: impl Into<Vec<Response<()>>>) -> Self {
        Self(RefCell::new(answers.into().into_iter()))
    }

    pub fn next(&self) -> Response<()> {
        self.0.borrow_mut().next().expect("there should be no further call")
    }
}
