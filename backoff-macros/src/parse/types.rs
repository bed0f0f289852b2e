//! The two things that have to be known about a type.

use super::tokens::{is_arrow_head, is_punct, is_word, regrouped, trees};
use crate::quote::Tokens;
use crate::token::{Delimiter, Group, Ident, Span, TokenTree};

/// The type with `_` for each `impl Trait`, which can be written in a return type but nowhere else.
///
/// ```text
/// Result<impl Iterator<Item = u8> + '_, E>   ->   Result<_, E>
/// ```
pub(crate) fn without_impl_trait(tokens: &[TokenTree]) -> Tokens {
    let mut output = Tokens::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if is_word(Some(token), "impl") {
            output.push(hole(token.span()));
            index = bounds_end(tokens, index + 1);
            continue;
        }
        output.push(match token {
            // `&(impl A + B)`: parentheses around a lone `_` would be unused ones.
            TokenTree::Group(group) if is_impl_trait(group) => hole(token.span()),
            TokenTree::Group(group) => TokenTree::Group(regrouped(group, without_impl_trait(&trees(group)))),
            other => other.clone(),
        });
        index += 1;
    }
    output
}

fn hole(place: Span) -> TokenTree {
    TokenTree::Ident(Ident::new("_", Span::mixed_site().located_at(place)))
}

fn is_impl_trait(group: &Group) -> bool {
    let tokens = trees(group);
    group.delimiter() == Delimiter::Parenthesis
        && is_word(tokens.first(), "impl")
        && bounds_end(&tokens, 1) == tokens.len()
}

/// Where the bounds behind `impl` end: at a comma, a semicolon or a closing angle that is not theirs.
fn bounds_end(tokens: &[TokenTree], start: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        let token = Some(token);
        if is_punct(token, '<') {
            depth += 1;
        } else if is_punct(token, '>') && !is_arrow_head(tokens, index) {
            if depth == 0 {
                return index;
            }
            depth -= 1;
        } else if depth == 0 && (is_punct(token, ',') || is_punct(token, ';')) {
            return index;
        }
    }
    tokens.len()
}

/// Whether one of the words stands anywhere in the tokens.
pub(crate) fn mentions(tokens: &[TokenTree], words: &[String]) -> bool {
    tokens.iter().any(|token| match token {
        TokenTree::Ident(ident) => words.contains(&ident.to_string()),
        TokenTree::Group(group) => mentions(&trees(group), words),
        _ => false,
    })
}
