//! How the preset for fleets was chosen, and how it is judged.
//!
//! ```sh
//! cargo run --release -p backoff-lab --example fleet_search -- choose                            # a few minutes
//! cargo run --release -p backoff-lab --example fleet_search -- judge > backoff-lab/FLEET.md      # some minutes more
//! ```

use std::error::Error;
use std::time::Duration;

use backoff_lab::fleet::bars::{Judgement, judge};
use backoff_lab::fleet::conditions::{Condition, choosing, judging};
use backoff_lab::fleet::{Budget, Guard, Line, Scenario, Server, Strategy, report};

const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("choose") => choose(),
        Some("judge") => print_judgement(),
        _ => Err("say `choose` or `judge`".into()),
    }
}

/// Settings side by side on the conditions for choosing.
fn choose() -> Result<(), Box<dyn Error>> {
    let patient = Line::DEFAULT.patience;
    for (share, patience, budget) in [
        (30, patient, true),
        (40, patient, true),
        (50, patient, true),
        (100, patient, true),
        (50, Duration::from_secs(2), true),
        (50, patient, false),
    ] {
        let guard = Guard::Queue(Line { share, patience }, budget.then_some(Budget::DEFAULT));
        let judgements = judged(&choosing(), |scenario| Strategy::full(scenario).guard(guard))?;
        println!("## share {share} / 1000, patience {patience:?}, budget first: {budget}\n");
        println!("{}", report::judged(&judgements));
    }
    Ok(())
}

/// The report: reasoning, comparison, and all conditions for judging.
fn print_judgement() -> Result<(), Box<dyn Error>> {
    let hot = Scenario::traffic(0.9);
    let hot = Scenario { server: Server { refusal_cost: 0.4, ..hot.server }, ..hot };
    println!("{}", report::REASONING);
    println!("## All strategies side by side\n");
    println!("A herd: 1,000 processes of 100 calls, all refused at time zero; the server is out for 2 s.\n");
    println!("{}", report::compared(&Scenario::herd(), SEED)?);
    println!("Traffic: 1,000 processes, 90 % load, a refusal costs 40 % of what serving costs, out for 2 s.\n");
    println!("{}", report::compared(&hot, SEED)?);
    println!("The same at 70 % load, with refusals at 10 %.\n");
    println!("{}", report::compared(&Scenario::traffic(0.7), SEED)?);
    println!("Calls of one process that contend for one record.\n");
    println!("{}", report::contention());
    println!("## Where it was chosen\n");
    println!("{}", report::judged(&judged(&choosing(), Strategy::preset)?));
    println!("## Where it is judged\n");
    print!("{}", report::judged(&judged(&judging(), Strategy::preset)?));
    Ok(())
}

fn judged(
    conditions: &[Condition],
    strategy: impl Fn(&Scenario) -> Strategy,
) -> Result<Vec<Judgement>, Box<dyn Error>> {
    let mut judgements = Vec::new();
    for condition in conditions {
        judgements.push(judge(condition, &strategy(&condition.scenario), SEED)?);
        eprint!("\r{} of {}: {:<80.80}", judgements.len(), conditions.len(), condition.name);
    }
    eprintln!();
    Ok(judgements)
}
