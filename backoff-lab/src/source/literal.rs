//! The value of a field as the attribute takes it: a literal.

use std::str::FromStr;

use backoff_core::policy::PolicyBuilder;
use backoff_policy::{ConfigError, Field, FinalSleep, Jitter, limits};
use proc_macro2::{TokenStream, TokenTree};
use syn::Lit;

/// A literal and the minus sign that may stand in front of it.
struct Value {
    negative: bool,
    literal: Lit,
}

impl Value {
    fn read(tokens: &[TokenTree]) -> Option<Self> {
        let (negative, token) = match tokens {
            [TokenTree::Punct(minus), token] if minus.as_char() == '-' => (true, token),
            [token] => (false, token),
            _ => return None,
        };
        let literal = syn::parse2(TokenStream::from(token.clone())).ok()?;
        Some(Self { negative, literal })
    }

    /// As it was written, without quotes.
    fn shown(&self) -> String {
        let digits = match &self.literal {
            Lit::Str(text) => text.value(),
            Lit::Int(int) => int.to_string(),
            Lit::Float(float) => float.to_string(),
            _ => "..".to_owned(),
        };
        if self.negative { format!("-{digits}") } else { digits }
    }

    const fn is_text(&self) -> bool {
        !self.negative && matches!(self.literal, Lit::Str(_))
    }
}

/// Sets a field to what the tokens say.
pub(super) fn set(builder: PolicyBuilder, field: Field, tokens: &[TokenTree]) -> Result<PolicyBuilder, String> {
    let Some(value) = Value::read(tokens) else { return Err(no_literal(field, tokens)) };
    Ok(match field {
        Field::Initial => builder.initial(checked(duration(field, &value)?, limits::initial)?),
        Field::MaxDelay => builder.max_delay(checked(duration(field, &value)?, limits::max_delay)?),
        // `attempt_timeout` is no field of a policy, and does not come here.
        Field::MaxHint | Field::AttemptTimeout => {
            builder.max_hint(checked(duration(field, &value)?, limits::max_hint)?)
        }
        Field::Budget => builder.budget(limits::budget_text(&text_of_time(field, &value)?).map_err(said)?),
        Field::Multiplier => builder.multiplier(checked(number(field, &value)?, limits::multiplier)?),
        Field::MaxAttempts => builder.max_attempts(checked(count(field, &value)?, limits::max_attempts)?),
        Field::Jitter => builder.jitter(word(field, &value)?),
        Field::FinalSleep => builder.final_sleep(word(field, &value)?),
    })
}

/// A slip that the attribute has a word for, or an expression, which it would leave to the compiler.
fn no_literal(field: Field, tokens: &[TokenTree]) -> String {
    match tokens {
        [TokenTree::Ident(none)] if none == "None" && field == Field::Budget => {
            "for no budget write `budget = \"unlimited\"`".to_owned()
        }
        [TokenTree::Ident(word)] if is_word(field, &word.to_string().to_lowercase()) => {
            format!("`{field}` is text: add quotes, `{field} = \"{}\"`", word.to_string().to_lowercase())
        }
        [TokenTree::Ident(some), TokenTree::Group(inside)] if some == "Some" => {
            format!("`{field}` takes the value itself: `{field} = {}`", inside.stream())
        }
        [TokenTree::Literal(literal), next @ TokenTree::Ident(_), ..] => {
            format!("expected `,` between `{literal}` and `{next}`")
        }
        _ => format!(
            "only the compiler knows the value of `{}`: write it out, `{}`",
            tokens.iter().cloned().collect::<TokenStream>(),
            sample(field)
        ),
    }
}

/// Whether a field has that word for a value.
fn is_word(field: Field, word: &str) -> bool {
    match field {
        Field::Jitter => Jitter::WORDS.contains(&word),
        Field::FinalSleep => FinalSleep::WORDS.contains(&word),
        Field::Budget => word == limits::UNLIMITED,
        _ => false,
    }
}

/// What is said where a number was wanted.
fn not_a_number(field: Field, value: &Value) -> String {
    if value.is_text() && value.shown().parse::<f64>().is_ok() {
        format!("`{field}` is a number: remove the quotes, `{field} = {}`", value.shown())
    } else {
        format!("`{field}` takes a number: `{}`", sample(field))
    }
}

fn checked<T>(value: T, limit: impl Fn(T) -> Result<T, ConfigError>) -> Result<T, String> {
    limit(value).map_err(said)
}

fn duration(field: Field, value: &Value) -> Result<std::time::Duration, String> {
    limits::duration_text(field, &text_of_time(field, value)?).map_err(said)
}

/// A time is text. A number that someone forgot to quote gets the sentence about its text.
fn text_of_time(field: Field, value: &Value) -> Result<String, String> {
    if value.is_text() {
        return Ok(value.shown());
    }
    match limits::duration_text(field, &value.shown()) {
        Err(error) if matches!(value.literal, Lit::Int(_) | Lit::Float(_)) => Err(error.to_string()),
        _ => Err(format!("`{field}` takes a text with a unit: `{}`", sample(field))),
    }
}

fn number(field: Field, value: &Value) -> Result<f64, String> {
    let size: Option<f64> = match &value.literal {
        Lit::Int(int) => int.base10_parse().ok(),
        Lit::Float(float) => float.base10_parse().ok(),
        _ => None,
    };
    let size = size.ok_or_else(|| not_a_number(field, value))?;
    Ok(if value.negative { -size } else { size })
}

fn count(field: Field, value: &Value) -> Result<u32, String> {
    match &value.literal {
        Lit::Int(_) | Lit::Float(_) => value.shown().replace('_', "").parse().map_err(|_| {
            let sentence = limits::max_attempts(0).err().map_or_else(String::new, said);
            sentence.replacen("`0`", &format!("`{}`", value.shown()), 1)
        }),
        _ => Err(not_a_number(field, value)),
    }
}

fn word<W: FromStr<Err = ConfigError>>(field: Field, value: &Value) -> Result<W, String> {
    if value.is_text() {
        value.shown().parse().map_err(said)
    } else {
        Err(format!("`{field}` takes a word in quotes: `{}`", sample(field)))
    }
}

/// How a field is written.
pub(super) const fn sample(field: Field) -> &'static str {
    match field {
        Field::Initial => "initial = \"200ms\"",
        Field::Budget => "budget = \"3.5s\"",
        Field::Multiplier => "multiplier = 2.0",
        Field::MaxDelay => "max_delay = \"10s\"",
        Field::MaxAttempts => "max_attempts = 4",
        Field::Jitter => "jitter = \"full\"",
        Field::FinalSleep => "final_sleep = \"spread\"",
        Field::MaxHint => "max_hint = \"5m\"",
        Field::AttemptTimeout => "attempt_timeout = \"5s\"",
    }
}

fn said(error: ConfigError) -> String {
    error.to_string()
}
