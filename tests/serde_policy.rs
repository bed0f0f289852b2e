//! A policy in a file: the same table of limits, the same sentences, and nothing that goes unnoticed.

mod support;

use std::panic::catch_unwind;
use std::time::Duration;

use backoff_core::{ConfigError, ExponentialBackoff, FinalSleep, Jitter};
use support::{ms, secs};

fn read(json: &str) -> Result<ExponentialBackoff, String> {
    serde_json::from_str(json).map_err(|error| {
        let message = error.to_string();
        // Where in the file it is stands at the end.
        message.split(" at line 1 column ").next().unwrap_or_default().to_owned()
    })
}

fn refusal(json: &str) -> String {
    read(json).expect_err("it is refused")
}

/// What a setter says to a wrong value at run time. In a constant the compiler says it.
fn panic_of(set: fn() -> ExponentialBackoff) -> String {
    let thrown = catch_unwind(set).expect_err("it is refused");
    thrown.downcast::<String>().map(|message| *message).expect("a message")
}

/// One wrong value, on three ways in.
struct Wrong {
    json: &'static str,
    set: fn() -> ExponentialBackoff,
    build: fn() -> Result<ExponentialBackoff, ConfigError>,
    sentence: &'static str,
}

const MULTIPLIER: &str =
    "it must be a finite number greater than 1, such as `2.0`; for a constant delay set `max_delay` equal to `initial`";

const WRONG: [Wrong; 7] = [
    Wrong {
        json: r#"{ "initial": "0s" }"#,
        set: || ExponentialBackoff::new().initial(Duration::ZERO),
        build: || ExponentialBackoff::builder().initial(Duration::ZERO).build(),
        sentence: "`initial` can't be `0s`: the first delay must be longer than zero, such as `200ms`",
    },
    Wrong {
        json: r#"{ "budget": "0ms" }"#,
        set: || ExponentialBackoff::new().budget(Duration::ZERO),
        build: || ExponentialBackoff::builder().budget(Some(Duration::ZERO)).build(),
        sentence: "`budget` can't be `0s`: it is the total time of a run, such as `3.5s`, or \"unlimited\"",
    },
    Wrong {
        json: r#"{ "multiplier": 1 }"#,
        set: || ExponentialBackoff::new().multiplier(1.0),
        build: || ExponentialBackoff::builder().multiplier(1.0).build(),
        sentence: "`multiplier` can't be `1`: ",
    },
    Wrong {
        json: r#"{ "multiplier": -0.5 }"#,
        set: || ExponentialBackoff::new().multiplier(-0.5),
        build: || ExponentialBackoff::builder().multiplier(-0.5).build(),
        sentence: "`multiplier` can't be `-0.5`: ",
    },
    Wrong {
        json: r#"{ "max_delay": "0h" }"#,
        set: || ExponentialBackoff::new().max_delay(Duration::ZERO),
        build: || ExponentialBackoff::builder().max_delay(Duration::ZERO).build(),
        sentence: "`max_delay` can't be `0s`: it is the longest delay, such as `10s`; leave it out for no cap",
    },
    Wrong {
        json: r#"{ "max_attempts": 0 }"#,
        set: || ExponentialBackoff::new().max_attempts(0),
        build: || ExponentialBackoff::builder().max_attempts(0).build(),
        sentence: "`max_attempts` can't be `0`: it counts the first attempt, so use 1 to 4294967295; leave it out for no \
                   limit",
    },
    Wrong {
        json: r#"{ "max_hint": "0s" }"#,
        set: || ExponentialBackoff::new().max_hint(Duration::ZERO),
        build: || ExponentialBackoff::builder().max_hint(Duration::ZERO).build(),
        sentence: "`max_hint` can't be `0s`: it is the longest server hint that is obeyed, such as `5m`",
    },
];

#[test]
fn every_way_in_refuses_with_the_same_sentence() {
    for Wrong { json, set, build, sentence } in WRONG {
        let expected = if sentence.ends_with(": ") { format!("{sentence}{MULTIPLIER}") } else { sentence.to_owned() };
        assert_eq!(build().expect_err("it is refused").to_string(), expected);
        assert_eq!(panic_of(set), expected);
        assert_eq!(refusal(json), expected);
    }
}

