//! Compiles every program with one `cargo build`, runs those that compiled, and judges.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::attribute::Attribute;
use crate::list::groups;
use crate::shape::{Form, Shape};

/// How long a program may run.
const PATIENCE: Duration = Duration::from_secs(20);

/// What an attribute makes of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Three calls, and the right value at the end. `with` is the option that it took, if it took one.
    Retries { with: Option<&'static str> },
    /// Does not compile: the first line of the first error, and the text that it points at.
    Refused { message: String, token: String },
    /// Compiles, and then does something else than it should.
    DoesNotRetry(String),
}

/// A shape in one form, and what each attribute makes of it.
#[derive(Debug)]
pub struct Row {
    pub group: &'static str,
    pub shape: &'static str,
    pub form: Form,
    /// The options that ours was given.
    pub options: &'static str,
    pub ours: Verdict,
    pub backon: Verdict,
    pub retry_if: Verdict,
}

/// Everything that was measured, and with what.
pub struct Matrix {
    pub rows: Vec<Row>,
    /// Names and versions.
    pub crates: Vec<(String, String)>,
    pub toolchain: String,
}

struct Program {
    name: String,
    is_test: bool,
    source: String,
}

/// Measures the shapes whose group or name holds `words`.
///
/// # Errors
/// If the programs can't be written or built, and if a shape is not one: without an attribute it does not compile, or
/// does not fail at the first call.
pub fn measure(words: &str) -> Result<Matrix, Box<dyn std::error::Error>> {
    let groups = groups();
    let mut cases = Vec::new();
    for (group, shapes) in &groups {
        for (index, shape) in shapes.iter().enumerate() {
            if group.contains(words) || shape.name.contains(words) {
                cases.extend(shape.forms.iter().map(|form| (*group, index, shape, *form)));
            }
        }
    }
    let program = |case: &(&str, usize, &Shape, Form), attribute: Attribute| Program {
        name: name(case.0, case.1, case.3, attribute),
        is_test: case.2.is_test(),
        source: case.2.program(case.3, attribute),
    };

    let directory = target_directory().join("shapes");
    let first = [Attribute::Plain, Attribute::Ours, Attribute::Backon, Attribute::RetryIf];
    let programs: Vec<_> = cases.iter().flat_map(|case| first.map(|attribute| program(case, attribute))).collect();
    let verdicts = judge(&directory, "first", &programs)?;
    let found =
        |case: &(&str, usize, &Shape, Form), attribute| verdicts[&name(case.0, case.1, case.3, attribute)].clone();
    let refused: Vec<_> =
        cases.iter().filter(|case| !matches!(found(case, Attribute::Backon), Verdict::Retries { .. })).collect();
    let programs: Vec<_> = refused.iter().map(|case| program(case, Attribute::BackonWithContext)).collect();
    let with_context = judge(&directory, "second", &programs)?;

    let mut rows = Vec::new();
    for case in &cases {
        let (group, index, shape, form) = *case;
        let plain = found(case, Attribute::Plain);
        if !matches!(&plain, Verdict::DoesNotRetry(what) if what == "1 call") {
            return Err(format!("not a shape: {group}, {}, {}: {plain:?}", shape.name, form.name()).into());
        }
        let ours = match found(case, Attribute::Ours) {
            Verdict::Retries { .. } if !shape.options().is_empty() => Verdict::Retries { with: Some(shape.options()) },
            other => other,
        };
        let backon = match with_context.get(&name(group, index, form, Attribute::BackonWithContext)) {
            Some(Verdict::Retries { .. }) => Verdict::Retries { with: Some("context = true") },
            _ => found(case, Attribute::Backon),
        };
        let retry_if = found(case, Attribute::RetryIf);
        rows.push(Row { group, shape: shape.name, form, options: shape.options(), ours, backon, retry_if });
    }
    Ok(Matrix { rows, crates: crates()?, toolchain: toolchain()? })
}

fn name(group: &str, index: usize, form: Form, attribute: Attribute) -> String {
    let group = group.to_lowercase().replace(' ', "_");
    format!("{group}_{index:02}_{}_{}", form.name(), attribute.name())
}

fn target_directory() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| here.join("target"), |path| absolute(&path).unwrap_or(path.into()))
}

/// Builds and runs all programs, as examples and tests of one package.
fn judge(
    directory: &Path,
    package: &str,
    programs: &[Program],
) -> Result<HashMap<String, Verdict>, Box<dyn std::error::Error>> {
    let directory = directory.join(package);
    write(&directory, package, programs)?;
    let output = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["build", "--quiet", "--keep-going", "--examples", "--tests", "--message-format=json"])
        .current_dir(&directory)
        .env("CARGO_TARGET_DIR", target_directory())
        .stderr(Stdio::piped())
        .output()?;
    let mut errors = HashMap::new();
    let mut executables = HashMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line)?;
        let Some(target) = message["target"]["name"].as_str() else { continue };
        if message["message"]["level"] == "error" {
            errors.entry(target.to_owned()).or_insert_with(|| refusal(&message["message"]));
        } else if let Some(executable) = message["executable"].as_str() {
            executables.insert(target.to_owned(), executable.to_owned());
        }
    }
    let mut verdicts = HashMap::new();
    for program in programs {
        let verdict = match (errors.remove(&program.name), executables.get(&program.name)) {
            (Some(refusal), _) => refusal,
            (None, Some(executable)) => run(executable, program.is_test)?,
            (None, None) => {
                let said = String::from_utf8_lossy(&output.stderr);
                return Err(format!("{} was not built: {said}", program.name).into());
            }
        };
        verdicts.insert(program.name.clone(), verdict);
    }
    Ok(verdicts)
}

