//! Tables for a terminal.

use console::measure_text_width as width_of;

use crate::report::{Cell, Table};

const GAP: usize = 2;

/// A table in columns, numbers to the right; or, where that is too wide, one block for each row.
///
/// ```
/// use backoff_lab::report::{Cell, Table};
/// let mut table = Table::new("", ["jitter", "peak"]);
/// table.push([Cell::from("none"), Cell::Count(1_000)]);
/// table.push([Cell::from("full"), Cell::Count(86)]);
/// assert_eq!(backoff_lab::table::text(&table, 80), "\
/// jitter   peak
/// none    1,000
/// full       86
/// ");
/// ```
#[must_use]
pub fn text(table: &Table, width: usize) -> String {
    let rows: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(Cell::to_string).collect()).collect();
    let widths: Vec<usize> = table.columns.iter().enumerate().map(|(at, name)| widest(name, at, &rows)).collect();
    let line = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    if line > width { blocks(&table.columns, &rows) } else { columns(table, &rows, &widths) }
}

fn widest(name: &str, column: usize, rows: &[Vec<String>]) -> usize {
    let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| width_of(cell));
    cells.chain([width_of(name)]).max().unwrap_or(0)
}

fn columns(table: &Table, rows: &[Vec<String>], widths: &[usize]) -> String {
    let left: Vec<bool> = (0..widths.len())
        .map(|column| table.rows.iter().filter_map(|row| row.get(column)).any(Cell::is_text))
        .collect();
    let mut text = String::new();
    for row in std::iter::once(&table.columns).chain(rows) {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let room = " ".repeat(widths.get(column).map_or(0, |width| width.saturating_sub(width_of(cell))));
            if column > 0 {
                line.push_str(&" ".repeat(GAP));
            }
            let at_left = left.get(column).copied().unwrap_or(false);
            let (first, second) = if at_left { (cell.as_str(), room.as_str()) } else { (room.as_str(), cell.as_str()) };
            line.push_str(first);
            line.push_str(second);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn blocks(names: &[String], rows: &[Vec<String>]) -> String {
    let widest = names.iter().map(|name| width_of(name)).max().unwrap_or(0);
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        for (name, cell) in names.iter().zip(row) {
            text.extend([name, " ".repeat(widest.saturating_sub(width_of(name)) + GAP).as_str(), cell, "\n"]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::report::{Cell, Table};

    #[test]
    fn a_table_that_is_too_wide_becomes_blocks() {
        let mut table = Table::new("", ["policy", "calls"]);
        table.push([Cell::from("full jitter, budget 3.5s"), Cell::Count(7)]);
        table.push([Cell::from("none"), Cell::Empty]);
        assert_eq!(text(&table, 20), "policy  full jitter, budget 3.5s\ncalls   7\n\npolicy  none\ncalls   -\n");
        assert_eq!(text(&Table::default(), 20), "\n");
    }
}
