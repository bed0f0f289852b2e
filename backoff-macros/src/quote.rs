//! Templates of tokens.
//!
//! The crate `quote` would do the same on top of `proc-macro2`: two more crates for every user to build, and three times
//! the work for each function, because macros are built without optimisation.

use crate::token::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenTree};

/// Tokens in the making: a stream is made of them once, when they are complete.
pub(crate) type Tokens = Vec<TokenTree>;

/// Writes down tokens at a place: `quote!(span=> let #name = #value;)`. A word behind `#` is a variable, whose tokens keep
/// their own places; everything else stands there as it is.
macro_rules! quote {
    ($span:expr=>) => { $crate::quote::Tokens::new() };
    ($span:expr=> $($token:tt)+) => {{
        let span = $span;
        let mut tokens = $crate::quote::Tokens::new();
        $crate::quote::quote!(@each tokens span [@ $($token)+] [$($token)+ @]);
        tokens
    }};
    // Each token beside the one before, which says whether it is a variable.
    (@each $tokens:ident $span:ident [$($before:tt)+] [$($token:tt)+]) => {
        $($crate::quote::quote!(@one $tokens $span $before $token);)+
    };
    (@one $tokens:ident $span:ident # $part:ident) => { $crate::quote::Part::put(&$part, $span, &mut $tokens) };
    (@one $tokens:ident $span:ident $before:tt #) => {};
    (@one $tokens:ident $span:ident $before:tt @) => {};
    (@one $tokens:ident $span:ident $before:tt ($($token:tt)*)) => {
        $tokens.push($crate::quote::group($crate::token::Delimiter::Parenthesis, $span, $crate::quote::quote!($span=> $($token)*)))
    };
    (@one $tokens:ident $span:ident $before:tt {$($token:tt)*}) => {
        $tokens.push($crate::quote::group($crate::token::Delimiter::Brace, $span, $crate::quote::quote!($span=> $($token)*)))
    };
    (@one $tokens:ident $span:ident $before:tt $token:tt) => {
        $crate::quote::word(stringify!($token), $span, &mut $tokens)
    };
}

pub(crate) use quote;

/// What a template can take in.
pub(crate) trait Part {
    fn put(&self, span: Span, tokens: &mut Tokens);
}

impl<P: Part + ?Sized> Part for &P {
    fn put(&self, span: Span, tokens: &mut Tokens) {
        (**self).put(span, tokens);
    }
}

impl<P: Part> Part for Option<P> {
    fn put(&self, span: Span, tokens: &mut Tokens) {
        if let Some(part) = self {
            part.put(span, tokens);
        }
    }
}

impl Part for [TokenTree] {
    fn put(&self, _: Span, tokens: &mut Tokens) {
        tokens.extend_from_slice(self);
    }
}

impl Part for Tokens {
    fn put(&self, _: Span, tokens: &mut Tokens) {
        tokens.extend_from_slice(self);
    }
}

impl Part for Group {
    fn put(&self, _: Span, tokens: &mut Tokens) {
        tokens.push(TokenTree::Group(self.clone()));
    }
}

impl Part for Ident {
    fn put(&self, _: Span, tokens: &mut Tokens) {
        tokens.push(TokenTree::Ident(self.clone()));
    }
}

impl Part for bool {
    fn put(&self, span: Span, tokens: &mut Tokens) {
        word(if *self { "true" } else { "false" }, span, tokens);
    }
}

macro_rules! literals {
    ($($type:ty: $value:ident => $literal:expr;)+) => {$(
        impl Part for $type {
            fn put(&self, span: Span, tokens: &mut Tokens) {
                let $value = self;
                let mut literal = $literal;
                literal.set_span(span);
                tokens.push(TokenTree::Literal(literal));
            }
        }
    )+};
}

literals! {
    str: text => Literal::string(text);
    u64: number => Literal::u64_suffixed(*number);
    u32: number => Literal::u32_suffixed(*number);
    f64: number => Literal::f64_suffixed(*number);
}

/// A group of tokens at a place.
pub(crate) fn group(delimiter: Delimiter, span: Span, tokens: Tokens) -> TokenTree {
    let mut group = Group::new(delimiter, tokens.into_iter().collect());
    group.set_span(span);
    TokenTree::Group(group)
}

/// A token of a template: a word, or an operator, which is as many tokens as it has characters.
pub(crate) fn word(text: &str, span: Span, tokens: &mut Tokens) {
    if matches!(text.as_bytes(), [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..]) {
        tokens.push(TokenTree::Ident(Ident::new(text, span)));
        return;
    }
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let spacing = if characters.peek().is_some() { Spacing::Joint } else { Spacing::Alone };
        let mut punct = Punct::new(character, spacing);
        punct.set_span(span);
        tokens.push(TokenTree::Punct(punct));
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Tokens};
    use crate::token::{Ident, Span, TokenStream};

    fn text(tokens: Tokens) -> String {
        tokens.into_iter().collect::<TokenStream>().to_string()
    }

    #[test]
    fn a_template_is_what_it_looks_like() {
        let span = Span::call_site();
        let name = Ident::new("x", span);
        let (number, nothing) = (7_u64, None::<Tokens>);
        let value = quote!(span=> f(#number, |_| ()) #nothing);
        let output = quote!(span=> let #name = { #value }; if a == b && c {} #name);
        let plain = "let x = { f(7u64, |_| ()) }; if a == b && c {} x";
        assert_eq!(text(output), plain.parse::<TokenStream>().unwrap().to_string());
    }

    #[test]
    fn values_become_literals() {
        let mut tokens = Tokens::new();
        let span = Span::call_site();
        "a \"b\"".put(span, &mut tokens);
        2.5_f64.put(span, &mut tokens);
        true.put(span, &mut tokens);
        assert_eq!(text(tokens), "\"a \\\"b\\\"\" 2.5f64 true");
    }
}
