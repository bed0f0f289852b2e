//! Literals: what a token says.

use proc_macro2::TokenTree;
use syn::Lit;

use crate::parse::{is_punct, peel, stream};

/// A literal, perhaps behind a minus sign.
pub(super) struct Literal {
    pub(super) negative: bool,
    pub(super) lit: Lit,
}

/// The value as a literal, if it is one.
pub(super) fn literal(value: &[TokenTree]) -> Option<Literal> {
    let value = peel(value.to_vec());
    let negative = is_punct(value.first(), '-');
    match &value[usize::from(negative)..] {
        [token @ TokenTree::Literal(_)] => {
            let lit = syn::parse2(stream(core::slice::from_ref(token))).ok()?;
            Some(Literal { negative, lit })
        }
        [TokenTree::Ident(word)] if !negative && (word == "true" || word == "false") => {
            Some(Literal { negative, lit: syn::parse2(stream(&value)).ok()? })
        }
        [group @ TokenTree::Group(_)] if peel(vec![group.clone()]).len() == 1 && value.len() > 1 => {
            let inner = literal(&peel(vec![group.clone()]))?;
            Some(Literal { negative: negative != inner.negative, lit: inner.lit })
        }
        _ => None,
    }
}

/// The value of a text literal.
pub(super) fn text(value: &[TokenTree]) -> Option<String> {
    match literal(value)? {
        Literal { negative: false, lit: Lit::Str(text) } => Some(text.value()),
        _ => None,
    }
}

/// As it was written, without quotes.
impl core::fmt::Display for Literal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        match &self.lit {
            Lit::Str(text) => f.write_str(&text.value()),
            Lit::Int(int) => write!(f, "{int}"),
            Lit::Float(float) => write!(f, "{float}"),
            Lit::Bool(bool) => write!(f, "{}", bool.value),
            Lit::Char(char) => write!(f, "{:?}", char.value()),
            _ => f.write_str(".."),
        }
    }
}
