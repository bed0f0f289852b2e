//! The options as they were written.

use crate::token::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use super::tokens::{angle_end, is_punct, peeled, stream, trees};
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
        let (option, after) = split(rest);
        rest = after;
        if option.is_empty() {
            errors.push(first.span(), "expected an option before `,`, such as `initial = \"200ms\"`");
            continue;
        }
        let Some(argument) = read(option, errors) else { continue };
        if arguments.iter().any(|earlier| earlier.key.name == argument.key.name) {
            errors.push(argument.span, format_args!("`{}` is set twice; remove one of the two", argument.key.name));
        } else {
            arguments.push(argument);
        }
    }
    arguments
}

/// Divides what comes before the next option from it. A comma ends an option if something like an option follows, or
/// nothing; so commas between the parameters of a closure or in `<A, B>` do not.
fn split(tokens: &[TokenTree]) -> (&[TokenTree], &[TokenTree]) {
    for (index, token) in tokens.iter().enumerate() {
        let rest = &tokens[index..];
        if is_punct(Some(token), ',') && begins_option(&rest[1..], index == 0) && !is_in_angles(tokens, index) {
            return (&tokens[..index], &rest[1..]);
        }
    }
    (tokens, &[])
}

/// Whether the comma at `index` stands inside of `<..>`, as in `dyn Trait<A, Item = B>`. What follows a comparison with `<`
/// looks alike until a known option comes.
fn is_in_angles(tokens: &[TokenTree], index: usize) -> bool {
    let is_known =
        |token: &TokenTree| matches!(token, TokenTree::Ident(word) if keys::find(&word.to_string()).is_some());
    !tokens.get(index + 1).map(peeled).is_some_and(|next| is_known(&next))
        && (0..index).any(|open| {
            is_punct(tokens.get(open), '<') && (index + 1..tokens.len()).contains(&(angle_end(tokens, open) - 1))
        })
}

fn begins_option(tokens: &[TokenTree], nothing_before: bool) -> bool {
    match tokens.first().map(peeled) {
        None => true,
        Some(TokenTree::Ident(word)) => match tokens.get(1) {
            None => true,
            Some(TokenTree::Group(group)) => {
                group.delimiter() != Delimiter::None && keys::find(&word.to_string()).is_some()
            }
            Some(TokenTree::Punct(punct)) => match punct.as_char() {
                '=' => !is_punct(tokens.get(2), '=') && !is_punct(tokens.get(2), '>'),
                ',' => keys::find(&word.to_string()).is_some(),
                ':' if !is_punct(tokens.get(2), ':') => keys::find(&word.to_string()).is_some(),
                _ => nothing_before,
            },
            Some(_) => nothing_before,
        },
        Some(TokenTree::Literal(_)) => is_punct(tokens.get(1), '='),
        Some(_) => nothing_before,
    }
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
            if let Some(comma) = value.last().filter(|last| is_punct(Some(last), ',')) {
                errors.push(comma.span(), "expected an option between the two commas; remove one of them");
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
        format!("`{0}` is written with `=`: `{0} = {value}`", key.name)
    }
}

/// A literal is a whole value, so what follows one is the next option.
fn missing_comma(value: &[TokenTree], errors: &mut Errors) -> Option<()> {
    match (peeled(&value[0]), value.get(1)) {
        (TokenTree::Literal(_), Some(comma)) if is_punct(Some(comma), ',') => {
            let next = value.get(2).map_or_else(String::new, ToString::to_string);
            let place = value.get(2).unwrap_or(comma).span();
            errors.push(place, format_args!("expected an option after `,`, found `{next}`"));
            None
        }
        (TokenTree::Literal(_), Some(semicolon)) if is_punct(Some(semicolon), ';') => {
            errors.push(semicolon.span(), "options are separated by `,`, not by `;`");
            None
        }
        (TokenTree::Literal(literal), Some(next @ TokenTree::Ident(_))) if next.to_string() != "as" => {
            let message = format!("expected `,` between `{literal}` and `{}`", stream(&value[1..2]));
            errors.push(next.span(), message);
            None
        }
        _ => Some(()),
    }
}
