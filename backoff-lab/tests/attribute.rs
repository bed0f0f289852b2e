//! The text of an attribute: what is read from it, and what is refused, in the attribute's own words.

use backoff_lab::source::attribute;

fn policy(text: &str) -> String {
    attribute(text).unwrap().policy.to_string()
}

fn refused(text: &str) -> String {
    let error = attribute(text).unwrap_err().to_string();
    error.strip_prefix("in the attribute: ").unwrap_or(&error).to_owned()
}

#[test]
fn every_way_to_write_it_is_read() {
    let written = "100ms x1.5 up to 10s, equal jitter, no budget, skip, 4 attempts, hints up to 1m";
    let options = r#"initial = "100ms", max_delay = "10s", multiplier = 1.5, max_attempts = 4, jitter = "equal",
        budget = "unlimited", final_sleep = "skip", max_hint = "1m","#;
    for text in [
        options.to_owned(),
        format!("#[exponential_backoff({options})]"),
        format!("exponential_backoff({options})"),
        format!("#[backoff_core::exponential_backoff({options})]"),
    ] {
        assert_eq!(policy(&text), written);
    }
    let default = "200ms x2, no jitter, budget 3.5s, trim";
    for text in ["", "#[exponential_backoff]", "exponential_backoff", "#[exponential_backoff()]"] {
        assert_eq!(policy(text), default);
    }
}

#[test]
fn options_about_something_else_are_left_out_with_a_note() {
    let text = r#"#[exponential_backoff(
        when = |error: &Error, _| error.is_transient() && a < b, clone(request, name), propagate,
        initial = "1s", on_retry = |retry| println!("{retry:?}, {}", x == y), attempt_timeout = "5s", breaker = BREAKER
    )]"#;
    let named = attribute(text).unwrap();
    assert_eq!(named.policy.to_string(), "1s x2, no jitter, budget 3.5s, trim");
    let left_out: Vec<_> = named.notes.iter().filter_map(|note| note.split('`').nth(1)).collect();
    assert_eq!(left_out, ["when", "clone", "propagate", "on_retry", "attempt_timeout", "breaker"]);
    assert_eq!(
        named.notes[4],
        "`attempt_timeout` is not looked at: how long an attempt takes is what `--operation` says"
    );
}

#[test]
fn slips_are_answered_as_the_attribute_answers_them() {
    for (text, sentence) in [
        (r#"intial = "1s""#, "unknown option `intial`; did you mean `initial`?"),
        ("retries = 3", "unknown option `retries`; did you mean `max_attempts`?"),
        (r#"initial = "0s""#, "`initial` can't be `0s`: the first delay must be longer than zero, such as `200ms`"),
        (
            "max_attempts = 0",
            "`max_attempts` can't be `0`: it counts the first attempt, so use 1 to 4294967295; leave it out for no limit",
        ),
        (
            "max_attempts = 2.5",
            "`max_attempts` can't be `2.5`: it counts the first attempt, so use 1 to 4294967295; leave it out for no limit",
        ),
        (
            "multiplier = -2",
            "`multiplier` can't be `-2`: it must be a finite number greater than 1, such as `2.0`; for a constant delay set \
             `max_delay` equal to `initial`",
        ),
        (r#"jitter = "ful""#, "`jitter` can't be `ful`: choose `none`, `full` or `equal`; did you mean `full`?"),
        (
            r#"budget = "unlimted""#,
            "`budget` can't be `unlimted`: it is the total time of a run, such as `3.5s`, or \"unlimited\"; did you mean `unlimited`?",
        ),
        (r#"initial = "1s", initial = "2s""#, "`initial` is set twice; remove one of the two"),
        ("initial", "`initial` has no value: write `initial = \"200ms\"`"),
        (r#"initial("1s")"#, "expected `=` after `initial`: write `initial = \"200ms\"`"),
        ("jitter = 5", "`jitter` takes a word in quotes: `jitter = \"full\"`"),
        (r#"multiplier = "2""#, "`multiplier` is a number: remove the quotes, `multiplier = 2`"),
        (r#"max_attempts = "many""#, "`max_attempts` takes a number: `max_attempts = 4`"),
        ("jitter = Full", "`jitter` is text: add quotes, `jitter = \"full\"`"),
        ("budget = None", "for no budget write `budget = \"unlimited\"`"),
        ("max_attempts = Some(3)", "`max_attempts` takes the value itself: `max_attempts = 3`"),
        (r#"initial = "1s" jitter = "full""#, "expected `,` between `\"1s\"` and `jitter`"),
        (
            "initial = 200",
            "`initial` can't be `200`: `200` has no unit, use h, m, s, ms, us or ns; did you mean `200ms`?",
        ),
        ("initial = true", "`initial` takes a text with a unit: `initial = \"200ms\"`"),
        (
            "initial = Duration::from_millis(5)",
            "only the compiler knows the value of `Duration :: from_millis (5)`: write it out, `initial = \"200ms\"`",
        ),
        ("5", "expected an option, found `5`; write it as `initial = \"200ms\"`"),
        (
            r#"initial = "1s"#,
            "a bracket or a quote has no partner: write it as in the source, `#[exponential_backoff(initial = \"200ms\")]`, \
             and put it in single quotes for the shell",
        ),
    ] {
        assert_eq!(refused(text), sentence, "{text}");
    }
    assert!(refused("wibble = 1").starts_with("unknown option `wibble`; the options are `initial`, `budget`, "));
}
