//! The function: its header, which is kept as it is, and its body, which is kept closed.

use crate::token::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use super::tokens::{angle_end, has_word, is_arrow_head, is_joint, is_punct, is_word, peel, peeled, stream, trees};

/// What the attribute stands on.
pub(crate) struct Item {
    /// Every token.
    tokens: Vec<TokenTree>,
    pub(crate) function: Result<Function, NotAFunction>,
    /// A second attribute of the same name, as a range of the tokens.
    repeated: Option<core::ops::Range<usize>>,
}

/// What stands there instead of a function.
pub(crate) struct NotAFunction {
    pub(crate) span: Span,
    /// `impl`, `trait`, or something else.
    pub(crate) word: Option<String>,
}

/// The parts of a function that the attribute looks at.
#[derive(Clone)]
pub(crate) struct Function {
    /// Attributes, visibility, signature and where clause, untouched.
    pub(crate) header: Vec<TokenTree>,
    pub(crate) name: Ident,
    pub(crate) constness: Option<Span>,
    pub(crate) asyncness: Option<Span>,
    pub(crate) track_caller: Option<Span>,
    pub(crate) repeated: Option<Span>,
    /// Between `<` and `>`, or nothing.
    pub(crate) generics: Vec<TokenTree>,
    /// Between the parentheses.
    pub(crate) parameters: Vec<TokenTree>,
    /// Behind the arrow; none without an arrow.
    pub(crate) output: Option<Vec<TokenTree>>,
    /// The body with its braces; none for `fn f();`.
    pub(crate) body: Option<Group>,
}

impl Item {
    /// The item as it was, without a second attribute of ours, which would only repeat the errors.
    pub(crate) fn plain(&self) -> TokenStream {
        match &self.repeated {
            Some(range) => self.tokens[..range.start].iter().chain(&self.tokens[range.end..]).cloned().collect(),
            None => stream(&self.tokens),
        }
    }
}

pub(crate) fn item(tokens: TokenStream) -> Item {
    let tokens = peel(tokens.into_iter().collect());
    let attributes = attributes(&tokens);
    let function = function(&tokens, &attributes);
    Item { function, repeated: attributes.repeated, tokens }
}

/// What there is to know about the attributes in front.
struct Attributes {
    end: usize,
    track_caller: Option<Span>,
    repeated: Option<core::ops::Range<usize>>,
}

fn attributes(tokens: &[TokenTree]) -> Attributes {
    let mut found = Attributes { end: 0, track_caller: None, repeated: None };
    while is_punct(tokens.get(found.end), '#') {
        let Some(TokenTree::Group(group)) = tokens.get(found.end + 1) else { break };
        let attribute = peel(trees(group));
        let path: Vec<_> = attribute.into_iter().take_while(|token| !matches!(token, TokenTree::Group(_))).collect();
        if is_word(path.last(), "track_caller") {
            found.track_caller = path.last().map(TokenTree::span);
        } else if is_word(path.last(), "exponential_backoff") {
            found.repeated = Some(found.end..found.end + 2);
        }
        found.end += 2;
    }
    found
}

fn function(tokens: &[TokenTree], attributes: &Attributes) -> Result<Function, NotAFunction> {
    let start = attributes.end;
    let Some(keyword) = (start..tokens.len()).find(|&index| is_function_keyword(tokens, index)) else {
        return Err(not_a_function(tokens, start));
    };
    let qualifiers = &tokens[start..keyword];
    if let Some(word) = qualifiers.iter().find(|token| is_item_keyword(token)) {
        return Err(NotAFunction { span: word.span(), word: Some(word.to_string()) });
    }
    let Some(TokenTree::Ident(name)) = tokens.get(keyword + 1).map(peeled) else {
        return Err(NotAFunction { span: tokens[keyword].span(), word: None });
    };
    let mut at = keyword + 2;
    let generics = if is_punct(tokens.get(at), '<') {
        let end = angle_end(tokens, at);
        let inside = tokens.get(at + 1..end - 1).unwrap_or_default().to_vec();
        at = end;
        inside
    } else {
        Vec::new()
    };
    let Some(TokenTree::Group(parameters)) = tokens.get(at) else {
        return Err(NotAFunction { span: name.span(), word: None });
    };
    let (header, body) = split_body(tokens);
    let repeated = attributes.repeated.as_ref().map(|range| tokens[range.start].span());
    Ok(Function {
        name,
        constness: qualifiers.iter().find(|token| is_word(Some(token), "const")).map(TokenTree::span),
        asyncness: qualifiers.iter().find(|token| is_word(Some(token), "async")).map(TokenTree::span),
        track_caller: attributes.track_caller,
        repeated,
        generics,
        parameters: trees(parameters),
        output: output(header.get(at + 1..).unwrap_or_default()),
        header: header.to_vec(),
        body,
    })
}

/// The word `fn` in front of a name: not the one of a function pointer.
fn is_function_keyword(tokens: &[TokenTree], index: usize) -> bool {
    is_word(tokens.get(index), "fn") && matches!(tokens.get(index + 1).map(peeled), Some(TokenTree::Ident(_)))
}

fn is_item_keyword(token: &TokenTree) -> bool {
    ["impl", "trait", "struct", "enum", "mod", "type", "static", "let", "union", "macro_rules"]
        .iter()
        .any(|word| is_word(Some(token), word))
}

fn not_a_function(tokens: &[TokenTree], start: usize) -> NotAFunction {
    let word = tokens[start..].iter().find(|token| is_item_keyword(token) || is_word(Some(token), "const"));
    let place = word.or_else(|| tokens.get(start)).or_else(|| tokens.first());
    NotAFunction { span: place.map_or_else(Span::call_site, TokenTree::span), word: word.map(ToString::to_string) }
}

