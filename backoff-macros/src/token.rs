//! The tokens of the compiler; in tests, which run without one, the same types of `proc-macro2`.

#[cfg(not(test))]
pub(crate) use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
#[cfg(test)]
pub(crate) use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
