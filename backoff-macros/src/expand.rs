//! From the function to the same function with a loop in it.
//!
//! The loop stands in the user's function, with a fresh closure or async block for each attempt, because a body that is
//! handed to the engine as a function loses `&mut self` and the `Send` of its future. The engine is called between
//! attempts only. All names are the macro's own (`mixed_site`), all paths start at the root, there is no label, no item
//! beside the function, and no `#[allow]`, which `forbid` would turn into an error.

mod async_trait;
mod asynchronous;
mod blocking;
mod body;
mod pieces;
mod plan;

use crate::model::Model;
use crate::parse::Function;
use crate::quote::{Tokens, group};
use crate::token::{Delimiter, Group, Span, TokenStream, TokenTree};

pub(crate) use async_trait::{is_understood as understands_async_trait, name_of_self};

/// Writes the function with its loop.
pub(crate) fn function(function: &Function, model: &Model) -> TokenStream {
    let Some(body) = &function.body else { return function.header.iter().cloned().collect() };
    let (lifted, body) = body::lift_inner_attributes(body);
    let output = function
        .output
        .clone()
        .unwrap_or_else(|| vec![group(Delimiter::Parenthesis, Span::mixed_site(), Tokens::new())]);
    let block = if function.is_async_trait() {
        async_trait::block(function, model, &body)
    } else if function.asyncness.is_some() {
        braces(asynchronous::code(function, model, &output, &body), body.span())
    } else {
        braces(blocking::code(function, model, &output, &body), body.span())
    };
    let mut tokens = lifted;
    tokens.extend_from_slice(&function.header);
    tokens.push(TokenTree::Group(block));
    tokens.into_iter().collect()
}

/// Whether a body is what this attribute has made already: it stands on the function a second time, under another name.
pub(crate) fn is_expanded(function: &Function) -> bool {
    let Some(body) = &function.body else { return false };
    if function.is_async_trait() { async_trait::is_expanded(body) } else { body::is_expanded(body) }
}

/// Braces that stand where the user's stood: those of a macro would silence the lints inside.
fn braces(code: Tokens, span: Span) -> Group {
    let mut group = Group::new(Delimiter::Brace, code.into_iter().collect());
    group.set_span(span);
    group
}

/// The macro's own names at a place of the user's: what goes wrong with such tokens is shown there.
fn at(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}
