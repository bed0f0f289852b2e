//! Runs one scenario a number of times: `scenario NAME TIMES`; valgrind counts from outside. `scenario --time ROW` takes the
//! time of all candidates of a row, in turns.

use std::time::Instant;

use backoff_benches::{Scenario, scenarios};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--time", row] => time(row),
        [name, times] => {
            let (_, run) = scenarios().find(|(known, _)| known == name).ok_or("no such scenario")?;
            run(times.parse().map_err(|_| "not a number of times")?);
        }
        _ => scenarios().for_each(|(name, _)| println!("{name}")),
    }
    Ok(())
}

/// Prints the median nanoseconds of each candidate. They take turns, so that what disturbs one disturbs all.
fn time(row: &str) {
    const ROUNDS: usize = 31;
    const TIMES: u32 = 20_000;
    let row: Vec<Scenario> = scenarios().filter(|(name, _)| name.split('/').next() == Some(row)).collect();
    let mut rounds = vec![Vec::new(); row.len()];
    for _ in 0..ROUNDS {
        for ((_, run), rounds) in row.iter().zip(&mut rounds) {
            let start = Instant::now();
            run(u64::from(TIMES));
            rounds.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(TIMES));
        }
    }
    for ((name, _), mut rounds) in row.iter().zip(rounds) {
        rounds.sort_by(f64::total_cmp);
        println!("{name}\t{:.2}", rounds[ROUNDS / 2]);
    }
}
