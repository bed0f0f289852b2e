//! A policy from the text of an attribute.

use backoff_core::ExponentialBackoff;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{Named, literal, options};
use crate::Error;

/// Reads the text of an attribute: `#[exponential_backoff(initial = "200ms")]`, or only what stands in its parentheses.
///
/// Options that are no fields of a policy are left out, with a note. Whatever the attribute does not know is refused with
/// its own words.
///
/// ```
/// use backoff_lab::source::attribute;
/// let policy = attribute(r#"initial = "100ms", max_attempts = 4"#)?.policy;
/// assert_eq!(policy.to_string(), "100ms x2, no jitter, budget 3.5s, trim, 4 attempts");
/// let error = attribute(r#"intial = "100ms""#).unwrap_err();
/// assert_eq!(error.to_string(), "in the attribute: unknown option `intial`; did you mean `initial`?");
/// # Ok::<_, backoff_lab::Error>(())
/// ```
///
/// # Errors
/// When the text is no Rust, has an option that the attribute does not know, or a value that it refuses. An expression
/// that only a compiler can evaluate is refused as well.
pub fn attribute(text: &str) -> Result<Named, Error> {
    let tokens: TokenStream = text.parse().map_err(|_| {
        Error::Attribute(
            "a bracket or a quote has no partner: write it as in the source, \
             `#[exponential_backoff(initial = \"200ms\")]`, and put it in single quotes for the shell"
                .to_owned(),
        )
    })?;
    read(&inside(tokens)).map_err(Error::Attribute)
}

/// What stands in the parentheses, or everything if there are none.
fn inside(tokens: TokenStream) -> Vec<TokenTree> {
    let all: Vec<_> = tokens.into_iter().collect();
    match all.as_slice() {
        [TokenTree::Punct(hash), TokenTree::Group(brackets)] if hash.as_char() == '#' => inside(brackets.stream()),
        [path @ .., TokenTree::Ident(name)] if name == "exponential_backoff" && is_path(path) => Vec::new(),
        [path @ .., TokenTree::Ident(name), TokenTree::Group(group)]
            if name == "exponential_backoff" && group.delimiter() == Delimiter::Parenthesis && is_path(path) =>
        {
            group.stream().into_iter().collect()
        }
        _ => all,
    }
}

fn is_path(tokens: &[TokenTree]) -> bool {
    tokens.iter().all(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(colon) => colon.as_char() == ':',
        _ => false,
    })
}

fn read(tokens: &[TokenTree]) -> Result<Named, String> {
    let mut named = Named::new("the attribute", ExponentialBackoff::new());
    let mut builder = ExponentialBackoff::builder();
    let mut seen: Vec<String> = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        let (option, after) = split(rest);
        rest = after;
        let [TokenTree::Ident(key), value @ ..] = option else {
            let found = option.first().or(tokens.first()).map_or_else(String::new, ToString::to_string);
            return Err(format!("expected an option, found `{found}`; write it as `initial = \"200ms\"`"));
        };
        let key = key.to_string();
        if seen.contains(&key) {
            return Err(format!("`{key}` is set twice; remove one of the two"));
        }
        match (options::field(&key), value) {
            (Some(field), [TokenTree::Punct(equals), value @ ..]) if equals.as_char() == '=' && !value.is_empty() => {
                builder = literal::set(builder, field, value)?;
            }
            (Some(field), []) => return Err(format!("`{key}` has no value: write `{}`", literal::sample(field))),
            (Some(field), _) => {
                return Err(format!("expected `=` after `{key}`: write `{}`", literal::sample(field)));
            }
            (None, _) if options::OTHERS.contains(&key.as_str()) => named.notes.push(options::note(&key)),
            (None, _) => return Err(options::unknown(&key)),
        }
        seen.push(key);
    }
    named.policy = builder.build().map_err(|error| error.to_string())?;
    Ok(named)
}

/// Divides the first option from the rest. A comma ends an option where something like another one follows, so those
/// between the parameters of a closure do not.
fn split(tokens: &[TokenTree]) -> (&[TokenTree], &[TokenTree]) {
    for (index, token) in tokens.iter().enumerate() {
        let is_comma = matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',');
        if is_comma && begins_option(&tokens[index + 1..]) {
            return (&tokens[..index], &tokens[index + 1..]);
        }
    }
    (tokens, &[])
}

fn begins_option(tokens: &[TokenTree]) -> bool {
    match tokens {
        [] => true,
        [TokenTree::Ident(_), TokenTree::Punct(equals), next @ ..] if equals.as_char() == '=' => {
            !matches!(next, [TokenTree::Punct(more), ..] if matches!(more.as_char(), '=' | '>'))
        }
        [TokenTree::Ident(flag), TokenTree::Punct(comma), ..] if comma.as_char() == ',' => is_option(flag),
        [TokenTree::Ident(flag), TokenTree::Group(_), ..] | [TokenTree::Ident(flag)] => is_option(flag),
        _ => false,
    }
}

fn is_option(word: &proc_macro2::Ident) -> bool {
    let word = word.to_string();
    options::field(&word).is_some() || options::OTHERS.contains(&word.as_str())
}
