//! Whatever tokens stand in the attribute and below it: no panic, and the words of the function are still there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use proc_macro2::{TokenStream, TokenTree};

// The sources of the attribute: a procedural macro can't be called from a program.
#[path = "../../backoff-macros/src"]
mod source {
    pub(crate) mod attribute;
    pub(crate) mod check;
    #[allow(dead_code, reason = "one function is for the attribute itself")]
    pub(crate) mod errors;
    pub(crate) mod expand;
    pub(crate) mod keys;
    pub(crate) mod model;
    pub(crate) mod parse;
    pub(crate) mod quote;
}

/// Outside of a compiler, its tokens are those of `proc-macro2`.
mod token {
    pub(crate) use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
}

use source::{attribute, check, errors, expand, keys, model, parse, quote};

fuzz_target!(|input: (&str, &str)| {
    let (Ok(arguments), Ok(function)) = (input.0.parse::<TokenStream>(), input.1.parse::<TokenStream>()) else {
        return;
    };
    let before = words(function.clone());
    // What brings its own attribute or an `impl` is looked at, not only passed on; `#![..]` moves in front of the function.
    let is_moved = before.windows(2).any(|pair| pair == ["#", "!"]);
    let is_plain = !is_moved && !before.iter().any(|word| word == "exponential_backoff" || word == "impl");
    let after = words(attribute::attribute(arguments, function));
    if is_plain {
        let mut after = after.iter();
        assert!(before.iter().all(|word| after.any(|other| other == word)), "{input:?}");
    }
});

fn words(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Group(group) => words(group.stream()),
            other => vec![other.to_string()],
        })
        .collect()
}
