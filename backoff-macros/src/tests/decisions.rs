//! What the attribute decides by looking: what is constant, what is a parameter, where an option ends.

use std::collections::BTreeSet;

use super::{expanded, refusals};
use crate::token::{Delimiter, Group, TokenStream, TokenTree};

/// The words of an expansion, one space between them.
fn words(arguments: &str, function: &str) -> String {
    fn add(tokens: TokenStream, words: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => add(group.stream(), words),
                other => words.push(other.to_string()),
            }
        }
    }
    let mut words = Vec::new();
    add(expanded(arguments, function), &mut words);
    words.join(" ")
}

/// What the attribute refuses.
fn refused(arguments: &str, function: &str) -> Vec<String> {
    let mut sentences = BTreeSet::new();
    refusals::sentences_of(expanded(arguments, function), &mut sentences);
    sentences.into_iter().collect()
}

fn is_constant(arguments: &str, function: &str) -> bool {
    assert_eq!(refused(arguments, function), [""; 0], "{arguments}");
    words(arguments, function).contains("__BACKOFF_PLAN")
}

const PLAIN: &str = "fn f() -> Option<u8> { body }";

#[test]
fn a_plan_is_constant_unless_it_mentions_what_a_constant_can_not() {
    for value in ["3", "LIMIT", "ABC::LIMIT", "k::LIMIT", "limit(3)", "ABC + 1", "{ LIMIT }"] {
        assert!(is_constant(&format!("max_attempts = {value}"), PLAIN), "{value}");
    }
    for value in [
        "Self::LIMIT",
        "twice(Self::LIMIT)",
        "{ Self::LIMIT }",
        "N",
        "N + 1",
        "1 + K::LIMIT",
        "{ N2 }",
        "twice(N as u32)",
        "<T as Limits>::MOST",
        "AB::LIMIT",
        "const { RETRIES }",
    ] {
        assert!(!is_constant(&format!("max_attempts = {value}"), PLAIN), "{value}");
    }
}

#[test]
fn generic_parameters_are_known_wherever_they_stand() {
    let is_constant = |value, generics| {
        is_constant(&format!("max_attempts = {value}"), &format!("fn f<{generics}>() -> Option<u8> {{ body }}"))
    };
    assert!(!is_constant("COUNT", "const COUNT: u32"));
    assert!(!is_constant("{ COUNT }", "const COUNT: u32"));
    assert!(!is_constant("Limits::MOST", "Limits: Most"));
    assert!(!is_constant("Limits::MOST", "'a, Other: Iterator<Item = u8>, Limits"));
    assert!(!is_constant("Limits::MOST", "Other: Fn(u8) -> u8, Limits"));
    assert!(!is_constant("twice(Limits::MOST)", "Limits"));
    assert!(is_constant("Value::MOST", "Limits: Map<u8, Value>"), "an argument of a bound is no parameter");
    assert!(is_constant("twice(MOST)", "Limits"));
}

#[test]
fn a_plan_without_a_budget_reads_no_clock_unless_someone_asks() {
    assert!(words("budget = \"unlimited\"", PLAIN).contains("start_untimed"));
    assert!(!words("budget = \"unlimited\", on_retry = show", PLAIN).contains("start_untimed"));
    assert!(!words("budget = \"1s\"", PLAIN).contains("start_untimed"));
}

#[test]
fn what_is_written_beside_a_waiter_changes_its_policy() {
    let change = |arguments| {
        let words = words(arguments, PLAIN);
        let (_, behind) = words.split_once("__backoff : : Plan : : of waiter , ").expect("a plan of the waiter");
        behind.split(" ; ").next().unwrap_or_default().to_owned()
    };
    let named = "__backoff : : concat ! __backoff : : module_path ! , \"::f\" , false , false";
    assert_eq!(change("waiter = waiter"), named);
    assert_eq!(
        change("waiter = waiter, budget = \"unlimited\", max_attempts = 3"),
        format!(
            "{named} . with | __backoff_policy | __backoff : : Settings budget : __backoff : : None , max_attempts : \
             __backoff : : Some 3u32 , . . __backoff : : Settings : : of __backoff_policy . policy"
        )
    );
}

/// What `#[async_trait]` makes of a method, with this in it.
fn of_async_trait(inside: &str) -> String {
    format!(
        "fn f<'a, 'async_trait>(&'a self) -> Pin<Box<dyn Future<Output = Option<u8>> + 'async_trait>> \
         {{ Box::pin(async move {{ {inside} }}) }}"
    )
}

#[test]
fn options_of_a_method_in_an_async_trait_mention_the_name_that_self_has_there() {
    let method = of_async_trait("let __me = self; let __ret: Option<u8> = { body }; __ret");
    let words = words("retry_budget = self.tokens, when = |e| other(e, self.x)", &method);
    assert!(words.contains("__me . tokens") && words.contains("other e , __me . x"), "{words}");
    assert!(!words.contains("self . tokens"));
}

#[test]
fn a_method_of_another_form_is_refused() {
    let known = "let __ret: Option<u8> = { body }; __ret";
    assert_eq!(refused("", &of_async_trait(known)), [""; 0]);
    for unknown in [
        "let __ret = { body }; __ret",
        "let __ret: = { body }; __ret",
        "let other: Option<u8> = { body }; other",
        "body",
    ] {
        let sentences = refused("", &of_async_trait(unknown));
        assert!(
            sentences.iter().any(|said| said.contains("its body is not of a form that is known here")),
            "{unknown}"
        );
    }
}

