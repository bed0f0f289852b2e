//! Durations in text: what is read, exactly, and what each refusal says.

use std::time::Duration;

use backoff_core::ExponentialBackoff;
use backoff_policy::duration::{parse, text};
use proptest::prelude::*;

const HOUR: u64 = 3_600;

#[test]
fn every_text_of_the_grammar_is_exact() {
    let accepted: [(&str, Duration); 36] = [
        ("200ms", Duration::from_millis(200)),
        ("3.5s", Duration::from_millis(3_500)),
        ("1m30s", Duration::from_secs(90)),
        ("1m 30s", Duration::from_secs(90)),
        ("1.5h", Duration::from_secs(5_400)),
        ("250us", Duration::from_micros(250)),
        ("250µs", Duration::from_micros(250)),
        ("250μs", Duration::from_micros(250)),
        ("1ns", Duration::from_nanos(1)),
        ("0s", Duration::ZERO),
        ("0h0m0s0ms0us0ns", Duration::ZERO),
        ("0.0ns", Duration::ZERO),
        ("0.000000000000000000000000000000s", Duration::ZERO),
        ("007s", Duration::from_secs(7)),
        ("1h 1m 1s 1ms 1us 1ns", Duration::new(HOUR + 61, 1_001_001)),
        ("1h1m 1s1ms 1us1ns", Duration::new(HOUR + 61, 1_001_001)),
        ("1h 1ns", Duration::new(HOUR, 1)),
        ("1m 30.5s", Duration::from_millis(90_500)),
        ("1m 0.5s", Duration::from_millis(60_500)),
        ("90m", Duration::from_secs(5_400)),
        ("1m 90s", Duration::from_secs(150)),
        ("0.000000001s", Duration::from_nanos(1)),
        ("0.001us", Duration::from_nanos(1)),
        ("0.000001ms", Duration::from_nanos(1)),
        ("1.0ns", Duration::from_nanos(1)),
        ("0.1us", Duration::from_nanos(100)),
        ("1.999999999s", Duration::new(1, 999_999_999)),
        ("1.00000000000000000000000s", Duration::from_secs(1)),
        ("0.5m", Duration::from_secs(30)),
        ("0.05h", Duration::from_secs(180)),
        ("0.0000000000025h", Duration::from_nanos(9)),
        ("24h", Duration::from_secs(86_400)),
        ("18446744073709551615s", Duration::from_secs(u64::MAX)),
        ("18446744073709551615.999999999s", Duration::MAX),
        ("5124095576030431h 15.999999999s", Duration::MAX),
        ("18446744073709551615999999999ns", Duration::MAX),
    ];
    for (text, duration) in accepted {
        assert_eq!(parse(text), Ok(duration), "{text}");
    }
}

