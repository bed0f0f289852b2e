//! Random runs, compared with the contract step by step: `cargo run --release -p model -- [runs] [seed]`.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use model::{Case, Driver, Event, compared, expected, shrunk};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| {
        let argument = arguments.next().map(|text| text.replace('_', ""));
        argument.map_or(Ok(default), |text| text.parse())
    };
    let (Ok(runs), Ok(seed)) = (number(1_000_000), number(1)) else {
        eprintln!("usage: model [runs] [seed]");
        return ExitCode::FAILURE;
    };
    // A panic of the engine is a difference like any other.
    std::panic::set_hook(Box::new(|_| {}));
    let (start, stop) = (Instant::now(), AtomicBool::new(false));
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let parts: Vec<_> = thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                scope.spawn({
                    let stop = &stop;
                    move || compare((part..runs).step_by(usize::try_from(threads).unwrap_or(1)), seed, stop)
                })
            })
            .collect();
        parts.into_iter().map(|part| part.join().expect("no panic outside of the engine")).collect()
    });
    let mut sum = Figures::default();
    for part in parts {
        match part {
            Ok(figures) => sum.add(&figures),
            Err(number) => return show(seed, number),
        }
    }
    let Figures { runs, attempts, sleeps, draws, ended, under } = sum;
    println!("{runs} runs, {under} with the engine, agree with the contract in every step (seed {seed})");
    println!("{attempts} attempts, {sleeps} sleeps, {draws} draws in {:.0} s", start.elapsed().as_secs_f64());
    println!("{} ended in success", runs - ended.iter().map(|(_, ended)| ended).sum::<u64>());
    for (reason, ended) in ended {
        println!("{ended} ended because {reason}");
    }
    ExitCode::SUCCESS
}

/// What was compared.
#[derive(Default)]
struct Figures {
    runs: u64,
    under: u64,
    attempts: u64,
    sleeps: u64,
    draws: u64,
    ended: Vec<(String, u64)>,
}

impl Figures {
    fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.under += other.under;
        self.attempts += other.attempts;
        self.sleeps += other.sleeps;
        self.draws += other.draws;
        for (reason, ended) in &other.ended {
            self.end(reason, *ended);
        }
    }

    fn end(&mut self, reason: &str, ended: u64) {
        match self.ended.iter_mut().find(|(known, _)| known == reason) {
            Some((_, sum)) => *sum += ended,
            None => self.ended.push((reason.to_owned(), ended)),
        }
    }
}

fn compare(numbers: impl Iterator<Item = u64>, seed: u64, stop: &AtomicBool) -> Result<Figures, u64> {
    let mut figures = Figures::default();
    for number in numbers {
        let case = Case::random(seed, number);
        let drivers = Driver::two(&case, number);
        if compared(&case, drivers).is_err() {
            stop.store(true, Ordering::Relaxed);
            return Err(number);
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
        figures.runs += 1;
        figures.under += drivers.len() as u64;
        for event in expected(&case) {
            match event {
                Event::Attempt(_) => figures.attempts += 1,
                Event::Retry { .. } => figures.sleeps += 1,
                Event::Draw(_) => figures.draws += 1,
                Event::Failed(end) => figures.end(&end.reason.to_string(), 1),
                _ => {}
            }
        }
    }
    Ok(figures)
}

/// Shows a run that differs, as small as it can be.
fn show(seed: u64, number: u64) -> ExitCode {
    let fails = |case: &Case| compared(case, Driver::all(case)).is_err();
    let case = shrunk(&Case::random(seed, number), fails);
    println!("run {number} of seed {seed} differs; a test for model/tests/runs.rs, as small as it can be:\n\n{case}\n");
    if let Err(difference) = compared(&case, Driver::all(&case)) {
        println!("under {:?}, after {} steps that agree:", difference.driver, difference.same);
        println!("  the contract says {:?}\n  the engine does   {:?}", difference.right, difference.wrong);
    }
    ExitCode::FAILURE
}
