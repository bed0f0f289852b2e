//! Sentences that constants are refused with: whole characters up to the last that fits, and numbers as people write them.

use std::time::Duration;

use backoff_policy::sentence::Sentence;
use backoff_policy::{ConfigError, Jitter, limits};

/// What is left of a text in a sentence.
fn kept(text: &str) -> String {
    Sentence::new().text(text).as_str().to_owned()
}

const ELLIPSIS: &str = "…";
/// So many bytes stay whole: an ellipsis has to fit behind them.
const MOST: usize = Sentence::CAPACITY - ELLIPSIS.len();

#[test]
fn a_text_that_fits_is_whole_and_one_that_does_not_ends_in_dots() {
    assert_eq!(kept(&"a".repeat(MOST)), "a".repeat(MOST));
    assert_eq!(kept(&"a".repeat(MOST + 1)), format!("{}{ELLIPSIS}", "a".repeat(MOST)));
    assert_eq!(kept(&"a".repeat(9 * MOST)), format!("{}{ELLIPSIS}", "a".repeat(MOST)));
    let halves = Sentence::new().text(&"a".repeat(MOST - 1)).text("b");
    assert_eq!(halves.as_str(), format!("{}b", "a".repeat(MOST - 1)));
    assert_eq!(halves.text("c").as_str(), format!("{}b{ELLIPSIS}", "a".repeat(MOST - 1)));
    assert_eq!(halves.text("c").text("d").number(7).as_str(), halves.text("c").as_str(), "nothing follows the dots");
    assert_eq!(halves.text("").as_str(), halves.as_str());
}

#[test]
fn characters_are_not_cut_in_half() {
    for letter in ["µ", "…", "🦀"] {
        for before in 0..letter.len() {
            let text = format!("{}{}", "a".repeat(before), letter.repeat(MOST));
            let fit = (MOST - before) / letter.len();
            let right = format!("{}{}{ELLIPSIS}", "a".repeat(before), letter.repeat(fit));
            assert_eq!(kept(&text), right, "{letter} {before}");
            assert_eq!(Sentence::new().text(&text).text("d").number(7).as_str(), right, "nothing follows");
        }
    }
}

#[test]
fn numbers_are_short_and_far_ones_have_an_exponent() {
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (-2.5, "-2.5"),
        (0.1, "0.1"),
        (1.05, "1.05"),
        (0.000_001, "0.000001"),
        (0.000_000_9, "9e-7"),
        (999_999_999.0, "999999999"),
        (1e9, "1e9"),
        (1_500_000_000.0, "1.5e9"),
        (-1e300, "-1e300"),
        (2.5e-300, "2.5e-300"),
        (0.999_999_999_999_999_9, "0.9999999999999999"),
        (-1.000_000_000_000_000_2, "-1.0000000000000002"),
        (0.1 + 0.2, "0.30000000000000004"),
        (123_456.789, "123456.789"),
        (120.0, "120"),
        (999_999_999.999_999_9, "999999999.9999999"),
        (5e-324, "5e-324"),
        (2.225_073_858_507_201_4e-308, "2.2250738585072014e-308"),
        (9_007_199_254_740_993.0, "9.007199254740992e15"),
        (2e-323, "2e-323"),
        (5e22, "5e22"),
        (f64::MAX, "1.7976931348623157e308"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
        (f64::NAN, "NaN"),
    ] {
        assert_eq!(Sentence::new().float(value).as_str(), text, "{value:e}");
    }
    for (whole, fraction, digits, text) in [
        (3, 500_000_000, 9, "3.5"),
        (3, 5, 9, "3.000000005"),
        (0, 0, 9, "0"),
        (12, 340, 3, "12.34"),
        (u128::MAX, 1, 1, "340282366920938463463374607431768211455.1"),
    ] {
        assert_eq!(Sentence::new().decimal(whole, fraction, digits).as_str(), text);
    }
}

/// The standard library finds the fewest digits too, and in a constant there is only this.
#[test]
fn a_number_is_shown_with_the_digits_that_read_back() {
    const JUST_BELOW: Sentence = Sentence::new().float(0.999_999_999_999_999_9);
    const SMALLEST: Sentence = Sentence::new().float(-5e-324);
    let mut state = 1_u64;
    let mut checked = 0;
    while checked < 5_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Every other number has few bits, where powers of two and halves are.
        let value = f64::from_bits(if state % 2 == 0 { state } else { state & (0xfff3 << 48) });
        if value.is_finite() {
            let shown = Sentence::new().float(value);
            let right = format!("{value:e}");
            let digits = |text: &str| -> String {
                let (digits, _) = text.split_once('e').unwrap_or((text, ""));
                digits.replace(['.', '-'], "").trim_matches('0').to_owned()
            };
            assert_eq!(digits(shown.as_str()), digits(&right), "{right}");
            assert_eq!(shown.as_str().parse().map(f64::to_bits), Ok(value.to_bits()), "{right}");
            checked += 1;
        }
    }
    assert_eq!(JUST_BELOW.as_str(), "0.9999999999999999");
    assert_eq!(SMALLEST.as_str(), "-5e-324");
    assert_eq!(
        limits::multiplier(0.999_999_999_999_999_9).unwrap_err().to_string(),
        "`multiplier` can't be `0.9999999999999999`: it must be a finite number greater than 1, such as `2.0`; for a constant \
         delay set `max_delay` equal to `initial`"
    );
}

#[test]
fn a_sentence_prints_itself() {
    let sentence = Sentence::default().text("a \"b\" ").duration(Duration::from_millis(90_500));
    assert_eq!(sentence.to_string(), "a \"b\" 1m 30.5s");
    assert_eq!(format!("{sentence:?}"), r#""a \"b\" 1m 30.5s""#);
    assert_eq!(format!("{:>5}|", Sentence::new().number(42)), "   42|");
}

#[test]
fn an_error_quotes_forty_bytes_of_what_was_written_and_says_that_there_were_more() {
    let refused = |word: &str| word.parse::<Jitter>().unwrap_err().to_string();
    let quote = |kept: &str| format!("`jitter` can't be `{kept}`: choose `none`, `full` or `equal`");
    assert_eq!(refused(&"x".repeat(40)), quote(&"x".repeat(40)));
    assert_eq!(refused(&"x".repeat(41)), quote(&("x".repeat(40) + "…")));
    assert_eq!(refused(&format!("{}µµ", "x".repeat(39))), quote(&("x".repeat(39) + "…")));
}

#[test]
fn an_error_shows_the_field_and_the_problem() {
    let error: ConfigError = "half".parse::<Jitter>().unwrap_err();
    assert_eq!(format!("{error:?}"), r#"ConfigError { field: Jitter, problem: Word("half") }"#);
    let error = limits::multiplier(1.0).unwrap_err();
    assert_eq!(format!("{error:?}"), "ConfigError { field: Multiplier, problem: Multiplier(1.0) }");
}
