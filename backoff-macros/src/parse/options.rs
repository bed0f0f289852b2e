//! The options as they were written.

use backoff_policy::Field;

use crate::token::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use super::commas::{ends_operand, split};
use super::tokens::{is_named, is_punct, peel, peeled, stream, trees};
use crate::errors::Errors;
use crate::keys::{self, Key, Kind};

/// One option of the attribute, the key beside its value, so that errors about either find their place.
pub(crate) struct Argument {
    pub(crate) key: &'static Key,
    pub(crate) span: Span,
    pub(crate) value: Vec<TokenTree>,
}

/// Reads all options; whatever can't be read is an error, and the rest goes on.
pub(crate) fn options(tokens: TokenStream, errors: &mut Errors) -> Vec<Argument> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut arguments: Vec<Argument> = Vec::new();
    let mut rest = tokens.as_slice();
    while let Some(first) = rest.first() {
        let is_first = rest.len() == tokens.len();
        let (option, after) = split(rest);
        rest = after;
        if option.is_empty() {
            let message = if is_first {
                "expected an option before `,`, such as `initial = \"200ms\"`"
            } else {
                "expected an option between the two commas; remove one of them"
            };
            errors.push(first.span(), message);
            continue;
        }
        // A `$option:meta` of `macro_rules!` arrives in one piece.
        let Some(argument) = read(&peel(option.to_vec()), errors) else { continue };
        if arguments.iter().any(|earlier| earlier.key.name == argument.key.name) {
            errors.push(argument.span, format_args!("`{}` is set twice; remove one of the two", argument.key.name));
        } else {
            arguments.push(argument);
        }
    }
    arguments
}

fn read(option: &[TokenTree], errors: &mut Errors) -> Option<Argument> {
    let first = peeled(option.first()?);
    let name = match &first {
        TokenTree::Ident(name) => name,
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            let name = text.trim_matches('"');
            let Some(known) = keys::find(name).map(Some).or_else(|| is_punct(option.get(1), '=').then_some(None))
            else {
                errors.push(
                    first.span(),
                    format_args!("expected an option, found `{literal}`; write it as `initial = \"200ms\"`"),
                );
                return None;
            };
            let sample = known.map_or("initial = \"200ms\"", |key| key.sample);
            errors.push(first.span(), format_args!("an option is written without quotes: `{sample}`"));
            return None;
        }
        other => {
            let message = format!("expected an option, found `{other}`; write it as `initial = \"200ms\"`");
            errors.push(other.span(), message);
            return None;
        }
    };
    let text = name.to_string();
    let is_path = is_punct(option.get(1), ':') && is_punct(option.get(2), ':');
    if let (true, Some(key)) = (is_punct(option.get(1), ':') && !is_path, keys::find(&text)) {
        errors.push(option[1].span(), format_args!("an option is set with `=`, not with `:`: `{}`", key.sample));
        return None;
    }
    if is_path {
        let last = option.iter().take_while(|token| !is_punct(Some(token), '=')).last();
        let last = last.map_or_else(String::new, ToString::to_string);
        let sample = keys::find(&last).map_or("initial = \"200ms\"", |key| key.sample);
        errors.push(name.span(), format_args!("an option is a single word: `{sample}`"));
        return None;
    }
    if is_punct(option.get(1), '-') {
        let name = kebab(option);
        let message = match keys::find(&name) {
            Some(key) => format!("an option is written with `_`, not with `-`: `{}`", key.sample),
            None => keys::unknown(&name),
        };
        errors.push(first.span(), message);
        return None;
    }
    let plain = text.strip_prefix("r#").filter(|_| text != "r#crate").unwrap_or(&text);
    let Some(key) = keys::find(plain) else {
        errors.push(name.span(), keys::unknown(plain));
        return None;
    };
    if plain != text {
        errors.push(name.span(), format_args!("an option is written without `r#`: `{}`", key.sample));
        return None;
    }
    value(key, name, &option[1..], errors)
}

