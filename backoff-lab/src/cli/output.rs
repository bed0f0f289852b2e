//! Where a report goes: the terminal, and files.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::chart::Terminal;
use crate::report::{Marks, Report};
use crate::{Error, chart, csv, html, plot, table};

/// As wide as a README is shown.
const SVG_WIDTH: u16 = 860;

/// The files to write besides.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Output {
    /// Write the picture, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the tables, as CSV: the first to FILE, others next to it
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a report with everything in one file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Output {
    /// Files first: whoever watches the screen then knows that they are there.
    pub(super) fn write(&self, report: &Report, screen: &mut dyn Write, terminal: Terminal) -> Result<(), Error> {
        let mut written = Vec::new();
        if let (Some(file), Some(figure)) = (&self.svg, &report.figure) {
            save(file.clone(), &plot::svg(figure, SVG_WIDTH)?, &mut written)?;
        }
        if let Some(file) = &self.csv {
            for (file, text) in tables(report, file) {
                save(file, &text, &mut written)?;
            }
        }
        if let Some(file) = &self.html {
            save(file.clone(), &html::page(report)?, &mut written)?;
        }
        let mut text = on_screen(report, terminal);
        for file in written {
            text.extend(["written: ", &file.display().to_string(), "\n"]);
        }
        screen.write_all(text.as_bytes()).and_then(|()| screen.flush()).map_err(Error::Output)
    }
}

fn on_screen(report: &Report, terminal: Terminal) -> String {
    let mut text = format!("{}\n", report.title);
    for sentence in &report.sentences {
        text.push_str(&chart::wrapped(sentence, terminal.width));
    }
    for warning in &report.warnings {
        text.push_str(&chart::wrapped(&format!("warning: {warning}"), terminal.width));
    }
    for table in &report.tables {
        text.extend(["\n", &table.title, "\n", &table::text(table, terminal.width)]);
    }
    if let Some(figure) = &report.figure {
        text.extend(["\n", &chart::text(figure, terminal), "\n"]);
    }
    text
}

/// The first table in the file itself, the others in `file-title`; and the points of a picture that no table holds.
fn tables(report: &Report, file: &Path) -> Vec<(PathBuf, String)> {
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for (at, table) in report.tables.iter().enumerate() {
        let file = if at == 0 { file.to_owned() } else { beside(file, &table.title) };
        files.push((file, csv::table(table)));
    }
    if let Some(figure) = &report.figure {
        let is_wave = figure.panels.iter().flat_map(|panel| &panel.series).any(|series| match &series.marks {
            Marks::Area(_) => true,
            Marks::Line(points) => points.len() > report.tables.first().map_or(0, |table| table.rows.len()),
            Marks::Ranges(_) => false,
        });
        if is_wave {
            files.push((beside(file, "curves"), csv::points(figure)));
        }
    }
    files
}

fn beside(file: &Path, title: &str) -> PathBuf {
    let mut words = String::new();
    for letter in title.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            words.push(letter);
        } else if !words.ends_with('-') {
            words.push('-');
        }
    }
    let mut name = OsString::from(file.file_stem().unwrap_or_default());
    name.push("-");
    name.push(words.trim_matches('-'));
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

fn save(file: PathBuf, text: &str, written: &mut Vec<PathBuf>) -> Result<(), Error> {
    match std::fs::write(&file, text) {
        Ok(()) => {
            written.push(file);
            Ok(())
        }
        Err(source) => Err(Error::File { file, doing: "write", source }),
    }
}

#[cfg(test)]
mod tests {
    use super::beside;
    use std::path::Path;

    #[test]
    fn files_stand_beside_the_first() {
        let names = ["A whole run", "Sleeps: retry.toml#orders"].map(|title| beside(Path::new("out/a.csv"), title));
        assert_eq!(names, [Path::new("out/a-a-whole-run.csv"), Path::new("out/a-sleeps-retry-toml-orders.csv")]);
        assert_eq!(beside(Path::new("a"), "x"), Path::new("a-x"));
    }
}
