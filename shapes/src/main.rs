//! `cargo run`: measures all shapes, prints the table and writes it. `cargo run -- WORDS` measures only the shapes whose
//! group or name holds the words, prints what happened to each and writes nothing.

use std::env::args;
use std::fs;

use backoff_shapes::{measure, path_of_the_table, table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words = args().skip(1).collect::<Vec<_>>().join(" ");
    let matrix = measure(&words)?;
    if !words.is_empty() {
        for row in &matrix.rows {
            println!("{row:#?}");
        }
        return Ok(());
    }
    let text = table(&matrix);
    print!("{text}");
    fs::write(path_of_the_table(), text)?;
    Ok(())
}
