//! What a command found, before anyone knows how it will be shown.
//!
//! Every command fills a [`Report`], and every output ([`table`](crate::table), [`chart`](crate::chart),
//! [`plot`](crate::plot), [`csv`](crate::csv), [`html`](crate::html)) renders one.

mod cell;
mod figure;

pub use cell::{Cell, short};
pub use figure::{Axis, Colour, Figure, Marks, Panel, Range, Scale, Series};

/// A title, sentences, warnings, tables and perhaps a figure.
///
/// ```
/// use backoff_lab::report::Report;
/// let report = Report::new("One policy").sentence("It makes 6 attempts.").warning("Nothing ends it.");
/// assert_eq!(report.sentences.len() + report.warnings.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What this is about, in a few words.
    pub title: String,
    /// What was found, one sentence each.
    pub sentences: Vec<String>,
    /// What the reader should change, or know before shipping.
    pub warnings: Vec<String>,
    /// The figures as numbers. The first is the one that a CSV file holds.
    pub tables: Vec<Table>,
    /// The picture.
    pub figure: Option<Figure>,
}

impl Report {
    /// A report with nothing but a title.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a sentence.
    #[must_use]
    pub fn sentence(mut self, sentence: impl Into<String>) -> Self {
        self.sentences.push(sentence.into());
        self
    }

    /// Adds a warning.
    #[must_use]
    pub fn warning(mut self, warning: impl Into<String>) -> Self {
        self.warnings.push(warning.into());
        self
    }

    /// Adds a table.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        self.tables.push(table);
        self
    }

    /// Sets the picture.
    #[must_use]
    pub fn figure(mut self, figure: Figure) -> Self {
        self.figure = Some(figure);
        self
    }
}

/// Rows of cells under named columns.
///
/// ```
/// use backoff_lab::report::{Cell, Table};
/// let mut table = Table::new("Attempts", ["policy", "attempts"]);
/// table.push([Cell::from("full jitter"), Cell::Count(7)]);
/// assert_eq!(table.rows[0][1].to_string(), "7");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What the rows are.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new<const N: usize>(title: impl Into<String>, columns: [&str; N]) -> Self {
        Self { title: title.into(), columns: columns.map(str::to_owned).to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl Into<Vec<Cell>>) {
        self.rows.push(row.into());
    }
}