/// Writes the package. A file that has not changed is left alone, so that it is not built again.
fn write(directory: &Path, package: &str, programs: &[Program]) -> io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let probe = here.join("probe");
    let manifest = fs::read_to_string(probe.join("Cargo.toml"))?;
    let (_, dependencies) = manifest.split_once("[dependencies]\n").unwrap_or_default();
    let core = absolute(here.join("../backoff-core"))?;
    let dependencies = dependencies.replace("../../backoff-core", &core.display().to_string());
    let mut text = format!(
        "[package]\nname = \"{package}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\nautoexamples = false\n\
         autotests = false\n\n[workspace]\n\n[profile.dev]\ndebug = 0\nincremental = false\nstrip = true\n\n\
         [profile.test]\ndebug = 0\nincremental = false\nstrip = true\n\n\
         # The expansion of retry-if asks for a feature of the crate that it is used in.\n\
         [lints.rust]\nunexpected_cfgs = {{ level = \"warn\", check-cfg = ['cfg(feature, values(\"tracing\"))'] }}\n\n\
         [dependencies]\nprobe = {{ path = \"{}\" }}\n{dependencies}\n",
        probe.display()
    );
    fs::create_dir_all(directory.join("src"))?;
    for program in programs {
        let kind = if program.is_test { "test" } else { "example" };
        let path = format!("programs/{}.rs", program.name);
        text += &format!("[[{kind}]]\nname = \"{}\"\npath = \"{path}\"\n\n", program.name);
        write_if_new(&directory.join(path), &program.source)?;
    }
    write_if_new(&directory.join("src/lib.rs"), "")?;
    write_if_new(&directory.join("Cargo.toml"), &text)?;
    fs::copy(here.join("Cargo.lock"), directory.join("Cargo.lock"))?;
    Ok(())
}

fn write_if_new(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}

/// The first line of an error, and the text at its primary span.
fn refusal(message: &Value) -> Verdict {
    let first_line = message["message"].as_str().unwrap_or_default().lines().next().unwrap_or_default();
    let message_text = match message["code"]["code"].as_str() {
        Some(code) => format!("{code}: {}", without_places(first_line)),
        None => without_places(first_line),
    };
    let spans = message["spans"].as_array().map_or(&[][..], Vec::as_slice);
    let token = spans.iter().find(|span| span["is_primary"] == true).and_then(pointed_at).unwrap_or_default();
    Verdict::Refused { message: message_text, token }
}

/// A message without the places in it: `{closure@programs/a.rs:3:1: 3:53}` becomes `{closure}`.
fn without_places(message: &str) -> String {
    let mut parts = message.split("@programs/");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').map_or(part, |(place, _)| &part[place.len()..]))
}

fn pointed_at(span: &Value) -> Option<String> {
    let line = span["text"].get(0)?;
    let at = |key: &str| line[key].as_u64().and_then(|column| usize::try_from(column).ok());
    let (start, end) = (at("highlight_start")?.checked_sub(1)?, at("highlight_end")?.checked_sub(1)?);
    Some(line["text"].as_str()?.chars().skip(start).take(end.checked_sub(start)?).collect())
}

/// Runs a program and counts its calls.
fn run(executable: &str, is_test: bool) -> io::Result<Verdict> {
    let mut command = Command::new(executable);
    if is_test {
        command.arg("--nocapture");
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let started = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if started.elapsed() > PATIENCE => {
                child.kill()?;
                child.wait()?;
                break None;
            }
            None => sleep(Duration::from_millis(1)),
        }
    };
    let mut said = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_string(&mut said)?;
    }
    let calls = said.lines().filter(|line| line.contains("call ")).count();
    let counted = format!("{calls} call{}", if calls == 1 { "" } else { "s" });
    Ok(match status {
        None => Verdict::DoesNotRetry(format!("{counted}, does not end")),
        Some(status) if status.success() && calls == 3 => Verdict::Retries { with: None },
        Some(_) if calls == 3 => Verdict::DoesNotRetry(format!("{counted}, wrong result")),
        Some(_) => Verdict::DoesNotRetry(counted),
    })
}

/// The crates that are compared, with their versions, from the lock file.
fn crates() -> io::Result<Vec<(String, String)>> {
    let lock = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock"))?;
    let version = |name: &str| {
        let (_, rest) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
        Some((name.to_owned(), rest.split_once('"')?.0.to_owned()))
    };
    Ok(["backoff-core", "backon", "backon-macros", "retry-if", "retry-if-macro", "tokio"]
        .into_iter()
        .filter_map(version)
        .collect())
}

fn toolchain() -> io::Result<String> {
    let output = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into())).arg("-vV").output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    Ok(format!("{}, {host}", said.lines().next().unwrap_or_default()))
}
