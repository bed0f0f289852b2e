//! Where one option ends and the next begins.

use super::tokens::{closing_angle, is_joint, is_punct, peeled};
use crate::keys;
use crate::token::TokenTree;

/// Words behind which an expression begins, so they are no operands.
const NO_OPERANDS: [&str; 14] =
    ["as", "async", "break", "const", "dyn", "else", "for", "if", "in", "match", "move", "mut", "return", "static"];

/// Divides the first option from what stands behind its comma. Commas between the parameters of a closure and in `<A, B>` end none.
pub(super) fn split(tokens: &[TokenTree]) -> (&[TokenTree], &[TokenTree]) {
    let is_bar = |index| is_punct(tokens.get(index), '|');
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if is_bar(index) && is_bar(index + 1) && is_joint(Some(token)) {
            // A closure without parameters, or `a || b`.
            index += 2;
        } else if is_bar(index) && !ends_operand(tokens, index) {
            index = parameters_end(tokens, index);
        } else if is_punct(Some(token), ',') && !is_in_angles(tokens, index) {
            return (&tokens[..index], &tokens[index + 1..]);
        } else {
            index += 1;
        }
    }
    (tokens, &[])
}

/// The index behind the parameters of a closure; a bar that none follows is an operator.
fn parameters_end(tokens: &[TokenTree], start: usize) -> usize {
    let close = (start + 1..tokens.len()).find(|&index| is_punct(tokens.get(index), '|'));
    close.unwrap_or(start) + 1
}

/// Whether an operand ends in front of `index`, so that an operator follows, or else a comma is missing.
pub(super) fn ends_operand(tokens: &[TokenTree], index: usize) -> bool {
    match index.checked_sub(1).map(|before| peeled(&tokens[before])) {
        Some(TokenTree::Ident(word)) => !NO_OPERANDS.contains(&word.to_string().as_str()),
        Some(TokenTree::Punct(punct)) => punct.as_char() == '?',
        Some(_) => true,
        None => false,
    }
}

/// Whether the comma at `index` stands inside of `<..>`, as in `dyn Trait<A, Item = B>`. What follows a comparison with `<`
/// looks alike until a known option comes.
fn is_in_angles(tokens: &[TokenTree], index: usize) -> bool {
    let is_known =
        |token: &TokenTree| matches!(token, TokenTree::Ident(word) if keys::find(&word.to_string()).is_some());
    !tokens.get(index + 1).map(peeled).is_some_and(|next| is_known(&next))
        && (0..index).any(|open| {
            is_punct(tokens.get(open), '<') && closing_angle(tokens, open).is_some_and(|close| close > index)
        })
}
