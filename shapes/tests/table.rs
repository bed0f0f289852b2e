//! The table is what the harness measures today.

use std::collections::HashSet;
use std::fs;

use backoff_shapes::{Verdict, groups, measure, path_of_the_table, same_but_for_the_date, table};

#[test]
fn the_table_is_up_to_date_and_ours_never_compiles_without_retrying() {
    let matrix = measure("").unwrap();
    for row in &matrix.rows {
        assert!(!matches!(row.ours, Verdict::DoesNotRetry(_)), "{row:#?}");
    }
    let written = fs::read_to_string(path_of_the_table()).unwrap();
    let measured = table(&matrix);
    if written.contains(&matrix.toolchain) {
        assert!(same_but_for_the_date(&written, &measured), "SHAPES.md is out of date, `cargo run` writes it");
    } else {
        println!("SHAPES.md was measured with another toolchain, whose messages may differ: not compared");
    }
}

#[test]
fn no_two_shapes_of_a_group_have_the_same_name() {
    for (group, shapes) in groups() {
        let mut names = HashSet::new();
        for shape in &shapes {
            assert!(names.insert(shape.name), "{group}: {}", shape.name);
        }
    }
}
