//! What the attribute decides by looking: what is constant, what a plan needs, where attributes go.

use super::{PLAIN, refused, words};

fn is_constant(arguments: &str, function: &str) -> bool {
    assert_eq!(refused(arguments, function), [""; 0], "{arguments}");
    words(arguments, function).contains("__BACKOFF_PLAN")
}

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
fn with_until_every_outcome_will_do() {
    for output in ["", "-> ()"] {
        assert_eq!(refused("until = |()| true", &format!("fn f() {output} {{ body }}")), [""; 0], "{output}");
        assert_eq!(refused("", &format!("fn f() {output} {{ body }}")).len(), 1, "{output}");
    }
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
