//! What the attribute costs while compiling: crates that are written for the purpose, built and thrown away.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Figures, Outcome, printed, root, target};

/// A crate of a thousand functions, each like this.
struct Kind {
    name: &'static str,
    dependencies: &'static str,
    attribute: &'static str,
    body: &'static str,
    /// What stands around each function.
    around: Option<&'static str>,
}

const FUNCTIONS: u32 = 1_000;

/// The least of so many rounds counts. What has a target is measured more often: user seconds differ from round to round.
const ROUNDS: u32 = 4;

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
}

pub fn measure(figures: &mut Figures) -> Outcome<()> {
    trees(figures)?;
    clean_builds(figures)?;
    for (colour, asynchronous) in [("blocking", false), ("async", true)] {
        for kind in KINDS.iter().filter(|kind| asynchronous || kind.around.is_none()) {
            functions(figures, kind, colour, asynchronous)?;
            figures.keep(&crate::kept())?;
        }
    }
    Ok(())
}

/// Crates in the tree of a dependency.
fn trees(figures: &mut Figures) -> Outcome<()> {
    let core = core();
    for (name, dependency) in [
        ("engine alone", format!("backoff-core = {{ path = \"{core}\", default-features = false }}")),
        ("default features", format!("backoff-core = {{ path = \"{core}\" }}")),
        ("exponential-backoff", "exponential-backoff = \"=2.1.0\"".into()),
        ("retry-policies", "retry-policies = \"=0.5.2\"".into()),
        ("backon", "backon = \"=1.6.0\"".into()),
        ("backon and backon-macros", "backon = \"=1.6.0\"\nbackon-macros = \"=1.0.0\"".into()),
    ] {
        let place = write("tree", &dependency, "")?;
        let tree = printed(
            Command::new("cargo").args(["tree", "--edges=normal", "--prefix=none", "--quiet"]).current_dir(&place),
        )?;
        let crates: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
        #[expect(clippy::cast_precision_loss, reason = "a few crates")]
        figures.add(format!("crates/{name}"), crates.iter().filter(|name| !name.is_empty()).count() as f64 - 1.0);
    }
    Ok(())
}

/// User seconds of a first build.
fn clean_builds(figures: &mut Figures) -> Outcome<()> {
    let ours = format!("backoff-core = {{ path = \"{}\" }}", core());
    for (name, dependencies) in
        [("ours", ours.as_str()), ("backon and backon-macros", "backon = \"=1.6.0\"\nbackon-macros = \"=1.0.0\"")]
    {
        let place = write("clean", dependencies, "")?;
        printed(cargo(&place).arg("fetch"))?;
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            printed(cargo(&place).arg("clean"))?;
            rounds.push(seconds(cargo(&place).arg("build"))?);
        }
        figures.add(format!("clean build/{name}"), least(&rounds));
    }
    Ok(())
}

/// User milliseconds for each function: `cargo check`, a development build, and the expansion of macros alone.
fn functions(figures: &mut Figures, kind: &Kind, colour: &str, asynchronous: bool) -> Outcome<()> {
    let place = write("functions", &kind.dependencies.replace("CORE", &core()), &source(kind, asynchronous))?;
    for (what, verb) in [("check", "check"), ("dev build", "build")] {
        printed(cargo(&place).arg(verb))?;
        let mut rounds = Vec::new();
        for _ in 0..kind.rounds() {
            touch(&place)?;
            rounds.push(seconds(cargo(&place).arg(verb).env("CARGO_INCREMENTAL", "0"))?);
        }
        figures.add(format!("{what}/{colour}/{}", kind.name), least(&rounds));
    }
    let mut rounds = Vec::new();
    for _ in 0..kind.rounds() {
        touch(&place)?;
        let text =
            printed(cargo(&place).args(["rustc", "--profile=dev", "--", "-Ztime-passes"]).env("RUSTC_BOOTSTRAP", "1"))?;
        let line = text.lines().find(|line| line.ends_with("macro_expand_crate")).ok_or("no time of the expansion")?;
        let number = line.split(';').next().and_then(|time| time.split(':').nth(1)).ok_or("no time in the line")?;
        rounds.push(number.trim().parse()?);
    }
    figures.add(format!("expansion/{colour}/{}", kind.name), least(&rounds));
    Ok(())
}

fn source(kind: &Kind, asynchronous: bool) -> String {
    let (keyword, sleep, wait) =
        if asynchronous { ("async fn", "tokio::time::sleep", ".await") } else { ("fn", "std::thread::sleep", "") };
    let mut source = String::from(
        "#[derive(Debug)] pub struct Failure(pub u32);\n\
         impl std::fmt::Display for Failure { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { self.0.fmt(f) } }\n\
         #[inline(never)] pub fn operation(state: &u32, number: u32) -> Result<u32, Failure> \
         { if *state == number { Err(Failure(number)) } else { Ok(*state) } }\n",
    );
    for number in 0..FUNCTIONS {
        let mut body = kind.body.replace("SLEEP", sleep).replace("AWAIT", wait);
        if asynchronous && kind.name == "hand-written" {
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

fn core() -> String {
    root().join("../backoff-core").display().to_string()
}

/// A crate in the target directory. Each kind has a place of its own, so that all share what they depend on.
fn write(name: &str, dependencies: &str, source: &str) -> Outcome<PathBuf> {
    let place = target().join("compile").join(name);
    std::fs::create_dir_all(place.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"measured-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}\n"
    );
    std::fs::write(place.join("Cargo.toml"), manifest)?;
    std::fs::write(place.join("src/lib.rs"), source)?;
    Ok(place)
}

fn cargo(place: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(place).env("CARGO_TARGET_DIR", place.join("target")).env_remove("RUSTFLAGS");
    command
}

fn touch(place: &Path) -> Outcome<()> {
    let file = place.join("src/lib.rs");
    let source = std::fs::read_to_string(&file)?;
    std::fs::write(file, source)?;
    Ok(())
}

/// User seconds of a command and of all that it started.
fn seconds(command: &mut Command) -> Outcome<f64> {
    let before = children()?;
    printed(command)?;
    Ok(children()? - before)
}

/// User seconds of all children that have ended, which Linux tells in hundredths.
fn children() -> Outcome<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after_name.split_whitespace().nth(13).ok_or("no times of children")?.parse()?;
    Ok(ticks / 100.0)
}

fn least(rounds: &[f64]) -> f64 {
    rounds.iter().copied().fold(f64::INFINITY, f64::min)
}
