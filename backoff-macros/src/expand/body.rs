//! The user's body.

use super::braces;
use crate::parse::{has_word, is_punct, is_word, trees};
use crate::quote::{Tokens, quote};
use crate::token::{Group, Span, TokenTree};

/// The body as a block with something in front: the user's own braces, untouched, as the arm of a match. Braces directly around
/// them would be unused ones, and `cargo fix` would then corrupt the source.
///
/// ```text
/// { self.sock.ping() }   ->   { let request = ..; match () { () => { self.sock.ping() } } }
/// ```
///
/// The new braces stand where the user's do: in a block at a place of the macro's no line is counted by what measures coverage.
pub(super) fn block(before: &Tokens, body: &Group) -> Group {
    let code = quote!(Span::mixed_site()=> #before match () { () => #body });
    braces(code, body.span())
}

/// Whether the body begins with the import of the engine.
pub(super) fn is_expanded(body: &Group) -> bool {
    let tokens = trees(body);
    let import = tokens.split(|token| is_punct(Some(token), ';')).next().unwrap_or_default();
    is_word(import.first(), "use") && has_word(import, "__private")
}

/// Moves `#![..]` from the start of the body in front of the function, because there they may not stand in an expression.
pub(super) fn lift_inner_attributes(body: &Group) -> (Tokens, Group) {
    let tokens = trees(body);
    let mut lifted = Vec::new();
    let mut at = 0;
    while is_punct(tokens.get(at), '#') && is_punct(tokens.get(at + 1), '!') {
        let Some(attribute @ TokenTree::Group(_)) = tokens.get(at + 2) else { break };
        lifted.extend([tokens[at].clone(), attribute.clone()]);
        at += 3;
    }
    if at == 0 { (Tokens::new(), body.clone()) } else { (lifted, braces(tokens[at..].to_vec(), body.span())) }
}
