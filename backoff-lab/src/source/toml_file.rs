//! A policy from a TOML file.

use std::path::{Path, PathBuf};

use backoff_core::ExponentialBackoff;
use serde::Deserialize as _;
use toml::{Table, Value};

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
        Err(problem) => Err(Error::Toml { file: path.to_owned(), problem }),
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

fn policy(text: &str, table: Option<&str>) -> Result<ExponentialBackoff, String> {
    let whole: Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let mut found = Value::Table(whole);
    for name in table.iter().flat_map(|table| table.split('.')) {
        let inner = found.as_table_mut().and_then(|table| table.remove(name));
        found = inner.ok_or_else(|| no_table(name, &found))?;
    }
    let tables = tables(&found);
    ExponentialBackoff::deserialize(found).map_err(|error| match tables.as_slice() {
        [] => error.message().to_owned(),
        [first, ..] => format!("{}; choose a table of the file, for example `--table {first}`", error.message()),
    })
}

fn no_table(name: &str, found: &Value) -> String {
    match tables(found).as_slice() {
        [] => format!("there is no table `{name}`, nor any other at that place"),
        tables => format!("there is no table `{name}`; there are `{}`", tables.join("`, `")),
    }
}

fn tables(value: &Value) -> Vec<String> {
    let entries = value.as_table().into_iter().flatten();
    entries.filter(|(_, value)| value.is_table()).map(|(name, _)| name.clone()).collect()
}
