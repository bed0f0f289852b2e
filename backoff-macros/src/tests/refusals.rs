//! What the attribute itself says to the mistakes in `tests/ui`: the same sentences, without the minute that a compiler needs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::token::{Delimiter, TokenStream, TokenTree};

/// Every file of mistakes, in the order of their names.
fn files() -> Vec<PathBuf> {
    let directories = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui");
    let entries = |path: &Path| fs::read_dir(path).expect("a directory").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> =
        entries(&directories).flat_map(|directory| entries(&directory).collect::<Vec<_>>()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    files
}

/// What the attributes among these tokens say, wherever they stand.
fn said(tokens: TokenStream, sentences: &mut BTreeSet<String>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (place, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let follows_hash = place > 0 && matches!(&tokens[place - 1], TokenTree::Punct(punct) if punct.as_char() == '#');
        match (group.delimiter(), follows_hash) {
            (Delimiter::Bracket, true) => {
                if let Some(arguments) = arguments(group.stream()) {
                    sentences_of(crate::attribute::attribute(arguments, function(&tokens[place + 1..])), sentences);
                }
            }
            _ => said(group.stream(), sentences),
        }
    }
}

/// The arguments of an attribute, if it is ours.
fn arguments(attribute: TokenStream) -> Option<TokenStream> {
    let mut tokens = attribute.into_iter().skip_while(|token| token.to_string() != "exponential_backoff");
    tokens.next()?;
    Some(match tokens.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    })
}

/// The function that an attribute stands on: up to its body, or a semicolon.
fn function(tokens: &[TokenTree]) -> TokenStream {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    };
    let end = tokens.iter().position(is_end).map_or(tokens.len(), |end| end + 1);
    tokens[..end].iter().cloned().collect()
}

/// The texts of all `compile_error!`.
pub(super) fn sentences_of(expansion: TokenStream, sentences: &mut BTreeSet<String>) {
    let tokens: Vec<_> = expansion.into_iter().collect();
    for (place, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        if place >= 2 && tokens[place - 2].to_string() == "compile_error" {
            let text: syn::LitStr = syn::parse2(group.stream()).expect("a text");
            sentences.insert(text.value());
        } else {
            sentences_of(group.stream(), sentences);
        }
    }
}

#[test]
fn the_compiler_prints_what_the_attribute_says() {
    let mut all = BTreeSet::new();
    for path in files() {
        let tokens: TokenStream = fs::read_to_string(&path).expect("a file").parse().expect("tokens");
        let printed = fs::read_to_string(path.with_extension("stderr")).expect("what the compiler printed");
        let printed: Vec<_> = printed.lines().filter_map(|line| line.strip_prefix("error: ")).collect();
        let mut sentences = BTreeSet::new();
        said(tokens, &mut sentences);
        for sentence in &sentences {
            assert!(printed.contains(&sentence.as_str()), "{}: not printed: {sentence}", path.display());
        }
        // The compiler itself has something to say about bodies only.
        if !path.parent().is_some_and(|directory| directory.ends_with("body")) {
            for sentence in printed {
                assert!(sentences.contains(sentence), "{}: not said: {sentence}", path.display());
            }
        }
        all.append(&mut sentences);
    }
    assert!(all.len() > 90, "only {} sentences were found", all.len());
}
