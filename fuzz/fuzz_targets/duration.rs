//! Whatever text stands for a duration: no panic, and what is accepted prints as a text of the same duration, and `jiff` reads it
//! the same if it reads it at all.
#![no_main]

use std::time::Duration;

use backoff_policy::duration::{parse, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    match parse(input) {
        Ok(duration) => {
            assert_eq!(parse(&text(duration).to_string()), Ok(duration));
            // `jiff` cuts fractions after nine digits, and ends earlier.
            let is_long = input.split_once('.').is_some_and(|(_, fraction)| fraction.len() > 10);
            if let (Ok(other), false) = (input.parse::<jiff::SignedDuration>(), is_long) {
                assert_eq!(Duration::try_from(other).ok(), Some(duration), "{input}");
            }
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(input.starts_with(error.text()) && input.contains(error.part()));
        }
    }
});
