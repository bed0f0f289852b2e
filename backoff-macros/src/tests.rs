//! The whole way from tokens to tokens, outside of a compiler.

mod any_tokens;
mod decisions;
mod refusals;
mod snapshots;

use crate::token::TokenStream;

/// Expands an attribute with these arguments on this function.
fn expanded(arguments: &str, function: &str) -> TokenStream {
    crate::attribute::attribute(tokens(arguments), tokens(function))
}

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}
