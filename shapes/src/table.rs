//! The table, as Markdown.

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::measure::{Matrix, Row, Verdict};
use crate::shape::Form;

const DATE: &str = "Measured on ";

type Column = (&'static str, fn(&Row) -> &Verdict);

const COLUMNS: [Column; 3] =
    [("backoff-core", |row| &row.ours), ("backon-macros", |row| &row.backon), ("retry-if", |row| &row.retry_if)];

/// The whole file.
#[must_use]
pub fn table(matrix: &Matrix) -> String {
    let mut text = String::new();
    let _ = head(&mut text, matrix);
    let _ = totals(&mut text, matrix);
    let _ = shapes(&mut text, matrix);
    for column in &COLUMNS {
        let _ = refusals(&mut text, matrix, column);
    }
    text
}

/// Whether two tables say the same, whenever they were measured.
#[must_use]
pub fn same_but_for_the_date(a: &str, b: &str) -> bool {
    let undated = |text: &str| text.lines().filter(|line| !line.starts_with(DATE)).collect::<Vec<_>>().join("\n");
    undated(a) == undated(b)
}

fn head(text: &mut String, matrix: &Matrix) -> std::fmt::Result {
    let crates: Vec<_> = matrix.crates.iter().map(|(name, version)| format!("{name} {version}")).collect();
    writeln!(text, "# Which function shapes can be retried\n")?;
    writeln!(
        text,
        "This file is written by `cargo run --manifest-path shapes/Cargo.toml`; a test there compares it.\n"
    )?;
    writeln!(text, "{DATE}{}.", today())?;
    writeln!(text, "With {}; {}.\n", crates.join(", "), matrix.toolchain)?;
    writeln!(
        text,
        "Each shape is a function that fails twice and then succeeds. For each attribute it becomes a program, in the\n\
         attribute's own words: five attempts, a delay of 1 ms. The program is compiled and run:\n\n\
         - **retries**: three calls, and the right value at the end. An option in brackets is what it took.\n\
         - **refused**: it does not compile. The compiler's first line is below.\n\
         - **does not retry**: it compiles, and then makes another number of calls.\n\n\
         Without an attribute every shape compiles and makes one call; that is checked first, so a shape that Rust itself\n\
         can't express is not here, and neither is a function that can't fail. Where the language allows it, a shape is\n\
         measured twice, as a blocking function and as an async one.\n\n\
         What `backon-macros` refuses is tried again with `context = true`, which does not go with `?` in the body.\n\
         `retry-if` needs a predicate for what is returned and got a fitting one, also where a row says \"without a\n\
         condition\"; it documents that it is for async functions. A retry is counted, not inspected: that a location\n\
         under `#[track_caller]` is the wrong one, say, would not show here.\n"
    )
}

fn totals(text: &mut String, matrix: &Matrix) -> std::fmt::Result {
    writeln!(text, "## Totals\n")?;
    writeln!(text, "| | form | shapes | retries | refused | does not retry |\n|---|---|---|---|---|---|")?;
    for (name, verdict) in COLUMNS {
        for form in [Form::Blocking, Form::Async] {
            let verdicts: Vec<_> = matrix.rows.iter().filter(|row| row.form == form).map(verdict).collect();
            let count = |is: fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| is(verdict)).count();
            let retries = count(|verdict| matches!(verdict, Verdict::Retries { .. }));
            let refused = count(|verdict| matches!(verdict, Verdict::Refused { .. }));
            let neither = count(|verdict| matches!(verdict, Verdict::DoesNotRetry(_)));
            writeln!(text, "| {name} | {} | {} | {retries} | {refused} | {neither} |", form.name(), verdicts.len())?;
        }
    }
    writeln!(text)
}

fn shapes(text: &mut String, matrix: &Matrix) -> std::fmt::Result {
    for group in matrix.rows.chunk_by(|a, b| a.group == b.group) {
        writeln!(text, "## {}\n", group[0].group)?;
        writeln!(text, "| shape | form |{}", COLUMNS.map(|(name, _)| format!(" {name} |")).concat())?;
        writeln!(text, "|---|---|---|---|---|")?;
        for forms in group.chunk_by(|a, b| a.shape == b.shape) {
            let form = if forms.len() == 2 { "both" } else { forms[0].form.name() };
            let cells = COLUMNS.map(|(_, verdict)| format!(" {} |", cell(forms, verdict)));
            writeln!(text, "| {} | {form} |{}", forms[0].shape, cells.concat())?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// One word if the forms agree, else a word for each.
fn cell(forms: &[Row], verdict: fn(&Row) -> &Verdict) -> String {
    let words: Vec<_> = forms.iter().map(|row| word(verdict(row))).collect();
    match words.as_slice() {
        [first, second] if first != second => {
            format!("{}: {first}; {}: {second}", forms[0].form.name(), forms[1].form.name())
        }
        words => words[0].clone(),
    }
}

fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Retries { with: None } => "retries".to_owned(),
        Verdict::Retries { with: Some(option) } => format!("retries (`{}`)", option.replace('|', "\\|")),
        Verdict::Refused { .. } => "refused".to_owned(),
        Verdict::DoesNotRetry(what) => format!("**does not retry** ({what})"),
    }
}

/// Every message, with the shapes that get it.
fn refusals(text: &mut String, matrix: &Matrix, (name, verdict): &Column) -> std::fmt::Result {
    let mut messages: Vec<(String, Vec<String>)> = Vec::new();
    for row in &matrix.rows {
        let Verdict::Refused { message, token } = verdict(row) else { continue };
        let token = token.trim_end();
        let message = match token {
            _ if token.starts_with("#[") || token.starts_with("::") => format!("{message} (at the attribute)"),
            _ if token.contains("fn f(") => format!("{message} (at the whole function)"),
            _ => format!("{message} (at `{token}`)"),
        };
        let shape = format!("{}, {}, {}", row.group, row.shape, row.form.name());
        match messages.iter_mut().find(|(known, _)| *known == message) {
            Some((_, shapes)) => shapes.push(shape),
            None => messages.push((message, vec![shape])),
        }
    }
    writeln!(text, "## What {name} says when it refuses\n")?;
    for (message, shapes) in messages {
        if shapes.len() > 20 {
            writeln!(text, "- {message}: {} shapes", shapes.len())?;
            continue;
        }
        writeln!(text, "- {message}")?;
        for shape in shapes {
            writeln!(text, "  - {shape}")?;
        }
    }
    writeln!(text)
}

/// The date in UTC: days since 1970, counted off in years and months.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (mut days, mut year) = (seconds / 86_400, 1970);
    let is_leap = |year: u64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}