/// The last token is the body; one from `macro_rules!` is wrapped in an invisible group.
fn split_body(tokens: &[TokenTree]) -> (&[TokenTree], Option<Group>) {
    let Some((last, header)) = tokens.split_last() else { return (tokens, None) };
    match peeled(last) {
        TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => (header, Some(body)),
        _ => (header, None),
    }
}

/// The type behind the arrow, up to a where clause.
fn output(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    if !is_punct(tokens.first(), '-') {
        return None;
    }
    let output: Vec<_> = tokens.get(2..)?.iter().take_while(|token| !is_word(Some(token), "where")).cloned().collect();
    Some(peel(output))
}

impl Function {
    /// The names that a generic parameter gives, and `Self`: what a constant outside of the function can't mention.
    pub(crate) fn generic_names(&self) -> Vec<String> {
        let mut names = vec!["Self".to_owned()];
        let mut expecting = true;
        let mut depth = 0_usize;
        for (index, token) in self.generics.iter().enumerate() {
            match token {
                TokenTree::Punct(punct) => match punct.as_char() {
                    '<' => depth += 1,
                    '>' if !is_arrow_head(&self.generics, index) => depth = depth.saturating_sub(1),
                    ',' if depth == 0 => expecting = true,
                    _ => {}
                },
                TokenTree::Ident(name) if expecting && !is_word(Some(token), "const") => {
                    names.push(name.to_string());
                    expecting = false;
                }
                _ => {}
            }
        }
        names
    }

    /// Every name that a parameter binds, and whether it is declared `mut`.
    pub(crate) fn parameter_names(&self) -> Vec<(Ident, bool)> {
        let mut names = Vec::new();
        for parameter in split_at_commas(&self.parameters) {
            let colon = (0..parameter.len()).find(|&index| is_single_colon(parameter, index));
            bindings(&parameter[..colon.unwrap_or(0)], &mut names);
        }
        names
    }

    /// The receiver, if it is a reference: elided lifetimes of what is returned are then its own.
    pub(crate) fn borrowed_receiver(&self) -> Option<&[TokenTree]> {
        let first = split_at_commas(&self.parameters).first().copied()?;
        let is_borrowed = first.iter().any(|token| is_punct(Some(token), '&'));
        (has_word(first, "self") && is_borrowed).then_some(first)
    }

    /// Whether it is an async function, or was one before `#[async_trait]`.
    pub(crate) fn is_async(&self) -> bool {
        self.asyncness.is_some() || self.is_async_trait()
    }

    /// Whether this is what `#[async_trait]` makes of an async method.
    pub(crate) fn is_async_trait(&self) -> bool {
        let is_lifetime = |pair: &[TokenTree]| is_punct(pair.first(), '\'') && is_word(pair.get(1), "async_trait");
        self.asyncness.is_none() && self.generics.windows(2).any(is_lifetime)
    }
}

/// Divides at the commas that are not inside of `<..>`.
fn split_at_commas(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut index = 0;
    while index < tokens.len() {
        if is_punct(tokens.get(index), '<') {
            index = angle_end(tokens, index);
            continue;
        }
        if is_punct(tokens.get(index), ',') {
            parts.push(&tokens[start..index]);
            start = index + 1;
        }
        index += 1;
    }
    parts.push(&tokens[start..]);
    parts
}

/// A colon that is not half of `::`.
fn is_single_colon(tokens: &[TokenTree], index: usize) -> bool {
    let is_first =
        |index| is_punct(tokens.get(index), ':') && is_joint(tokens.get(index)) && is_punct(tokens.get(index + 1), ':');
    is_punct(tokens.get(index), ':') && !is_first(index) && !index.checked_sub(1).is_some_and(is_first)
}

/// The names in a pattern: words in lower case that are not part of a path or the name of a field.
fn bindings(pattern: &[TokenTree], names: &mut Vec<(Ident, bool)>) {
    if let [before @ .., TokenTree::Ident(name)] = pattern {
        // A pattern of a single word binds it, whatever its case.
        let is_nobody = ["self", "_"].contains(&name.to_string().as_str());
        if !is_nobody && before.iter().all(|token| is_word(Some(token), "mut")) {
            names.push((name.clone(), !before.is_empty()));
            return;
        }
    }
    for (index, token) in pattern.iter().enumerate() {
        match peeled(token) {
            TokenTree::Group(group) if !is_punct(index.checked_sub(1).and_then(|at| pattern.get(at)), '#') => {
                bindings(&trees(&group), names);
            }
            TokenTree::Ident(name) => {
                let before = index.checked_sub(1).and_then(|before| pattern.get(before));
                let text = name.to_string();
                let is_binding = !["mut", "ref", "self", "_"].contains(&text.as_str())
                    && !text.starts_with(char::is_uppercase)
                    && !is_punct(pattern.get(index + 1), ':')
                    && !is_punct(pattern.get(index + 1), '!');
                if is_binding {
                    names.push((name, is_word(before, "mut")));
                }
            }
            _ => {}
        }
    }
}

/// The places of `&mut` and `&'a mut`, with the name of the lifetime, not looking into parentheses.
pub(crate) fn mutable_borrows(tokens: &[TokenTree]) -> Vec<(Span, Option<String>)> {
    let borrow = |(index, token): (usize, &TokenTree)| {
        let lifetime = match (tokens.get(index + 1), tokens.get(index + 2)) {
            (tick, Some(TokenTree::Ident(name))) if is_punct(tick, '\'') => Some(name.to_string()),
            _ => None,
        };
        let after = index + if lifetime.is_some() { 3 } else { 1 };
        (is_punct(Some(token), '&') && is_word(tokens.get(after), "mut")).then(|| (token.span(), lifetime))
    };
    tokens.iter().enumerate().filter_map(borrow).collect()
}
