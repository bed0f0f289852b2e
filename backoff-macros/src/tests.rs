//! The whole way from tokens to tokens, outside of a compiler.

mod any_tokens;
mod decisions;
mod header;
mod options;
mod refusals;
mod snapshots;

use std::collections::BTreeSet;

use crate::token::{TokenStream, TokenTree};

/// Expands an attribute with these arguments on this function.
fn expanded(arguments: &str, function: &str) -> TokenStream {
    crate::attribute::attribute(tokens(arguments), tokens(function))
}

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The words of an expansion, one space between them.
fn words(arguments: &str, function: &str) -> String {
    fn add(tokens: TokenStream, words: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => add(group.stream(), words),
                other => words.push(other.to_string()),
            }
        }
    }
    let mut words = Vec::new();
    add(expanded(arguments, function), &mut words);
    words.join(" ")
}

/// What the attribute refuses.
fn refused(arguments: &str, function: &str) -> Vec<String> {
    let mut sentences = BTreeSet::new();
    refusals::sentences_of(expanded(arguments, function), &mut sentences);
    sentences.into_iter().collect()
}

const PLAIN: &str = "fn f() -> Option<u8> { body }";