#[test]
fn a_word_is_refused_with_the_words_there_are() {
    assert_eq!(refusal(r#"{ "jitter": "half" }"#), "`jitter` can't be `half`: choose `none`, `full` or `equal`");
    assert_eq!(
        refusal(r#"{ "jitter": "Full" }"#),
        "`jitter` can't be `Full`: choose `none`, `full` or `equal`; did you mean `full`?"
    );
    assert_eq!(
        refusal(r#"{ "final_sleep": "trimm" }"#),
        "`final_sleep` can't be `trimm`: choose `trim`, `spread` or `skip`; did you mean `trim`?"
    );
    for json in [r#"{ "jitter": "half" }"#, r#"{ "final_sleep": "trimm" }"#] {
        let (field, word) = if json.contains("half") { ("jitter", "half") } else { ("final_sleep", "trimm") };
        let parsed = match field {
            "jitter" => word.parse::<Jitter>().map(drop),
            _ => word.parse::<FinalSleep>().map(drop),
        };
        assert_eq!(parsed.expect_err("it is refused").to_string(), refusal(json), "as the parser says");
    }
}

#[test]
fn the_wrong_type_is_refused_by_the_name_of_the_field() {
    let cases = [
        (
            r#"{ "initial": 200 }"#,
            r#"invalid type: integer `200`, expected `initial` as text with a unit, such as "200ms""#,
        ),
        (
            r#"{ "initial": -1 }"#,
            r#"invalid type: integer `-1`, expected `initial` as text with a unit, such as "200ms""#,
        ),
        (
            r#"{ "budget": 3.5 }"#,
            r#"invalid type: floating point `3.5`, expected `budget` as text with a unit, such as "3.5s", or "unlimited""#,
        ),
        (
            r#"{ "budget": null }"#,
            r#"invalid type: null, expected `budget` as text with a unit, such as "3.5s", or "unlimited""#,
        ),
        (r#"{ "max_hint": null }"#, r#"invalid type: null, expected `max_hint` as text with a unit, such as "200ms""#),
        (r#"{ "jitter": true }"#, "invalid type: boolean `true`, expected `none`, `full` or `equal` as text"),
        (r#"{ "final_sleep": 1 }"#, "invalid type: integer `1`, expected `trim`, `spread` or `skip` as text"),
        (r#"{ "multiplier": "2.0" }"#, r#"invalid type: string "2.0", expected `multiplier` as a number, such as 2.0"#),
        (
            r#"{ "max_attempts": -1 }"#,
            "invalid value: integer `-1`, expected `max_attempts` as a whole number from 1 to 4294967295",
        ),
        (
            r#"{ "max_attempts": 4294967296 }"#,
            "invalid value: integer `4294967296`, expected `max_attempts` as a whole number from 1 to 4294967295",
        ),
        (
            r#"{ "max_attempts": 2.5 }"#,
            "invalid type: floating point `2.5`, expected `max_attempts` as a whole number from 1 to 4294967295",
        ),
        (r#"["200ms"]"#, "invalid type: sequence, expected a table of the fields of a policy"),
    ];
    for (json, message) in cases {
        assert_eq!(refusal(json), message, "{json}");
    }
}

/// The value that a file is refused for, as the file has it.
#[test]
fn a_wrong_value_is_refused_where_it_stands() {
    for (field, value) in [
        ("initial", "\"0s\""),
        ("budget", "\"soon\""),
        ("multiplier", "1.0"),
        ("multiplier", "1"),
        ("multiplier", "-2"),
        ("max_delay", "\"0s\""),
        ("max_attempts", "0"),
        ("max_attempts", "-1"),
        ("max_attempts", "4294967296"),
        ("jitter", "\"half\""),
        ("final_sleep", "\"trimm\""),
        ("max_hint", "\"0s\""),
    ] {
        let file = format!("# retries\n\n{field} = {value}\n");
        let error = toml::from_str::<ExponentialBackoff>(&file).expect_err("it is refused");
        assert_eq!(error.span().map(|span| &file[span]), Some(value), "{error}");
        let file = format!("{{\n  \"{field}\": {value}\n}}");
        let error = serde_json::from_str::<ExponentialBackoff>(&file).expect_err("it is refused");
        assert_eq!((error.line(), error.column()), (2, 6 + field.len() + value.len()), "{error}");
    }
}

#[test]
fn the_first_wrong_value_of_a_file_is_refused() {
    assert!(refusal(r#"{ "max_attempts": 0, "initial": "0s" }"#).starts_with("`max_attempts` can't be `0`: "));
    assert!(refusal(r#"{ "initial": "0s", "max_attempts": 0 }"#).starts_with("`initial` can't be `0s`: "));
}

#[test]
fn an_unknown_field_is_refused_and_the_nearest_is_proposed() {
    assert_eq!(refusal(r#"{ "intial": "100ms" }"#), "unknown field `intial`; did you mean `initial`?");
    assert_eq!(refusal(r#"{ "retries": 3 }"#), "unknown field `retries`; did you mean `max_attempts`?");
    assert_eq!(
        refusal(r#"{ "colour": "red" }"#),
        "unknown field `colour`, expected one of `initial`, `budget`, `multiplier`, `max_delay`, `max_attempts`, \
         `jitter`, `final_sleep`, `max_hint`"
    );
    assert_eq!(
        refusal(r#"{ "attempt_timeout": "5s" }"#),
        "unknown field `attempt_timeout`, expected one of `initial`, `budget`, `multiplier`, `max_delay`, \
         `max_attempts`, `jitter`, `final_sleep`, `max_hint`",
        "it belongs to the waiter"
    );
}

#[test]
fn a_field_stands_once() {
    assert_eq!(refusal(r#"{ "initial": "1s", "initial": "1s" }"#), "duplicate field `initial`");
    assert_eq!(
        refusal(r#"{ "max_attempts": 1, "jitter": "full", "max_attempts": 2 }"#),
        "duplicate field `max_attempts`"
    );
}

#[test]
fn what_is_written_reads_back_as_the_same_policy() {
    let all = ExponentialBackoff::new()
        .initial(Duration::from_nanos(1_012_500))
        .budget(secs(5_400))
        .multiplier(1.1)
        .max_delay(Duration::MAX)
        .max_attempts(u32::MAX)
        .jitter(Jitter::Equal)
        .final_sleep(FinalSleep::Skip)
        .max_hint(ms(90_500));
    let text = serde_json::to_string(&all).expect("it can be written");
    assert_eq!(
        text,
        r#"{"initial":"1.0125ms","budget":"1h 30m","multiplier":1.1,"max_delay":"5124095576030431h 15.999999999s","max_attempts":4294967295,"jitter":"equal","final_sleep":"skip","max_hint":"1m 30.5s"}"#
    );
    let policies = [
        all,
        ExponentialBackoff::new(),
        ExponentialBackoff::new().unlimited(),
        ExponentialBackoff::new().jitter(Jitter::Full),
        ExponentialBackoff::new().jitter(Jitter::Full).final_sleep(FinalSleep::Trim),
    ];
    for policy in policies {
        let text = serde_json::to_string(&policy).expect("it can be written");
        assert_eq!(read(&text), Ok(policy), "{text}");
    }
    assert_eq!(
        serde_json::to_string(&ExponentialBackoff::new().unlimited()).expect("it can be written"),
        r#"{"initial":"200ms","budget":"unlimited","multiplier":2.0,"jitter":"none","max_hint":"5m"}"#
    );
}

#[test]
fn what_is_left_out_is_the_default() {
    assert_eq!(read("{}"), Ok(ExponentialBackoff::new()));
    let policy = read(r#"{ "multiplier": 3, "max_attempts": 1, "budget": "unlimited" }"#);
    assert_eq!(policy, Ok(ExponentialBackoff::new().multiplier(3.0).max_attempts(1).unlimited()));
    assert_eq!(
        refusal(r#"{ "budget": "Unlimited" }"#),
        "`budget` can't be `Unlimited`: it is the total time of a run, such as `3.5s`, or \"unlimited\"; did you mean \
         `unlimited`?"
    );
}
