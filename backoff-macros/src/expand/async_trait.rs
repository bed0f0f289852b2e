//! A method that `#[async_trait]` has already rewritten: the retried part is the body inside, not the boxing around it.
//!
//! ```text
//! Box::pin(async move {
//!     if let Some(__ret) = None::<Result<u8, E>> { return __ret; }
//!     let __self = self;
//!     let __ret: Result<u8, E> = { BODY };
//!     __ret
//! })
//! ```

use core::cell::RefCell;

use super::{asynchronous, body, braces};
use crate::model::Model;
use crate::parse::{Function, Item, is_punct, is_word, regrouped, trees};
use crate::token::{Delimiter, Group, Ident, TokenTree};

/// The body of the rewritten method with a loop in the place of the last `let` that has a type.
pub(super) fn block(function: &Function, model: &Model, body: &Group) -> Group {
    let rewrite =
        |output: &[TokenTree], inner: &Group| braces(asynchronous::code(function, model, output, inner), inner.span());
    rewritten(body, &rewrite).unwrap_or_else(|| body.clone())
}

/// Whether the loop finds its place.
pub(crate) fn is_understood(body: &Group) -> bool {
    retried(body).is_some()
}

pub(super) fn is_expanded(body: &Group) -> bool {
    retried(body).is_some_and(|inner| body::is_expanded(&inner))
}

/// The block that is to be retried.
fn retried(body: &Group) -> Option<Group> {
    let found = RefCell::new(None);
    let _ = rewritten(body, &|_, inner| {
        found.replace(Some(inner.clone()));
        inner.clone()
    });
    found.into_inner()
}

fn rewritten(group: &Group, rewrite: &dyn Fn(&[TokenTree], &Group) -> Group) -> Option<Group> {
    let mut tokens = trees(group);
    if let Some(last) = last_typed_let(&tokens) {
        let TokenTree::Group(inner) = &tokens[last.value] else { return None };
        tokens[last.value] = TokenTree::Group(rewrite(&tokens[last.output], inner));
        return Some(regrouped(group, tokens));
    }
    // Not here: the block is further inside, `Box::pin(async move {..})`.
    let inside = tokens.iter().rposition(|token| {
        matches!(token, TokenTree::Group(group) if matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::Brace))
    })?;
    let TokenTree::Group(inner) = &tokens[inside] else { return None };
    tokens[inside] = TokenTree::Group(rewritten(inner, rewrite)?);
    Some(regrouped(group, tokens))
}

struct TypedLet {
    output: core::ops::Range<usize>,
    value: usize,
}

/// `let __ret: TYPE = { .. };`
fn last_typed_let(tokens: &[TokenTree]) -> Option<TypedLet> {
    let start = tokens.iter().rposition(|token| is_word(Some(token), "let"))?;
    let is_typed = is_word(tokens.get(start + 1), "__ret") && is_punct(tokens.get(start + 2), ':');
    let value = tokens
        .iter()
        .rposition(|token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace))?;
    let equals = value.checked_sub(1).filter(|&equals| is_punct(tokens.get(equals), '='))?;
    (is_typed && equals > start + 3).then_some(TypedLet { output: start + 3..equals, value })
}

/// The name that `#[async_trait]` has given to `self`: in `let mut __self = self;` it has moved what options
/// would mention.
pub(crate) fn name_of_self(item: &Item) -> Option<Ident> {
    let function = item.function.as_ref().ok().filter(|function| function.is_async_trait())?;
    find_self(function.body.as_ref()?)
}

fn find_self(group: &Group) -> Option<Ident> {
    let tokens = trees(group);
    let found = tokens.windows(3).find_map(|window| match window {
        [TokenTree::Ident(name), equals, value] if is_punct(Some(equals), '=') && is_word(Some(value), "self") => {
            Some(name.clone())
        }
        _ => None,
    });
    found.or_else(|| {
        tokens.iter().find_map(|token| match token {
            TokenTree::Group(inner) => find_self(inner),
            _ => None,
        })
    })
}
