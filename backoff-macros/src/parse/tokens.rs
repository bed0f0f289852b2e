//! Small questions about tokens.

use crate::token::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

/// Whether the token is that punctuation character.
pub(crate) fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

/// Whether the token is punctuation that belongs to the one behind it.
pub(crate) fn is_joint(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.spacing() == Spacing::Joint)
}

/// Whether two names are the same; a name knows its place too, and is compared without.
pub(crate) fn same(a: &Ident, b: &Ident) -> bool {
    is_named(a, &b.to_string())
}

/// Whether that is the name. The compiler's names can't be compared with texts; those of `proc-macro2` can.
pub(crate) fn is_named(name: &Ident, text: &str) -> bool {
    let name = name.to_string();
    name == text
}

/// Whether the token is that word.
pub(crate) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if is_named(ident, word))
}

/// Whether the word is one of the tokens.
pub(crate) fn has_word(tokens: &[TokenTree], word: &str) -> bool {
    tokens.iter().any(|token| is_word(Some(token), word))
}

/// Takes away the invisible groups that values from `macro_rules!` arrive in, as long as one is all there is.
pub(crate) fn peel(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    match tokens.as_slice() {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => peel(trees(group)),
        _ => tokens,
    }
}

/// The token itself, or what is inside if it is an invisible group around a single token.
pub(crate) fn peeled(token: &TokenTree) -> TokenTree {
    match peel(vec![token.clone()]).as_slice() {
        [inner] => inner.clone(),
        _ => token.clone(),
    }
}

/// What is inside a group.
pub(crate) fn trees(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

/// The same group around other tokens.
pub(crate) fn regrouped(group: &Group, tokens: Vec<TokenTree>) -> Group {
    let mut regrouped = Group::new(group.delimiter(), tokens.into_iter().collect());
    regrouped.set_span(group.span());
    regrouped
}

/// The place of the first token, or of the attribute if there is none.
pub(crate) fn span_of(tokens: &[TokenTree]) -> Span {
    tokens.first().map_or_else(Span::call_site, TokenTree::span)
}

/// Where a bracket of `<..>` that opens at `start` ends: the index behind its `>`.
pub(crate) fn angle_end(tokens: &[TokenTree], start: usize) -> usize {
    closing_angle(tokens, start).map_or(tokens.len(), |close| close + 1)
}

/// The `>` of a bracket of `<..>` that opens at `start`. The arrow of `Fn() -> T` does not close it.
pub(crate) fn closing_angle(tokens: &[TokenTree], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (start..tokens.len()).find(|&index| {
        if is_punct(tokens.get(index), '<') {
            depth += 1;
        } else if is_punct(tokens.get(index), '>') && !is_arrow_head(tokens, index) {
            depth = depth.saturating_sub(1);
        }
        depth == 0
    })
}

/// Whether the `>` at `index` belongs to `->` or `=>`.
pub(crate) fn is_arrow_head(tokens: &[TokenTree], index: usize) -> bool {
    let before = index.checked_sub(1).map(|before| &tokens[before]);
    is_punct(before, '-') || is_punct(before, '=')
}

/// Collects tokens into a stream.
pub(crate) fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}