/// The texts of one kind of mistake each, and what is said about them after "`..` is not a duration: ".
const REFUSED: [(&str, &str); 59] = [
    ("-1s", "a duration can't be negative, write it without `-`"),
    ("-0s", "a duration can't be negative, write it without `-`"),
    ("-1us", "a duration can't be negative, write it without `-`"),
    ("-999999ns", "a duration can't be negative, write it without `-`"),
    ("+1s", "a sign is not accepted, write it without `+`"),
    ("1e3s", "exponents are not accepted, write the number out, such as `1000s`"),
    ("1E3s", "exponents are not accepted, write the number out, such as `1000s`"),
    ("1e-3s", "exponents are not accepted, write the number out, such as `1000s`"),
    ("200mz", "unknown unit `mz`, use h, m, s, ms, us or ns; did you mean `200ms`?"),
    ("5mins", "unknown unit `mins`, use h, m, s, ms, us or ns; did you mean `5m`?"),
    ("30sec", "unknown unit `sec`, use h, m, s, ms, us or ns; did you mean `30s`?"),
    ("1m 30sec", "unknown unit `sec`, use h, m, s, ms, us or ns; did you mean `1m 30s`?"),
    ("2Hours", "unknown unit `Hours`, use h, m, s, ms, us or ns; did you mean `2h`?"),
    ("1S", "unknown unit `S`, use h, m, s, ms, us or ns; did you mean `1s`?"),
    ("1MS", "unknown unit `MS`, use h, m, s, ms, us or ns; did you mean `1ms`?"),
    ("1d", "unknown unit `d`, use h, m, s, ms, us or ns; a day is `24h`"),
    ("2days", "unknown unit `days`, use h, m, s, ms, us or ns; a day is `24h`"),
    ("1w", "unknown unit `w`, use h, m, s, ms, us or ns"),
    ("0x10s", "unknown unit `x`, use h, m, s, ms, us or ns"),
    ("00:05", "unknown unit `:`, use h, m, s, ms, us or ns"),
    ("1,5s", "unknown unit `,`, use h, m, s, ms, us or ns; did you mean `1.5s`?"),
    ("1_000ms", "unknown unit `_`, use h, m, s, ms, us or ns; did you mean `1000ms`?"),
    ("1m, 30s", "unknown unit `m,`, use h, m, s, ms, us or ns; did you mean `1m 30s`?"),
    ("1s\n", "unknown unit `s\n`, use h, m, s, ms, us or ns; did you mean `1s`?"),
    ("2min 5", "unknown unit `min`, use h, m, s, ms, us or ns"),
    ("200", "`200` has no unit, use h, m, s, ms, us or ns; did you mean `200ms`?"),
    ("0", "`0` has no unit, use h, m, s, ms, us or ns"),
    ("1.5", "`1.5` has no unit, use h, m, s, ms, us or ns; did you mean `1.5s`?"),
    ("1m 30", "`30` has no unit, use h, m, s, ms, us or ns; did you mean `1m 30s`?"),
    ("1h30", "`30` has no unit, use h, m, s, ms, us or ns; did you mean `1h30m`?"),
    ("1s 30", "`30` has no unit, use h, m, s, ms, us or ns; did you mean `1s 30ms`?"),
    ("1 30s", "`1` has no unit, use h, m, s, ms, us or ns; did you mean `1m 30s`?"),
    ("1 ", "`1` has no unit, use h, m, s, ms, us or ns"),
    ("", "the text is empty, write a duration such as `200ms` or `1m 30s`"),
    (" 1s", "a space may stand only between two parts, one at a time; did you mean `1s`?"),
    ("1s ", "a space may stand only between two parts, one at a time; did you mean `1s`?"),
    ("1m  30s", "a space may stand only between two parts, one at a time; did you mean `1m 30s`?"),
    (" ", "a space may stand only between two parts, one at a time"),
    ("200 ms", "no space between a number and its unit; did you mean `200ms`?"),
    ("1 hour", "no space between a number and its unit; did you mean `1h`?"),
    ("1h 30 min", "no space between a number and its unit; did you mean `1h 30m`?"),
    ("1s 1m", "larger units come first; did you mean `1m 1s`?"),
    ("1s1m", "larger units come first; did you mean `1m 1s`?"),
    ("1ms 1s 1us", "larger units come first; did you mean `1s 1ms 1us`?"),
    ("1m 2s 3m", "larger units come first"),
    ("1m1m", "the unit of `1m` stands twice, add the two up"),
    ("1us 1µs", "the unit of `1µs` stands twice, add the two up"),
    ("1.5m 30s", "only the last part may have a fraction, as in `1m 30.5s`, but `1.5m` has one and is not the last"),
    ("s", "`s` has no number before it, write a duration such as `200ms`"),
    ("forever", "`forever` has no number before it, write a duration such as `200ms`"),
    ("PT5S", "`PT` has no number before it, write a duration such as `200ms`"),
    (".5s", "`.5s` needs digits on both sides of the point; did you mean `0.5s`?"),
    ("1.s", "`1.` needs digits on both sides of the point; did you mean `1s`?"),
    ("1..5s", "`1.` needs digits on both sides of the point; did you mean `1.5s`?"),
    ("1.5.2s", "`1.5.2` has two points, write one number such as `3.5`"),
    ("0.1ns", "`0.1ns` is not a whole number of nanoseconds, write fewer digits after the point"),
    ("1.0000000001s", "`1.0000000001s` is not a whole number of nanoseconds, write fewer digits after the point"),
    ("18446744073709551616s", "`18446744073709551616s` is too long, at most 18446744073709551615s fit"),
    ("99999999999999999999s", "`99999999999999999999s` is too long, at most 18446744073709551615s fit"),
];

#[test]
fn every_refusal_quotes_the_fault_and_proposes_the_fix() {
    for (text, message) in REFUSED {
        let error = parse(text).expect_err(text);
        assert_eq!(error.to_string(), format!("`{text}` is not a duration: {message}"));
        assert_eq!(error.text(), text);
        // In a policy the same sentence names the field.
        let policy = serde_json::json!({ "max_delay": text });
        let error = serde_json::from_value::<ExponentialBackoff>(policy).expect_err(text);
        assert_eq!(error.to_string(), format!("`max_delay` can't be `{text}`: {message}"));
    }
}

