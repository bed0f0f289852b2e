//! What a dependency costs while compiling: crates that are written for the purpose, built and thrown away.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Figures, Outcome, printed, root, target};

/// The least of so many rounds counts, in which all take turns.
const ROUNDS: u32 = 4;

pub fn measure(figures: &mut Figures) -> Outcome<()> {
    trees(figures)?;
    clean_builds(figures)
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

/// User seconds of a first build of a small crate.
///
/// Cargo builds what comes from a registry without incremental state. Ours lies in a directory, so it has to be told.
fn clean_builds(figures: &mut Figures) -> Outcome<()> {
    let ours = format!("backoff-core = {{ path = \"{}\" }}", core());
    let mut builds = Vec::new();
    for (name, dependencies) in [
        ("ours", ours.as_str()),
        ("backon", "backon = \"=1.6.0\""),
        ("backon and backon-macros", "backon = \"=1.6.0\"\nbackon-macros = \"=1.0.0\""),
        ("backoff", "backoff = \"=0.4.0\""),
        ("retry", "retry = \"2\""),
        ("tokio-retry2", "tokio-retry2 = { version = \"=0.9.1\", features = [\"jitter\"] }"),
        ("tryhard", "tryhard = \"0.5\""),
        ("retry-policies", "retry-policies = \"=0.5.2\""),
        ("exponential-backoff", "exponential-backoff = \"=2.1.0\""),
    ] {
        let place = write(&format!("clean-{}", name.replace(' ', "-")), dependencies, "")?;
        printed(cargo(&place).arg("fetch"))?;
        builds.push((name, place, Vec::new()));
    }
    for _ in 0..ROUNDS {
        for (_, place, rounds) in &mut builds {
            let built = place.join("target");
            if built.exists() {
                std::fs::remove_dir_all(&built)?;
            }
            rounds.push(
                seconds(cargo(place).arg("build").env("CARGO_TARGET_DIR", &built).env("CARGO_INCREMENTAL", "0"))?.0,
            );
        }
    }
    for (name, _, rounds) in &builds {
        figures.add(format!("clean build/{name}"), least(rounds));
    }
    Ok(())
}

pub fn core() -> String {
    root().join("../backoff-core").display().to_string()
}

/// A crate in the target directory.
pub fn write(name: &str, dependencies: &str, source: &str) -> Outcome<PathBuf> {
    let place = target().join("compile").join(name);
    std::fs::create_dir_all(place.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"measured-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}\n"
    );
    std::fs::write(place.join("Cargo.toml"), manifest)?;
    std::fs::write(place.join("src/lib.rs"), source)?;
    Ok(place)
}

pub fn cargo(place: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(place).env("CARGO_TARGET_DIR", target().join("compile/target"));
    for variable in ["RUSTFLAGS", "CARGO_INCREMENTAL", "CARGO_PROFILE_DEV_DEBUG"] {
        command.env_remove(variable);
    }
    command
}

pub fn touch(place: &Path) -> Outcome<()> {
    let file = place.join("src/lib.rs");
    let source = std::fs::read_to_string(&file)?;
    std::fs::write(file, source)?;
    Ok(())
}

/// User seconds of a command and of all that it started, and what it printed.
pub fn seconds(command: &mut Command) -> Outcome<(f64, String)> {
    let before = children()?;
    let text = printed(command)?;
    Ok((children()? - before, text))
}

/// User seconds of all children that have ended, which Linux tells in hundredths.
fn children() -> Outcome<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after_name.split_whitespace().nth(13).ok_or("no times of children")?.parse()?;
    Ok(ticks / 100.0)
}

pub fn least(rounds: &[f64]) -> f64 {
    rounds.iter().copied().fold(f64::INFINITY, f64::min)
}
