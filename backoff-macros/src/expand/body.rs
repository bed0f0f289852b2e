//! The user's body.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use super::braces;
use crate::parse::{is_punct, stream, trees};

/// The body as an expression: the user's own braces, untouched, as the arm of a match. More braces around them would be
/// unused ones, and `cargo fix` would then corrupt the source.
///
/// ```text
/// { self.sock.ping() }   ->   match () { () => { self.sock.ping() } }
/// ```
pub(super) fn expression(body: &Group) -> TokenStream {
    quote_spanned!(Span::mixed_site()=> match () { () => #body })
}

/// Moves `#![..]` from the start of the body in front of the function, because there they may not stand in an expression.
pub(super) fn lift_inner_attributes(body: &Group) -> (TokenStream, Group) {
    let tokens = trees(body);
    let mut lifted = Vec::new();
    let mut at = 0;
    while is_punct(tokens.get(at), '#') && is_punct(tokens.get(at + 1), '!') {
        let Some(attribute @ TokenTree::Group(_)) = tokens.get(at + 2) else { break };
        lifted.extend([tokens[at].clone(), attribute.clone()]);
        at += 3;
    }
    if at == 0 {
        (TokenStream::new(), body.clone())
    } else {
        (stream(&lifted), braces(stream(&tokens[at..]), body.span()))
    }
}