/// Reads what stands behind the key.
fn value(key: &'static Key, name: &Ident, rest: &[TokenTree], errors: &mut Errors) -> Option<Argument> {
    let argument = |value| Some(Argument { key, span: name.span(), value });
    match (key.kind, rest) {
        (Kind::Flag, []) => argument(Vec::new()),
        (Kind::Names, [TokenTree::Group(group)]) if group.delimiter() == Delimiter::Parenthesis => {
            argument(trees(group))
        }
        (Kind::Flag, [equals, value @ ..]) if is_punct(Some(equals), '=') => {
            let value = stream(value);
            errors.push(
                name.span(),
                format_args!("`{name}` takes no value: remove `= {value}`, or all of it to switch it off"),
            );
            None
        }
        (Kind::Flag | Kind::Names, _) => {
            errors.push(name.span(), format_args!("`{name}` is written `{}`", key.sample));
            None
        }
        (_, [equals, value @ ..]) if is_punct(Some(equals), '=') => {
            let value: Vec<_> = value.to_vec();
            if let Some(more @ ('=' | '>')) = punct(value.first()) {
                errors.push(
                    equals.span(),
                    format_args!("an option is set with `=`, not with `={more}`: `{}`", key.sample),
                );
                return None;
            }
            if value.is_empty() {
                errors.push(name.span(), format_args!("`{name}` has no value: write `{}`", key.sample));
                return None;
            }
            missing_comma(&value, errors)?;
            argument(value)
        }
        (_, []) => {
            errors.push(name.span(), format_args!("`{name}` has no value: write `{}`", key.sample));
            None
        }
        (_, [TokenTree::Group(group)]) => {
            errors.push(name.span(), in_brackets(key, group));
            None
        }
        (_, [found, ..]) => {
            errors.push(found.span(), format_args!("expected `=` after `{name}`: write `{}`", key.sample));
            None
        }
    }
}

fn in_brackets(key: &Key, group: &Group) -> String {
    let value = group.stream();
    if value.is_empty() {
        format!("`{}` is written `{}`", key.name, key.sample)
    } else {
        let quote = if is_text_without_quotes(key, &trees(group)) { "\"" } else { "" };
        format!("`{0}` is written with `=`: `{0} = {quote}{value}{quote}`", key.name)
    }
}

/// `jitter(full)` and `initial(200ms)`.
fn is_text_without_quotes(key: &Key, value: &[TokenTree]) -> bool {
    match (key.kind, value) {
        (Kind::Field(Field::Multiplier | Field::MaxAttempts), _) => false,
        (Kind::Field(_), [TokenTree::Ident(word)]) => word.to_string().starts_with(char::is_lowercase),
        (Kind::Field(_), [TokenTree::Literal(number)]) => !number.to_string().starts_with('"'),
        _ => false,
    }
}

/// The name in front of the first `=`, with `_` for each `-`.
fn kebab(option: &[TokenTree]) -> String {
    let mut name = String::new();
    for token in option.iter().take_while(|token| is_punct(Some(token), '-') || matches!(token, TokenTree::Ident(_))) {
        name += &if is_punct(Some(token), '-') { "_".to_owned() } else { token.to_string() };
    }
    name
}

/// The character of a token, if it is punctuation.
fn punct(token: Option<&TokenTree>) -> Option<char> {
    match token {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    }
}

/// A literal is a whole value, and no operand stands in front of the next option.
fn missing_comma(value: &[TokenTree], errors: &mut Errors) -> Option<()> {
    let is_literal = matches!(peeled(&value[0]), TokenTree::Literal(_));
    if let (true, Some(semicolon)) = (is_literal, value.get(1).filter(|token| is_punct(Some(token), ';'))) {
        errors.push(semicolon.span(), "options are separated by `,`, not by `;`");
        return None;
    }
    let follows_literal = |next: &TokenTree| match next {
        TokenTree::Ident(word) => !is_named(word, "as"),
        next => !matches!(next, TokenTree::Punct(_)),
    };
    let next = if is_literal && value.get(1).is_some_and(follows_literal) {
        1
    } else {
        let found = (1..value.len()).find(|&index| ends_operand(value, index) && begins_option(&value[index..]));
        let Some(found) = found else { return Some(()) };
        found
    };
    let message = format!("expected `,` between `{}` and `{}`", value[next - 1], stream(&value[next..=next]));
    errors.push(value[next].span(), message);
    None
}

fn begins_option(tokens: &[TokenTree]) -> bool {
    matches!(tokens.first(), Some(TokenTree::Ident(word)) if keys::find(&word.to_string()).is_some())
        && match tokens.get(1) {
            Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
            Some(equals) => is_punct(Some(equals), '=') && !matches!(punct(tokens.get(2)), Some('=' | '>')),
            None => true,
        }
}
