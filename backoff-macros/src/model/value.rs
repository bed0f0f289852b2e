//! The value of a field: a literal, which is checked here and now, or a constant expression, which the compiler checks.

use core::fmt::Display;
use core::str::FromStr;
use core::time::Duration;

use backoff_policy::{ConfigError, Field, FinalSleep, Jitter, limits};

use super::literal::{Lit, Literal, literal};
use crate::keys;
use crate::parse::{is_punct, is_word, peel};
use crate::token::TokenTree;

/// What a field is set to.
pub(crate) enum Value {
    Duration(Duration),
    Number(f64),
    Count(u32),
    Jitter(Jitter),
    FinalSleep(FinalSleep),
    Unlimited,
    Expression(Vec<TokenTree>),
}

/// Reads the value of a field, or says what is wrong with it.
pub(super) fn value(field: Field, tokens: &[TokenTree]) -> Result<Value, String> {
    match literal(tokens) {
        Some(literal) => from_literal(field, &literal),
        None => expression(field, peel(tokens.to_vec())),
    }
}

fn from_literal(field: Field, literal: &Literal) -> Result<Value, String> {
    if let (Lit::Str(text), Field::MaxDelay | Field::MaxAttempts | Field::AttemptTimeout) = (&literal.lit, field) {
        if text == "none" || text == limits::UNLIMITED {
            return Err(leave_out(field));
        }
    }
    match field {
        Field::Initial | Field::MaxDelay | Field::MaxHint | Field::AttemptTimeout => {
            limits::duration_text(field, &duration_text(field, literal)?).map(Value::Duration).map_err(said)
        }
        Field::Budget => {
            let budget = limits::budget_text(&duration_text(field, literal)?).map_err(said)?;
            Ok(budget.map_or(Value::Unlimited, Value::Duration))
        }
        Field::Multiplier => {
            let size: f64 = match &literal.lit {
                Lit::Int(number) | Lit::Float(number) => {
                    let digits = number.digits().ok_or_else(|| refused(limits::multiplier(0.0).err(), literal))?;
                    digits.parse().map_err(said)?
                }
                other => return Err(not_a_number(field, other)),
            };
            limits::multiplier(if literal.negative { -size } else { size }).map(Value::Number).map_err(said)
        }
        Field::MaxAttempts => match &literal.lit {
            Lit::Int(number) if !literal.negative => {
                let count =
                    number.digits().and_then(|digits| digits.parse().ok()).ok_or_else(|| not_a_count(literal))?;
                limits::max_attempts(count).map(Value::Count).map_err(said)
            }
            Lit::Int(_) | Lit::Float(_) => Err(not_a_count(literal)),
            other => Err(not_a_number(field, other)),
        },
        Field::Jitter => word(field, literal).map(Value::Jitter),
        Field::FinalSleep => word(field, literal).map(Value::FinalSleep),
    }
}

/// The text of a duration. A number that someone forgot to quote gets the sentence about its text, if that is wrong too.
fn duration_text(field: Field, literal: &Literal) -> Result<String, String> {
    let shown = literal.to_string();
    match &literal.lit {
        Lit::Str(_) if !literal.negative => Ok(shown),
        Lit::Str(_) => Err(format!("`{field}` can't be negative: remove the `-`")),
        Lit::Int(_) | Lit::Float(_) => Err(match limits::duration_text(field, &shown) {
            Ok(_) => format!("`{field}` is text: add quotes, `{field} = \"{shown}\"`"),
            Err(error) => quoted(field, error.to_string()),
        }),
        Lit::Other(_) => Err(format!("`{field}` takes a text with a unit: `{}`", sample(field))),
    }
}

/// What a sentence proposes at its end as a text, as it is written in the attribute.
fn quoted(field: Field, sentence: String) -> String {
    let proposed = sentence.strip_suffix("`?").and_then(|sentence| sentence.rsplit_once('`'));
    proposed.map(|(before, text)| format!("{before}`{field} = \"{text}\"`?")).unwrap_or(sentence)
}

fn leave_out(field: Field) -> String {
    format!("for no `{field}` leave it out")
}

fn not_a_number(field: Field, literal: &Lit) -> String {
    match literal {
        Lit::Str(text) if text.parse::<f64>().is_ok() => {
            format!("`{field}` is a number: remove the quotes, `{field} = {text}`")
        }
        _ => format!("`{field}` takes a number: `{}`", sample(field)),
    }
}

/// The sentence of the table, for numbers that do not even fit into its type.
fn not_a_count(literal: &Literal) -> String {
    refused(limits::max_attempts(0).err(), literal)
}

/// The sentence about zero, said of another value.
fn refused(zero: Option<ConfigError>, literal: &Literal) -> String {
    let sentence = zero.map_or_else(String::new, said);
    // The names of fields have no digits, so the first zero is the value.
    match sentence.split_once('0') {
        Some((before, after)) => format!("{before}{literal}{after}"),
        None => sentence,
    }
}

fn word<W: FromStr<Err = ConfigError>>(field: Field, literal: &Literal) -> Result<W, String> {
    match &literal.lit {
        Lit::Str(text) if !literal.negative => text.parse().map_err(said),
        _ => Err(format!("`{field}` takes a word in quotes: `{}`", sample(field))),
    }
}

/// A value that is no literal: a constant expression, unless it is a slip.
fn expression(field: Field, value: Vec<TokenTree>) -> Result<Value, String> {
    let is_optional = matches!(field, Field::Budget | Field::MaxDelay | Field::MaxAttempts | Field::FinalSleep);
    match value.as_slice() {
        [none] if is_word(Some(none), "None") && field == Field::Budget => {
            return Err("for no budget write `budget = \"unlimited\"`".to_owned());
        }
        [none] if is_word(Some(none), "None") && is_optional => {
            return Err(leave_out(field));
        }
        [some, TokenTree::Group(inside)] if is_word(Some(some), "Some") => {
            return Err(format!("`{field}` takes the value itself: `{field} = {}`", inside.stream()));
        }
        _ => {}
    }
    if let [TokenTree::Ident(word)] = value.as_slice() {
        let word = word.to_string().to_lowercase();
        let is_word = match field {
            Field::Jitter => Jitter::from_str(&word).is_ok(),
            Field::FinalSleep => FinalSleep::from_str(&word).is_ok(),
            Field::Budget => word == limits::UNLIMITED,
            _ => false,
        };
        if is_word {
            return Err(format!("`{field}` is text: add quotes, `{field} = \"{word}\"`"));
        }
    }
    if calls_a_macro(&value) {
        let sample = sample(field);
        return Err(format!("macros are not expanded here: write the value itself, `{sample}`, or name a constant"));
    }
    Ok(Value::Expression(value))
}

/// A word, `!` and a group: `concat!(..)`.
fn calls_a_macro(tokens: &[TokenTree]) -> bool {
    tokens
        .windows(3)
        .any(|window| matches!(window, [TokenTree::Ident(_), bang, TokenTree::Group(_)] if is_punct(Some(bang), '!')))
}

fn sample(field: Field) -> &'static str {
    keys::find(field.name()).map_or("", |key| key.sample)
}

fn said(error: impl Display) -> String {
    error.to_string()
}
