//! Crates of annotated functions, beside the same functions written otherwise.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use crate::compile::{cargo, core, least, seconds, touch, write};
use crate::{Figures, Outcome, printed};

/// A crate of a thousand functions, each like this.
struct Kind {
    name: &'static str,
    dependencies: &'static str,
    attribute: &'static str,
    body: &'static str,
    /// What stands around each function.
    around: Option<&'static str>,
}

/// Enough that what one of them costs is seen.
const MANY: u32 = 1_000;
/// As in a small crate.
const FEW: u32 = 10;

/// The least of so many rounds counts, in which the kinds take turns. What has a target is measured more often: user seconds
/// differ from round to round.
const ROUNDS: u32 = 6;

const BODY: &str = "let step = operation(state, NUMBER)?; if step > 7 { return Err(Failure(step)); } Ok(step + NUMBER)";

/// What the attribute below promises, by hand: a budget that counts the attempts too, full jitter, a last sleep that fits,
/// the failure dropped before the sleep.
const HAND: &str = "let start = std::time::Instant::now(); let mut delay: u64 = 200_000_000; let mut is_last = false; loop { \
    let result = (|| { let step = operation(state, NUMBER)?; if step > 7 { return Err(Failure(step)); } Ok(step + NUMBER) })(); \
    if result.is_ok() || is_last { return result; } \
    let elapsed = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX); \
    let left = 3_500_000_000_u64.saturating_sub(elapsed); if left == 0 { return result; } drop(result); \
    let mut pause = fastrand::u64(0..=delay).max(1_000); \
    if pause >= left { is_last = true; pause = left / 2 + fastrand::u64(0..=left - left / 2); } \
    SLEEP(std::time::Duration::from_nanos(pause))AWAIT; delay = delay.saturating_mul(2); }";

const OURS: &str =
    "backoff-core = { path = \"CORE\", features = [\"tokio\"] }\ntokio = { version = \"1\", features = [\"time\"] }";
const HANDS: &str = "fastrand = \"2\"\ntokio = { version = \"1\", features = [\"time\"] }";
const BACKON: &str =
    "backon = \"=1.6.0\"\nbackon-macros = \"=1.0.0\"\ntokio = { version = \"1\", features = [\"time\"] }";

const KINDS: [Kind; 6] = [
    Kind { name: "plain", dependencies: HANDS, attribute: "", body: BODY, around: None },
    Kind { name: "hand-written", dependencies: HANDS, attribute: "", body: HAND, around: None },
    Kind {
        name: "attribute",
        dependencies: OURS,
        attribute: "#[backoff_core::exponential_backoff(initial = \"200ms\", budget = \"3.5s\", jitter = \"full\")]",
        body: BODY,
        around: None,
    },
    Kind {
        name: "backon-macros",
        dependencies: BACKON,
        attribute: "#[backon_macros::backon(sleep = SLEEP)]",
        body: BODY,
        around: None,
    },
    Kind {
        name: "instrument",
        dependencies: "tracing = \"0.1\"\ntokio = { version = \"1\", features = [\"time\"] }",
        attribute: "#[tracing::instrument(skip_all)]",
        body: BODY,
        around: None,
    },
    Kind {
        name: "async_trait",
        dependencies: "async-trait = \"0.1\"",
        attribute: "",
        body: BODY,
        around: Some("#[async_trait::async_trait] pub trait T"),
    },
];

impl Kind {
    fn rounds(&self) -> u32 {
        if ["plain", "hand-written", "attribute"].contains(&self.name) { ROUNDS } else { 1 }
    }

    /// A crate of so many functions.
    fn place(&self, colour: &Colour, functions: u32) -> Outcome<PathBuf> {
        let dependencies = self.dependencies.replace("CORE", &core());
        write(&format!("{}-{}-{functions}", self.name, colour.name), &dependencies, &source(self, colour, functions))
    }
}

struct Colour {
    name: &'static str,
    keyword: &'static str,
    sleep: &'static str,
    wait: &'static str,
}

const COLOURS: [Colour; 2] = [
    Colour { name: "blocking", keyword: "fn", sleep: "std::thread::sleep", wait: "" },
    Colour { name: "async", keyword: "async fn", sleep: "tokio::time::sleep", wait: ".await" },
];

impl Colour {
    fn is_async(&self) -> bool {
        !self.wait.is_empty()
    }

    fn kinds(&self) -> impl Iterator<Item = &'static Kind> {
        KINDS.iter().filter(|kind| self.is_async() || kind.around.is_none())
    }
}

