//! The user's body.

use super::braces;
use crate::parse::{is_punct, trees};
use crate::quote::{Tokens, quote};
use crate::token::{Group, Span, TokenTree};

/// The body as an expression: the user's own braces, untouched, as the arm of a match. More braces around them would be
/// unused ones, and `cargo fix` would then corrupt the source.
///
/// ```text
/// { self.sock.ping() }   ->   match () { () => { self.sock.ping() } }
/// ```
pub(super) fn expression(body: &Group) -> Tokens {
    quote!(Span::mixed_site()=> match () { () => #body })
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
