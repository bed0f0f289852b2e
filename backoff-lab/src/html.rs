//! A report as one HTML file that needs no other.

use crate::Error;
use crate::plot;
use crate::report::{Cell, Report, Table};

const STYLE: &str = include_str!("html/style.css");
/// A picture for a desk, and one for a phone: text that is shrunk with a picture can't be read.
const WIDTHS: [(&str, u16); 2] = [("wide", 860), ("narrow", 360)];

/// One file: text, tables, pictures as SVG, light and dark, for a desk and for a phone.
///
/// ```
/// use backoff_lab::report::Report;
/// let page = backoff_lab::html::page(&Report::new("Retries < 3"))?;
/// assert!(page.contains("<h1>Retries &lt; 3</h1>"));
/// assert!(!page.contains("http"), "nothing is loaded from elsewhere");
/// # Ok::<_, backoff_lab::Error>(())
/// ```
///
/// # Errors
/// When the picture can't be drawn, which would be a defect of this crate.
pub fn page(report: &Report) -> Result<String, Error> {
    let title = escaped(&report.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n"
    );
    for sentence in &report.sentences {
        page.extend(["<p>", &prose(sentence), "</p>\n"]);
    }
    for warning in &report.warnings {
        page.extend(["<p class=\"warning\">", &prose(warning), "</p>\n"]);
    }
    if let Some(figure) = &report.figure {
        for (class, width) in WIDTHS {
            let svg = plot::svg(figure, width)?;
            // The namespace is for files of their own; in HTML it is known.
            let svg = svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
            let name = escaped(&format!("{}: {}", figure.title, figure.caption));
            page.extend([
                "<figure class=\"",
                class,
                "\" role=\"img\" aria-label=\"",
                &name,
                "\">\n",
                &svg,
                "\n</figure>\n",
            ]);
        }
    }
    for table in &report.tables {
        push_table(&mut page, table);
    }
    page.push_str("<footer>Made by backoff-lab on the engine of backoff-core.</footer>\n</main>\n</body>\n</html>\n");
    Ok(page)
}

fn push_table(page: &mut String, table: &Table) {
    page.extend(["<h2>", &escaped(&table.title), "</h2>\n<div class=\"scroll\"><table>\n<tr>"]);
    for (at, name) in table.columns.iter().enumerate() {
        let is_text = table.rows.iter().filter_map(|row| row.get(at)).any(Cell::is_text);
        page.extend([if is_text { "<th class=\"text\">" } else { "<th>" }, &escaped(name), "</th>"]);
    }
    page.push_str("</tr>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for cell in row {
            let open = if cell.is_text() { "<td class=\"text\">" } else { "<td>" };
            page.extend([open, &escaped(&cell.to_string()), "</td>"]);
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

/// Text in which what stands between backticks is code.
fn prose(text: &str) -> String {
    let parts: Vec<_> = escaped(text).split('`').map(str::to_owned).collect();
    let marked = parts.iter().enumerate().map(|(at, part)| {
        let is_code = at % 2 == 1 && at + 1 < parts.len();
        if is_code { format!("<code>{part}</code>") } else { part.clone() }
    });
    marked.collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
