//! A policy from a TOML file.

use std::path::{Path, PathBuf};

use backoff_core::ExponentialBackoff;
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::Named;
use crate::Error;

/// Reads a policy from a TOML file: the whole file, or the table that a path with dots names.
///
/// # Errors
/// When the file can't be read or is no TOML, has no such table, or holds a value that no policy may have. If the whole
/// file is no policy but has tables that could be, the error names them.
pub fn file(path: &Path, table: Option<&str>) -> Result<Named, Error> {
    let text =
        std::fs::read_to_string(path).map_err(|source| Error::File { file: path.to_owned(), doing: "read", source })?;
    let name = table.map_or_else(|| path.display().to_string(), |table| format!("{}#{table}", path.display()));
    match policy(&text, table) {
        Ok(policy) => Ok(Named::new(name, policy)),
        Err((place, problem)) => {
            let line = place.map(|at| text[..at].matches('\n').count() + 1);
            Err(Error::Toml { file: path.to_owned(), line, problem })
        }
    }
}

/// Divides `file#table`.
///
/// ```
/// use backoff_lab::source::place;
/// assert_eq!(place("retry.toml#client.orders"), ("retry.toml".into(), Some("client.orders".to_owned())));
/// assert_eq!(place("retry.toml"), ("retry.toml".into(), None));
/// ```
#[must_use]
pub fn place(text: &str) -> (PathBuf, Option<String>) {
    match text.rsplit_once('#') {
        Some((file, table)) => (file.into(), Some(table.to_owned())),
        None => (text.into(), None),
    }
}

/// What is wrong, and where it begins, unless it says that itself.
type Problem = (Option<usize>, String);

fn policy(text: &str, table: Option<&str>) -> Result<ExponentialBackoff, Problem> {
    let whole = DeTable::parse(text).map_err(|error| (None, error.to_string()))?;
    let whole = Spanned::new(whole.span(), DeValue::Table(whole.into_inner()));
    let (mut found, mut path, mut rest) = (&whole, String::new(), table);
    while let Some(names) = rest {
        let inner = entries(found).filter(|(key, _)| is_first(key.get_ref(), names));
        // A name may have dots itself, where it stands in quotes.
        let Some((key, inner)) = inner.max_by_key(|(key, _)| key.get_ref().len()) else {
            return Err((None, no_table(&format!("{path}{names}"), found, &path)));
        };
        path = format!("{path}{}.", key.get_ref());
        rest = names.get(key.get_ref().len() + 1..);
        found = inner;
    }
    ExponentialBackoff::deserialize(found.clone().into_deserializer()).map_err(|error| {
        let is_unknown = entries(found).any(|(key, _)| Some(key.span()) == error.span());
        let problem = match innermost(found, &path).filter(|_| is_unknown) {
            None => error.message().to_owned(),
            Some(name) => {
                format!("{}; choose a table of the file, for example `--table {name}`", error.message())
            }
        };
        (error.span().map(|span| span.start), problem)
    })
}

/// Whether a path with dots begins with that name.
fn is_first(name: &str, names: &str) -> bool {
    names.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn no_table(name: &str, found: &Spanned<DeValue<'_>>, path: &str) -> String {
    let tables: Vec<_> = tables(found).iter().map(|(name, _)| format!("`{path}{name}`")).collect();
    match tables.as_slice() {
        [] => format!("there is no table `{name}`, nor any other at that place"),
        tables => format!("there is no table `{name}`; there are {}", tables.join(", ")),
    }
}

/// The name of a table that has no others in it, since those that have are no policies.
fn innermost(found: &Spanned<DeValue<'_>>, path: &str) -> Option<String> {
    let (name, inner) = *tables(found).first()?;
    let name = format!("{path}{name}");
    innermost(inner, &format!("{name}.")).or(Some(name))
}

/// The tables at that place, in the order of the file.
fn tables<'a, 'i>(found: &'a Spanned<DeValue<'i>>) -> Vec<(&'a DeString<'i>, &'a Spanned<DeValue<'i>>)> {
    let mut tables: Vec<_> = entries(found).filter(|(_, value)| value.get_ref().is_table()).collect();
    tables.sort_by_key(|(key, _)| key.span().start);
    tables.into_iter().map(|(key, value)| (key.get_ref(), value)).collect()
}

fn entries<'a, 'i>(
    found: &'a Spanned<DeValue<'i>>,
) -> impl Iterator<Item = (&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>)> {
    found.get_ref().as_table().into_iter().flatten()
}