pub fn measure(figures: &mut Figures) -> Outcome<()> {
    for colour in &COLOURS {
        many(figures, colour)?;
        figures.keep(&crate::kept())?;
    }
    few(figures, &COLOURS[0])
}

/// User seconds of `cargo check` and of a development build, and the expansion of macros alone.
fn many(figures: &mut Figures, colour: &Colour) -> Outcome<()> {
    let mut kinds = Vec::new();
    for kind in colour.kinds() {
        let place = kind.place(colour, MANY)?;
        printed(cargo(&place).arg("check"))?;
        printed(cargo(&place).arg("build"))?;
        kinds.push((kind, place, [Vec::new(), Vec::new(), Vec::new()]));
    }
    for round in 0..ROUNDS {
        for (kind, place, [check, build, expansion]) in &mut kinds {
            if round < kind.rounds() {
                eprintln!("{}, {}: {} of {}", kind.name, colour.name, round + 1, kind.rounds());
                touch(place)?;
                check.push(seconds(whole(cargo(place).arg("check")))?.0);
                touch(place)?;
                let passes = ["rustc", "--profile=dev", "--", "-Ztime-passes"];
                let (user, text) = seconds(whole(cargo(place).args(passes).env("RUSTC_BOOTSTRAP", "1")))?;
                build.push(user);
                expansion.push(expanded(&text)?);
            }
        }
    }
    for (kind, _, rounds) in &kinds {
        for (what, rounds) in ["check", "dev build", "expansion"].iter().zip(rounds) {
            figures.add(format!("{what}/{}/{}", colour.name, kind.name), least(rounds));
        }
    }
    Ok(())
}

/// User seconds of building a small crate again, after one of its functions has changed.
fn few(figures: &mut Figures, colour: &Colour) -> Outcome<()> {
    let mut kinds = Vec::new();
    for kind in colour.kinds() {
        let place = kind.place(colour, FEW)?;
        printed(cargo(&place).arg("build"))?;
        kinds.push((kind, place, Vec::new()));
    }
    for round in 0..ROUNDS {
        for (kind, place, rounds) in &mut kinds {
            let changed = source(kind, colour, FEW).replacen("step > 7", &format!("step > {}", 8 + round), 1);
            std::fs::write(place.join("src/lib.rs"), changed)?;
            rounds.push(seconds(cargo(place).arg("build"))?.0);
        }
    }
    for (kind, _, rounds) in &kinds {
        figures.add(format!("incremental/{}", kind.name), least(rounds));
    }
    Ok(())
}

/// Nothing is taken from an earlier build.
fn whole(command: &mut Command) -> &mut Command {
    command.env("CARGO_INCREMENTAL", "0")
}

/// The seconds of the expansion, from what `-Ztime-passes` prints.
fn expanded(text: &str) -> Outcome<f64> {
    let line = text.lines().find(|line| line.ends_with("macro_expand_crate")).ok_or("no time of the expansion")?;
    let number = line.split(';').next().and_then(|time| time.split(':').nth(1)).ok_or("no time in the line")?;
    Ok(number.trim().parse()?)
}

fn source(kind: &Kind, colour: &Colour, functions: u32) -> String {
    let Colour { keyword, sleep, wait, .. } = colour;
    let mut source = String::from(
        "#[derive(Debug)] pub struct Failure(pub u32);\n\
         impl std::fmt::Display for Failure { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { self.0.fmt(f) } }\n\
         #[inline(never)] pub fn operation(state: &u32, number: u32) -> Result<u32, Failure> \
         { if *state == number { Err(Failure(number)) } else { Ok(*state) } }\n",
    );
    for number in 0..functions {
        let mut body = kind.body.replace("SLEEP", sleep).replace("AWAIT", wait);
        if colour.is_async() && kind.name == "hand-written" {
            body = body.replace("(|| {", "async {").replace("})();", "}.await;");
        }
        let body = body.replace("NUMBER", &number.to_string());
        let attribute = kind.attribute.replace("SLEEP", sleep);
        let (visible, open, close) = match kind.around {
            Some(around) => ("", format!("{around}{number} {{ "), " }"),
            None => ("pub ", String::new(), ""),
        };
        let _ = writeln!(
            source,
            "{open}{attribute}\n{visible}{keyword} f{number}(state: &u32) -> Result<u32, Failure> {{ {body} }}{close}"
        );
    }
    source
}
