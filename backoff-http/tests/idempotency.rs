//! Keys: random, printable, and the same for every attempt of a run.

use std::collections::HashSet;

use backoff_http::{IdempotencyKey, Operation};
use http::{HeaderMap, Method};

#[test]
fn keys_differ_and_are_thirty_two_digits() {
    let keys: HashSet<String> = (0..10_000).map(|_| IdempotencyKey::new().to_string()).collect();
    assert_eq!(keys.len(), 10_000);
    assert!(keys.iter().all(|key| key.len() == 32 && key.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))));
}

#[test]
fn every_digit_is_used_at_every_place() {
    let mut seen = [[false; 16]; 32];
    for _ in 0..2_000 {
        for (place, digit) in IdempotencyKey::new().as_str().chars().enumerate() {
            seen[place][usize::try_from(digit.to_digit(16).unwrap()).unwrap()] = true;
        }
    }
    assert!(seen.iter().flatten().all(|seen| *seen));
}

#[test]
fn keys_that_were_stored_are_checked() {
    for text in ["a", "order-7/2026", &"x".repeat(255)] {
        assert_eq!(IdempotencyKey::from_text(text).unwrap().as_str(), text);
    }
    for text in ["", "a b", "a\n", "é", &"x".repeat(256)] {
        assert!(IdempotencyKey::from_text(text).is_err(), "{text:?}");
    }
}

#[test]
fn a_key_in_the_headers_makes_an_operation_keyed() {
    let mut headers = HeaderMap::new();
    assert!(!Operation::with_headers(&Method::POST, &headers).is_keyed());
    IdempotencyKey::new().attach(&mut headers);
    assert!(Operation::with_headers(&Method::POST, &headers).is_keyed());
    headers.insert("idempotency-key", "".parse().unwrap());
    assert!(!Operation::with_headers(&Method::POST, &headers).is_keyed());
}
