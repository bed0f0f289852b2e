//! Where an option ends, and what is said of one that can't be read.

use std::collections::BTreeSet;

use super::{PLAIN, refusals, refused};
use crate::token::{Delimiter, Group, TokenStream, TokenTree};

#[test]
fn an_option_ends_where_the_next_begins_and_not_between_angles() {
    assert_eq!(
        refused("max_attempts = 3, intial = \"1s\"", PLAIN),
        ["unknown option `intial`; did you mean `initial`?"]
    );
    // Angles that are closed again hide nothing.
    assert_eq!(
        refused("hint = wait::<A>, intial = \"1s\"", PLAIN),
        ["unknown option `intial`; did you mean `initial`?"]
    );
    for one in [
        "hint = wait::<A, B = C>",
        "hint = wait::<A, B = C>, max_attempts = 3",
        "when = |a, b| a < b, max_attempts = 3",
    ] {
        assert_eq!(refused(one, PLAIN), [""; 0], "{one}");
    }
}

#[test]
fn a_comma_ends_an_option_unless_it_stands_between_parameters_or_in_angles() {
    let unknown = "unknown option `retrys`; the options are";
    for value in
        ["E::t", "|e| e.status < 500", "|a, b| a | b", "a || b", "move |a: A, b| -> bool { a }", "LIMIT", "f as fn(A)"]
    {
        let refusals = refused(&format!("when = {value}, retrys = 3"), PLAIN);
        assert_eq!(refusals.len(), 1, "{value}: {refusals:?}");
        assert!(
            refusals[0].starts_with("unknown option `retrys`; did you mean") || refusals[0].starts_with(unknown),
            "{refusals:?}"
        );
    }
    // A bar that is no parameter's does not hide what follows up to the next one.
    for value in
        ["a || b", "a | b", "f()? || g", "(a) | b", "|| b", "|a| a || b", "move || b", "|a, b,| a", "|&a, b| a"]
    {
        let refusals = refused(&format!("when = {value}, retrys = |x| x"), PLAIN);
        assert!(refusals.len() == 1 && refusals[0].starts_with("unknown option `retrys`"), "{value}: {refusals:?}");
    }
    // Nor does a comparison hide an option that is known.
    assert_eq!(refused("when = |e| e.a < 5, max_attempts = 0, hint = |e| e.b > 3", PLAIN).len(), 1);
    for value in [
        "|a, b| a",
        "f::<A, B>",
        "<A as B<C, D>>::f",
        "|a: A<B, C>, d| a",
        "for<'a> |x: &'a u8, y| x",
        "async |a, b| a",
    ] {
        assert_eq!(refused(&format!("when = {value}, max_attempts = 3"), PLAIN), [""; 0], "{value}");
        assert_eq!(refused(&format!("max_attempts = 3, when = {value}"), PLAIN), [""; 0], "{value}");
    }
}

#[test]
fn what_stands_behind_an_expression_is_named() {
    for (options, sentence) in [
        ("when = E::t max_attempts = 3", "expected `,` between `t` and `max_attempts`"),
        ("when = f() propagate", "expected `,` between `()` and `propagate`"),
        ("max_attempts = 3 4", "expected `,` between `3` and `4`"),
        ("max_attempts = 3 \"x\"", "expected `,` between `3` and `\"x\"`"),
        ("max_attempts == 3", "an option is set with `=`, not with `==`: `max_attempts = 4`"),
        ("max_attempts => 3", "an option is set with `=`, not with `=>`: `max_attempts = 4`"),
        ("when = E::t, max-attempts = 3", "an option is written with `_`, not with `-`: `max_attempts = 4`"),
        ("when = E::t, max_attempts += 3", "expected `=` after `max_attempts`: write `max_attempts = 4`"),
        ("when = E::t, \"3s\"", "expected an option, found `\"3s\"`; write it as `initial = \"200ms\"`"),
        ("crate = backoff_core::", "`crate` takes a path: `crate = my_crate::backoff`"),
    ] {
        assert_eq!(refused(options, PLAIN), [sentence], "{options}");
    }
}