#[test]
fn parameters_are_found_in_every_pattern() {
    let unknown = |name: &str, parameters: &str| {
        refused(&format!("clone({name})"), &format!("fn f({parameters}) -> Option<u8> {{ body }}"))
    };
    for (name, parameters) in [
        ("b", "a: u8, b: u8"),
        ("B", "a: u8, B: u8"),
        ("b", "a: Map<u8, u8>, mut b: u8"),
        ("x", "path::Point(x): Point"),
        ("x", "Point { x, y: other }: Point"),
        ("other", "Point { x, y: other }: Point"),
        ("x", "#[attr(hidden)] x: u8"),
    ] {
        assert_eq!(unknown(name, parameters), [""; 0], "{name} of {parameters}");
    }
    let sentence = |name: &str, has: &str| [format!("`{name}` is not a parameter of this function; it has {has}")];
    assert_eq!(unknown("attr", "#[attr(hidden)] x: u8"), sentence("attr", "`x`"));
    assert_eq!(unknown("y", "Point { x, y: other }: Point"), sentence("y", "`x`, `other`"));
    assert_eq!(unknown("path", "path::Point(x): Point"), sentence("path", "`x`"));
    assert_eq!(
        unknown("self", "self"),
        ["`self` can't be cloned for each attempt, because it can't be bound again: clone it in the body"]
    );
}

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
fn a_mutable_borrow_can_be_returned_unless_an_argument_lends_it() {
    let is_refused = |function: &str| !refused("", function).is_empty();
    assert!(is_refused("fn f<'a>(x: &'a mut u8) -> Option<&'a mut u8> { body }"));
    assert!(is_refused("fn f(x: &mut u8) -> Option<&mut u8> { body }"));
    assert!(!is_refused("fn f<'a, 'b>(x: &'a mut u8, y: &'b u8) -> Option<&'b mut u8> { body }"));
    assert!(!is_refused("fn f() -> Option<&'static mut u8> { body }"));
    assert!(!is_refused("fn f(&self, x: &mut u8) -> Option<&mut u8> { body }"), "it is borrowed from `self`");
    assert!(is_refused("fn f(&mut self, x: &u8) -> Option<&mut u8> { body }"));
    assert!(is_refused("fn f(self: Pin<&mut Self>) -> Option<&mut u8> { body }"));
    assert!(is_refused("fn f(self, x: &mut u8) -> Option<&mut u8> { body }"));
}

#[test]
fn what_only_makes_a_future_is_refused() {
    let makes = "this function only makes a future, and retrying that would run nothing: write `async fn` instead";
    let pinned =
        format!("{makes}; if `#[async_recursion]` has made that of an `async fn`, it stands below this attribute");
    for output in [
        "impl Future<Output = Option<u8>>",
        "impl std::future::Future<Output = Option<u8>> + Send",
        "Pin<Box<dyn Future<Output = Option<u8>>>>",
        "::core::pin::Pin<Box<dyn Future<Output = Option<u8>>>>",
        "BoxFuture<'static, Option<u8>>",
    ] {
        let makes = if output.contains("Pin") { pinned.as_str() } else { makes };
        assert_eq!(refused("", &format!("fn f() -> {output} {{ body }}")), [makes], "{output}");
    }
    for output in [
        "Option<BoxFuture<'static, u8>>",
        "Pin<Box<Option<u8>>>",
        "::std::option::Option<u8>",
        "impl Outcome",
        "IoFuture<u8>",
    ] {
        assert_eq!(refused("", &format!("fn f() -> {output} {{ body }}")), [""; 0], "{output}");
    }
}

#[test]
fn a_second_attribute_is_noticed_under_another_name() {
    let twice = "`#[exponential_backoff]` stands twice on this function, which would multiply the attempts: keep one";
    for function in [PLAIN, "async fn f(&self) -> Option<u8> { body }", "fn f() -> Option<u8> { #![inline] body }"] {
        let once = expanded("", function).to_string();
        assert_eq!(refused("", &once), [twice], "{function}");
    }
    let boxed = "fn f<'async_trait>() -> Pin<Box<dyn Future<Output = Option<u8>> + Send + 'async_trait>> {
        Box::pin(async move { let __ret: Option<u8> = { body }; __ret }) }";
    assert_eq!(refused("", boxed), [""; 0]);
    assert_eq!(refused("", &expanded("", boxed).to_string()), [twice]);
    assert_eq!(refused("", "fn f() -> Option<u8> { use std::fmt; body }"), [""; 0]);
    assert_eq!(refused("", "fn f<J: crate::async_trait::Job>() -> Option<u8> { body }"), [""; 0]);
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
fn what_a_plan_does_not_need_is_compiled_once_with_the_engine() {
    let is_plain =
        |options: &str| words(options, "async fn f() -> Option<u8> { body }").contains("constant as __backoff");
    assert!(is_plain("max_attempts = 3, when = f, hint = g, exhausted = h"));
    for options in [
        "on_retry = f",
        "on_give_up = f",
        "on_success = f",
        "attempt = a",
        "attempt_timeout = \"1s\"",
        "spans",
        "propagate",
    ] {
        assert!(!is_plain(options), "{options}");
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
fn with_until_every_outcome_will_do() {
    for output in ["", "-> ()"] {
        assert_eq!(refused("until = |()| true", &format!("fn f() {output} {{ body }}")), [""; 0], "{output}");
        assert_eq!(refused("", &format!("fn f() {output} {{ body }}")).len(), 1, "{output}");
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
fn inner_attributes_move_in_front_of_the_function() {
    let words = words("", "fn f() -> Option<u8> { #![first] #![second(x)] body }");
    assert!(words.starts_with("# first # second x fn f"), "{words}");
    assert_eq!(words.matches("first").count(), 1);
    assert_eq!(words.matches("body").count(), 1);
}

#[test]
#[should_panic(expected = "errors were collected and not read")]
fn errors_that_nobody_reads_are_a_defect() {
    drop(crate::errors::Errors::new());
}