#[test]
fn a_sum_beyond_the_end_of_time_is_refused_as_a_whole() {
    for text in
        ["18446744073709551615s 1000ms", "5124095576030431h 16s", "5124095576030432h", "99999999999999999999999h"]
    {
        let message = parse(text).expect_err(text).to_string();
        assert!(message.ends_with("` is too long, at most 18446744073709551615s fit"), "{message}");
    }
    let endless = "9".repeat(1_000) + "s";
    let message = parse(&endless).expect_err("too long").to_string();
    let quoted = "9".repeat(40) + "…";
    assert_eq!(
        message,
        format!("`{quoted}` is not a duration: `{quoted}` is too long, at most 18446744073709551615s fit")
    );
}

#[test]
fn a_fault_behind_what_is_quoted_is_named_and_nothing_is_proposed() {
    let zeros = "0".repeat(40);
    for (end, part, complaint) in [
        ("m 4.", "4.", "`4.` needs digits on both sides of the point"),
        ("m 5", "5", "`5` has no unit, use h, m, s, ms, us or ns"),
        ("m 5sec", "sec", "unknown unit `sec`, use h, m, s, ms, us or ns"),
        ("m 5m", "5m", "the unit of `5m` stands twice, add the two up"),
        ("m  5s", " ", "a space may stand only between two parts, one at a time"),
        ("m .5s", ".5s", "`.5s` needs digits on both sides of the point"),
    ] {
        let error = parse(&format!("{zeros}{end}")).expect_err(end);
        assert_eq!(error.part(), part);
        assert_eq!(error.to_string(), format!("`{zeros}…` is not a duration: {complaint}"));
    }
}

#[test]
fn the_faulty_part_is_known() {
    let parts =
        [("1m 30sec", "sec"), ("1m 1.5", "1.5"), ("1s 1m", "1m"), ("1h 2.5m 3s", "2.5m"), ("", ""), ("1µz", "µz")];
    for (text, part) in parts {
        assert_eq!(parse(text).expect_err(text).part(), part, "{text}");
    }
}

#[test]
fn a_budget_may_be_unlimited_and_nothing_else_that_is_not_a_duration() {
    let read = |text: &str| {
        serde_json::from_value::<ExponentialBackoff>(serde_json::json!({ "budget": text }))
            .map(|policy| policy.get_budget())
            .map_err(|error| error.to_string())
    };
    assert_eq!(read("unlimited"), Ok(None));
    assert_eq!(read("1s"), Ok(Some(Duration::from_secs(1))));
    let refused = |text: &str, end: &str| {
        let expected =
            format!("`budget` can't be `{text}`: it is the total time of a run, such as `3.5s`, or \"unlimited\"{end}");
        assert_eq!(read(text), Err(expected));
    };
    refused("Unlimited", "; did you mean `unlimited`?");
    refused("unlimitted", "; did you mean `unlimited`?");
    refused("none", "");
    assert_eq!(
        read("5"),
        Err("`budget` can't be `5`: `5` has no unit, use h, m, s, ms, us or ns; did you mean `5ms`?".to_owned())
    );
}

#[test]
fn a_text_is_read_in_a_constant() {
    const DURATION: Duration = match parse("1m 30.5s") {
        Ok(duration) => duration,
        Err(_) => panic!("not a duration"),
    };
    assert_eq!(DURATION, Duration::from_millis(90_500));
}

/// What a refusal proposes, if anything.
fn proposed(message: &str) -> Option<&str> {
    message.split_once("; did you mean `")?.1.strip_suffix("`?")
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(seconds in any::<u64>(), nanos in 0..1_000_000_000_u32) {
        let duration = Duration::new(seconds, nanos);
        prop_assert_eq!(parse(&text(duration).to_string()), Ok(duration));
    }

    #[test]
    fn no_text_panics_and_each_proposal_is_a_duration(text in "(0{38,44}[hms] ?)?[ 0-9.,_hmsunµdxe+-]{0,12}") {
        if let Err(error) = parse(&text) {
            let message = error.to_string();
            if let Some(proposal) = proposed(&message) {
                prop_assert!(parse(proposal).is_ok(), "{}", message);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        if let Err(error) = parse(&text) {
            prop_assert!(text.starts_with(error.text()));
            prop_assert!(error.to_string().starts_with('`'));
        }
    }
}