#[test]
fn what_looks_like_a_mistake_and_is_none_is_accepted() {
    for (options, function) in [
        ("crate = my_crate::backoff", PLAIN),
        ("crate = ::backoff_core", PLAIN),
        ("clone(a, b)", "fn f(a: u8, b: u8) -> Option<u8> { body }"),
        ("clone(a, b,)", "fn f(a: u8, b: u8) -> Option<u8> { body }"),
        ("max_attempts = 3, retry_budget = B", PLAIN),
        ("multiplier = 1.5, retry_budget = B", PLAIN),
        ("", "fn f() -> (Option<u8>) { body }"),
        ("", "fn f() -> [Option<u8>; 2] { body }"),
        ("", "fn f() -> [(); 0] { body }"),
    ] {
        assert_eq!(refused(options, function), [""; 0], "{options} {function}");
    }
    let names = "`clone` takes names of parameters, with commas between: `clone(a, b)`";
    for clone in ["clone(a b)", "clone(a,, b)", "clone(, a)", "clone(a; b)"] {
        assert_eq!(refused(clone, "fn f(a: u8, b: u8) -> Option<u8> { body }"), [names], "{clone}");
    }
}

#[test]
fn what_is_proposed_can_be_written_as_it_stands() {
    for (options, sentence) in [
        ("jitter(full)", "`jitter` is written with `=`: `jitter = \"full\"`"),
        ("initial(200ms)", "`initial` is written with `=`: `initial = \"200ms\"`"),
        ("initial(FIRST)", "`initial` is written with `=`: `initial = FIRST`"),
        (
            "max_attempts = 3д",
            "`max_attempts` can't be `3д`: it counts the first attempt, so use 1 to 4294967295; leave it out for no limit",
        ),
        ("max_attempts(3)", "`max_attempts` is written with `=`: `max_attempts = 3`"),
        ("max_attempts = \"unlimited\"", "for no `max_attempts` leave it out"),
        ("max_delay = \"none\"", "for no `max_delay` leave it out"),
        ("budget = \"0\"", "`budget` can't be `0`: `0` has no unit, use h, m, s, ms, us or ns"),
        (
            "initial = 200",
            "`initial` can't be `200`: `200` has no unit, use h, m, s, ms, us or ns; did you mean `initial = \"200ms\"`?",
        ),
    ] {
        assert_eq!(refused(options, PLAIN), [sentence], "{options}");
    }
}

#[test]
fn a_sign_in_front_of_a_text_is_refused() {
    assert_eq!(refused("max_attempts = (3), multiplier = (2.5)", PLAIN), [""; 0]);
    assert_eq!(refused("initial = -\"1s\"", PLAIN), ["`initial` can't be negative: remove the `-`"]);
    assert_eq!(refused("jitter = -\"full\"", PLAIN), ["`jitter` takes a word in quotes: `jitter = \"full\"`"]);
}

#[test]
fn a_value_from_a_macro_keeps_the_sign_in_front_of_it() {
    let value: TokenStream =
        [TokenTree::Group(Group::new(Delimiter::None, super::tokens("2.5")))].into_iter().collect();
    let arguments = super::tokens("multiplier = -").into_iter().chain(value).collect();
    let mut sentences = BTreeSet::new();
    refusals::sentences_of(crate::attribute::attribute(arguments, super::tokens(PLAIN)), &mut sentences);
    assert!(sentences.iter().any(|said| said.starts_with("`multiplier` can't be `-2.5`")), "{sentences:?}");
}

#[test]
fn what_is_written_otherwise_is_shown_as_it_is_written() {
    for (options, sentence) in [
        (", max_attempts = 3", "expected an option before `,`, such as `initial = \"200ms\"`"),
        ("propagate,, max_attempts = 3", "expected an option between the two commas; remove one of them"),
        ("budget: \"3s\"", "an option is set with `=`, not with `:`: `budget = \"3.5s\"`"),
        ("backoff::budget = \"3s\"", "an option is a single word: `budget = \"3.5s\"`"),
        ("clone[x]", "`clone` is written `clone(request)`"),
        ("propagate(3)", "`propagate` is written `propagate`"),
        ("max_attempts = LIMIT clone(x)", "expected `,` between `LIMIT` and `clone`"),
        ("max_attempts = 3 propagate", "expected `,` between `3` and `propagate`"),
    ] {
        assert_eq!(refused(options, PLAIN), [sentence], "{options}");
    }
    // What no option looks like is left to the compiler.
    for value in ["3 as u32", "LIMIT budget . most", "LIMIT clone [ 0 ]", "LIMIT budget == 3"] {
        assert_eq!(refused(&format!("max_attempts = {value}"), PLAIN), [""; 0], "{value}");
    }
}
