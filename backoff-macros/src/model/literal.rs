//! Literals: what a token says.

use core::fmt;

use crate::parse::{is_punct, is_word, peel};
use crate::token::TokenTree;

/// A literal, perhaps behind a minus sign.
pub(super) struct Literal {
    pub(super) negative: bool,
    pub(super) lit: Lit,
}

/// What kind of literal it is, and what it says.
pub(super) enum Lit {
    /// What stands between the quotes; escapes are left as they are, because no option needs one.
    Str(String),
    Int(Number),
    Float(Number),
    /// Anything else, as it was written.
    Other(String),
}

/// A number: its digits in base ten, without underscores, what follows them, and as it was written.
pub(super) struct Number {
    digits: String,
    suffix: String,
    written: String,
}

impl Number {
    /// The digits, unless something follows that makes the number another thing: `3u32` is a number, `3x` and `3ms` are not.
    pub(super) fn digits(&self) -> Option<&str> {
        const WHOLE: [&str; 6] = ["8", "16", "32", "64", "128", "size"];
        let is_type = match self.suffix.strip_prefix(['u', 'i']) {
            Some(size) => WHOLE.contains(&size),
            None => ["", "f32", "f64"].contains(&self.suffix.as_str()),
        };
        is_type.then_some(self.digits.as_str())
    }
}

/// The value as a literal, if it is one.
pub(super) fn literal(value: &[TokenTree]) -> Option<Literal> {
    let value = peel(value.to_vec());
    let negative = is_punct(value.first(), '-');
    match &value[usize::from(negative)..] {
        [TokenTree::Literal(token)] => Some(Literal { negative, lit: Lit::new(token.to_string()) }),
        [word] if !negative && (is_word(Some(word), "true") || is_word(Some(word), "false")) => {
            Some(Literal { negative, lit: Lit::Other(word.to_string()) })
        }
        [group @ TokenTree::Group(_)] if peel(vec![group.clone()]).len() == 1 && value.len() > 1 => {
            let inner = literal(&peel(vec![group.clone()]))?;
            Some(Literal { negative: negative != inner.negative, lit: inner.lit })
        }
        _ => None,
    }
}

/// The value of a text literal.
pub(super) fn text(value: &[TokenTree]) -> Option<String> {
    match literal(value)? {
        Literal { negative: false, lit: Lit::Str(text) } => Some(text),
        _ => None,
    }
}

impl Lit {
    fn new(written: String) -> Self {
        let unquoted = written.strip_prefix('r').unwrap_or(&written).trim_matches('#');
        if let Some(text) = unquoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            return Self::Str(text.to_owned());
        }
        if digits_end(&written, 10) > 0 { number(written) } else { Self::Other(written) }
    }
}

/// Where the digits end that a text begins with.
fn digits_end(text: &str, radix: u32) -> usize {
    text.find(|digit: char| !digit.is_digit(radix)).unwrap_or(text.len())
}

/// A number, as the compiler divides it: digits, a fraction, an exponent, and what follows as a suffix of any kind.
fn number(written: String) -> Lit {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = written.strip_prefix(prefix) {
            let plain: String = rest.chars().filter(|&digit| digit != '_').collect();
            let (digits, suffix) = plain.split_at(digits_end(&plain, radix));
            return match u128::from_str_radix(digits, radix) {
                Ok(value) => Lit::Int(Number { digits: value.to_string(), suffix: suffix.to_owned(), written }),
                Err(_) => Lit::Other(written),
            };
        }
    }
    let plain: String = written.chars().filter(|&digit| digit != '_').collect();
    let after_digits = |from: usize| from + digits_end(&plain[from..], 10);
    let whole = after_digits(0);
    let mut end = whole;
    if plain[end..].starts_with('.') {
        end = after_digits(end + 1);
    }
    if plain[end..].starts_with(['e', 'E']) {
        let sign = usize::from(plain[end + 1..].starts_with(['+', '-']));
        end = after_digits(end + 1 + sign);
    }
    let (digits, suffix) = plain.split_at(end);
    let number = Number { digits: digits.to_owned(), suffix: suffix.to_owned(), written };
    if end == whole && !suffix.starts_with('f') { Lit::Int(number) } else { Lit::Float(number) }
}

/// As it was written, without quotes.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        match &self.lit {
            Lit::Str(text) | Lit::Other(text) => f.write_str(text),
            Lit::Int(number) | Lit::Float(number) => f.write_str(&number.written),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lit;

    fn said(written: &str) -> String {
        match Lit::new(written.to_owned()) {
            Lit::Str(text) => format!("text {text}"),
            Lit::Int(number) => format!("whole {}", number.digits().unwrap_or("of something")),
            Lit::Float(number) => format!("broken {}", number.digits().unwrap_or("of something")),
            Lit::Other(text) => format!("other {text}"),
        }
    }

    #[test]
    fn every_kind_of_literal_is_told_apart() {
        for (written, expected) in [
            ("\"200ms\"", "text 200ms"),
            ("0b12", "whole of something"),
            ("0x1fu8", "whole 31"),
            ("r\"200ms\"", "text 200ms"),
            ("r#\"a \"b\" c\"#", "text a \"b\" c"),
            ("\"#1\"", "text #1"),
            ("b\"200ms\"", "other b\"200ms\""),
            ("c\"200ms\"", "other c\"200ms\""),
            ("'x'", "other 'x'"),
            ("4", "whole 4"),
            ("1_000u32", "whole 1000"),
            ("200seconds", "whole of something"),
            ("3x", "whole of something"),
            ("3u", "whole of something"),
            ("0b1f", "whole of something"),
            ("0x1_0", "whole 16"),
            ("0b101u8", "whole 5"),
            ("0o17", "whole 15"),
            ("0xffffffffffffffffffffffffffffffffff", "other 0xffffffffffffffffffffffffffffffffff"),
            ("2.", "broken 2."),
            ("2.5", "broken 2.5"),
            ("3.5s", "broken of something"),
            ("3.5f", "broken of something"),
            ("2f64", "broken 2"),
            ("1e3", "broken 1e3"),
            ("1_0.0_1E-3_0f32", "broken 10.01E-30"),
        ] {
            assert_eq!(said(written), expected, "{written}");
        }
    }
}
