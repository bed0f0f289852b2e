//! Whatever stands in the attribute and below it: no panic, and the function is still there.

use crate::token::{Delimiter, Group, TokenStream, TokenTree};
use proptest::prelude::*;

use super::{expanded, tokens};

/// Tokens that an attribute or a function is made of.
const WORDS: &[&str] = &[
    "initial",
    "budget",
    "multiplier",
    "max_attempts",
    "jitter",
    "when",
    "clone",
    "crate",
    "attempt",
    "propagate",
    "policy",
    "fn",
    "f",
    "async",
    "const",
    "impl",
    "trait",
    "where",
    "mut",
    "self",
    "Self",
    "T",
    "Result",
    "Option",
    "Future",
    "Pin",
    "'a",
    "'async_trait",
    "=",
    "==",
    "=>",
    "->",
    ",",
    ":",
    "::",
    ";",
    "<",
    ">",
    "&",
    "|",
    "#",
    "!",
    "?",
    "-",
    "+",
    ".",
    "..",
    "_",
    "let",
    "__ret",
    "0",
    "1",
    "200ms",
    "2.0",
    "\"200ms\"",
    "\"full\"",
    "\"\"",
    "'x'",
    "b\"x\"",
    "r#type",
    "true",
    "exponential_backoff",
    "track_caller",
    "fn f() -> Option<u8>",
    "#[a]",
    "#![a]",
];

fn any_tokens() -> impl Strategy<Value = TokenStream> {
    let word = prop::sample::select(WORDS).prop_map(tokens);
    word.prop_recursive(4, 48, 8, |inner| {
        let delimiter =
            prop::sample::select(vec![Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None]);
        (delimiter, prop::collection::vec(inner, 0..8)).prop_map(|(delimiter, parts)| {
            let inside: TokenStream = parts.into_iter().collect();
            TokenTree::Group(Group::new(delimiter, inside)).into()
        })
    })
}

fn stream() -> impl Strategy<Value = TokenStream> {
    prop::collection::vec(any_tokens(), 0..12).prop_map(|parts| parts.into_iter().collect())
}

/// The words of a stream, invisible groups and spacing aside.
fn words(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Group(group) => words(group.stream()),
            other => vec![other.to_string()],
        })
        .collect()
}

/// Whether the second list stands in the first, in order, perhaps with more in between.
fn contains(all: &[String], part: &[String]) -> bool {
    let mut all = all.iter();
    part.iter().all(|word| all.any(|other| other == word))
}

const FUNCTIONS: &[&str] = &[
    "fn f() -> Option<u8> { body ; 1 }",
    "pub(crate) async fn f<'a, T: Fn() -> u8>(&mut self, (a, b): (u8, T)) -> Result<impl Iterator<Item = u8>, E> where T: X { body.await }",
    "fn f<'a, 'async_trait>(&'a self) -> Pin<Box<dyn Future<Output = R> + 'async_trait>> { Box::pin(async move { let __ret: R = { body }; __ret }) }",
    "const fn f() {}",
    "impl S { fn f() {} }",
];

const ARGUMENTS: &str = "initial = \"200ms\", budget = \"3.5s\", multiplier = 2.5, jitter = \"full\", max_attempts = 3, \
    when = |e| e.a::<A, B>(), clone(a, b), attempt = x, propagate, hint = h, exhausted = |e| x, crate = $crate::a";

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_arguments_leave_the_function(arguments in stream(), function in prop::sample::select(FUNCTIONS)) {
        let function = tokens(function);
        let output = words(crate::attribute::attribute(arguments, function.clone()));
        let function = words(function);
        prop_assert!(contains(&output, &function), "{output:?}");
    }

    #[test]
    fn any_function_comes_back(arguments in prop::sample::select(vec!["", "max_attempts = 3", "clone(a)", "x"]), function in stream()) {
        let output = crate::attribute::attribute(tokens(arguments), function.clone());
        let function = words(function);
        // `#![..]` moves in front of the function, without its `!`; the others are looked at, not only passed on.
        let is_moved = function.windows(2).any(|pair| pair == ["#", "!"]);
        if !is_moved && !function.iter().any(|word| word == "exponential_backoff" || word == "impl") {
            prop_assert!(contains(&words(output), &function));
        }
    }
}

#[test]
fn truncated_arguments_leave_the_function() {
    let all: Vec<TokenTree> = tokens(&ARGUMENTS.replace('$', "")).into_iter().collect();
    for length in 0..=all.len() {
        for function in FUNCTIONS {
            let function = tokens(function);
            let output = crate::attribute::attribute(all[..length].iter().cloned().collect(), function.clone());
            assert!(contains(&words(output), &words(function)), "{length}");
        }
    }
}

#[test]
fn truncated_functions_come_back() {
    for function in FUNCTIONS {
        let all: Vec<TokenTree> = tokens(function).into_iter().collect();
        for length in 0..=all.len() {
            let function: TokenStream = all[..length].iter().cloned().collect();
            let output = crate::attribute::attribute(TokenStream::new(), function.clone());
            assert!(contains(&words(output), &words(function)), "{length}");
        }
    }
}

#[test]
fn the_body_stands_in_the_output_exactly_once() {
    let output = words(expanded("max_attempts = 3", FUNCTIONS[0]));
    assert_eq!(output.iter().filter(|word| *word == "body").count(), 1);
    let refused = words(expanded("max_attempts = 0", FUNCTIONS[0]));
    assert_eq!(refused.iter().filter(|word| *word == "body").count(), 1);
    assert_eq!(refused.iter().filter(|word| *word == "fn").count(), 1);
}

#[test]
fn all_errors_come_at_once() {
    let output = expanded("intial = \"1s\", budget = \"0s\", jitter = \"half\"", "const fn f() -> ! { body }");
    assert_eq!(words(output).iter().filter(|word| *word == "compile_error").count(), 4);
}

#[test]
fn attributes_inside_of_the_body_move_in_front_of_the_function() {
    let output = words(expanded("", "fn f() -> Option<u8> { #![a] body }"));
    assert_eq!(output[..4], ["#", "a", "fn", "f"]);
    assert_eq!(output.iter().filter(|word| *word == "a").count(), 1);
}

#[test]
fn no_lint_is_switched_off() {
    for function in &FUNCTIONS[..3] {
        let output = words(expanded("max_attempts = 3", function));
        assert!(!output.iter().any(|word| word == "allow" || word == "expect" || word.starts_with("'retry")));
    }
}
