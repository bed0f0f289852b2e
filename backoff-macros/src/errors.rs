//! All errors of one run, collected.

use std::fmt::Display;

use crate::quote::{Tokens, quote};
use crate::token::{Span, TokenStream};

/// Collects errors. Panics when it is dropped without being read, because then a wrong attribute would be accepted.
#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<(Span, String)>,
    read: bool,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn push(&mut self, span: Span, message: impl Display) {
        self.errors.push((span, message.to_string()));
    }

    /// Every error as a `compile_error!` at its place, or nothing if there is none.
    pub(crate) fn into_compile_errors(mut self) -> Option<Tokens> {
        self.read = true;
        let mut output = Tokens::new();
        for (span, message) in &self.errors {
            output.extend(compile_error(*span, message));
        }
        (!output.is_empty()).then_some(output)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.read || std::thread::panicking(), "errors were collected and not read");
    }
}

/// The macro's own edition finds `::core`; the location is the user's.
fn compile_error(span: Span, message: &str) -> Tokens {
    let span = Span::mixed_site().located_at(span);
    quote!(span=> ::core::compile_error! { #message })
}

/// A panic in this crate is a defect, but the user's function must not vanish for it.
pub(crate) fn internal(mut function: TokenStream) -> TokenStream {
    function.extend(compile_error(
        Span::call_site(),
        "`#[exponential_backoff]` has a defect and did not understand this function: please report it",
    ));
    function
}

#[cfg(test)]
mod tests {
    use super::internal;

    #[test]
    fn a_defect_leaves_the_function_and_says_what_to_do() {
        let output = internal("fn f() {}".parse().unwrap()).to_string();
        assert_eq!(
            output,
            "fn f () { } :: core :: compile_error ! { \"`#[exponential_backoff]` has a defect and did not understand this \
             function: please report it\" }"
        );
    }
}
