//! Whatever text stands for a duration: no panic, and what is accepted prints as a text of the same duration.
#![no_main]

use backoff_policy::duration::{parse, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    match parse(input) {
        Ok(duration) => assert_eq!(parse(&text(duration).to_string()), Ok(duration)),
        Err(error) => assert!(!error.to_string().is_empty() && error.part().len() <= error.text().len()),
    }
});
