//! What was aimed at, and what came out.

use crate::Figures;

/// A label, a figure and its limit.
type Part = (&'static str, Option<f64>, f64);

/// One line of the table: what, the target in words, the figure, and whether that is good enough.
pub struct Target {
    pub what: &'static str,
    pub aim: &'static str,
    /// Each with its limit: all have to be met. What is only shown for comparison has none.
    figures: fn(&Figures) -> Vec<Part>,
}

impl Target {
    /// The figures as text, and whether all are met.
    pub fn result(&self, figures: &Figures) -> (String, bool) {
        let parts = (self.figures)(figures);
        let is_met = parts.iter().all(|(_, figure, limit)| figure.is_some_and(|figure| figure <= *limit));
        let text = parts.iter().map(|(name, figure, _)| match figure {
            Some(figure) if figure.fract() == 0.0 => format!("{name}{figure:.0}"),
            Some(figure) => format!("{name}{figure:.2}"),
            None => format!("{name}not measured"),
        });
        (text.collect::<Vec<_>>().join(", "), is_met)
    }
}

macro_rules! target {
    ($what:literal, $aim:literal, |$f:ident| [$($figure:expr),+ $(,)?]) => {
        Target { what: $what, aim: $aim, figures: |$f| vec![$($figure),+] }
    };
}

pub const TARGETS: &[Target] = &[
    target!("blocking, success at once, attempts bounded: instructions", "<= 0.92 of the hand-written loop", |f| [
        ("8 bytes ", f.ratio("release/blocking, 8 bytes/attribute", "release/blocking, 8 bytes/hand-written"), 0.92),
        (
            "256 bytes ",
            f.ratio("release/blocking, 256 bytes/attribute", "release/blocking, 256 bytes/hand-written"),
            0.92
        ),
    ]),
    target!("the same, above the bare call", "<= 2 instructions, 0 where the operation inlines", |f| [
        ("called ", above(f, "blocking, called"), 2.0),
        ("inlined ", above(f, "blocking, inlined"), 0.0),
    ]),
    target!("the same with a time budget", "<= 1.00", |f| [(
        "",
        f.ratio("release/blocking, budget/attribute", "release/blocking, budget/hand-written"),
        1.0
    ),]),
    target!("async, success at once: instructions", "<= 1.05", |f| [(
        "",
        f.ratio("release/async, 8 bytes/attribute", "release/async, 8 bytes/hand-written"),
        1.05
    ),]),
    target!("future on tokio: bytes for an operation of 8, 88, 1,024", "<= 136, 136, 1,064", |f| [
        ("", f.get("future/attribute/8"), 136.0),
        ("", f.get("future/attribute/88"), 136.0),
        ("", f.get("future/attribute/1024"), 1_064.0),
    ]),
    target!("ten failures, then success: instructions for each retry", "<= 0.6", |f| [
        ("", retries(f, "ten failures", "hand-written"), 0.6),
        ("of the best spelling ", retries(f, "ten failures", "hand-written, best"), f64::INFINITY),
    ]),
    target!("one delay with full jitter: instructions", "<= 0.6 of a loop on fastrand", |f| [
        ("", f.ratio("release/one delay/ours", "release/one delay/hand-written"), 0.6),
        (
            "of the best spelling ",
            f.ratio("release/one delay/ours", "release/one delay/hand-written, best"),
            f64::INFINITY
        ),
    ]),
    target!("allocations, first try and retries", "0", |f| [
        ("blocking ", f.get("allocations/blocking, 8 bytes/attribute"), 0.0),
        ("async ", f.get("allocations/async, 8 bytes/attribute"), 0.0),
        ("retries ", f.get("allocations/ten failures/attribute"), 0.0),
    ]),
    target!("closed breaker, check: instructions above an empty call", "<= 5", |f| [(
        "",
        less(f, "breaker", "check"),
        5.0
    ),]),
    target!("closed breaker, check: time at 2 threads to 1", "flat, <= 1.1", |f| [(
        "",
        f.ratio("threads/breaker/2", "threads/breaker/1"),
        1.1
    ),]),
    target!("retry budget, success at full, withdraw: instructions above an empty call", "<= 8, <= 12", |f| [
        ("", less(f, "retry budget, success", "ours"), 8.0),
        ("", less(f, "retry budget, withdraw", "ours"), 12.0),
    ]),
    target!("pacer check without the clock: instructions", "<= 30", |f| [("", f.get("release/pacer/ours"), 30.0)]),
    target!("pacer check: time at 1 and 2 threads", "<= 0.75 of governor", |f| [
        ("", f.ratio("threads/pacer/1", "threads/governor/1"), 0.75),
        ("", f.ratio("threads/pacer/2", "threads/governor/2"), 0.75),
    ]),
    target!("end of a budget, past budget and operation: ms, median", "<= 0.3", |f| [
        ("", f.get("overrun/200 ms, operation 0 ms/ours"), 0.3),
        ("", f.get("overrun/200 ms, operation 30 ms/ours"), 0.3),
        ("", f.get("overrun/1000 ms, operation 30 ms/ours"), 0.3),
    ]),
    target!("crates in the tree: engine alone, default features", "<= 2, <= 11", |f| [
        ("", f.get("crates/engine alone"), 2.0),
        ("", f.get("crates/default features"), 11.0),
    ]),
    target!("clean build, default features: user seconds", "<= 0.7 of backon and backon-macros", |f| [(
        "",
        f.ratio("clean build/ours", "clean build/backon and backon-macros"),
        0.7
    ),]),
    target!("1,000 annotated functions, `cargo check`", "<= 1.2 of 1,000 hand-written loops", |f| [
        ("blocking ", f.ratio("check/blocking/attribute", "check/blocking/hand-written"), 1.2),
        ("async ", f.ratio("check/async/attribute", "check/async/hand-written"), 1.2),
    ]),
    target!("dev build for each annotation over a plain function: ms", "<= 1.8 blocking, <= 8.5 async", |f| [
        ("", over_plain(f, "blocking", "attribute"), 1.8),
        ("", over_plain(f, "async", "attribute"), 8.5),
    ]),
    target!("expansion of one function, debug build of the macro: ms", "<= 0.3", |f| [(
        "",
        f.get("expansion/blocking/attribute").zip(f.get("expansion/blocking/plain")).map(|(ours, plain)| ours - plain),
        0.3
    ),]),
    target!("1,000,000 waiting runs: bytes for each beyond a hand-written loop", "<= 32", |f| [
        ("", f.get("waiting/attribute").zip(f.get("waiting/hand-written")).map(|(ours, hand)| ours - hand), 32.0),
        (
            "budget ",
            f.get("waiting/attribute, budget").zip(f.get("waiting/hand-written")).map(|(ours, hand)| ours - hand),
            32.0
        ),
    ]),
];

fn above(figures: &Figures, row: &str) -> Option<f64> {
    Some(figures.get(&format!("release/{row}/attribute"))? - figures.get(&format!("release/{row}/bare call"))?)
}

/// What a scenario takes apart from calling a function and going round.
fn less(figures: &Figures, row: &str, candidate: &str) -> Option<f64> {
    Some(figures.get(&format!("release/{row}/{candidate}"))? - figures.get(&format!("release/{row}/empty call"))?)
}

/// Ten retries are a run with ten failures less the calls of the operation.
fn retries(figures: &Figures, row: &str, hand: &str) -> Option<f64> {
    let bare = figures.get("release/ten failures/bare call")?;
    let of = |name: &str| Some(figures.get(&format!("release/{row}/{name}"))? - bare);
    Some(of("attribute")? / of(hand)?)
}

fn over_plain(figures: &Figures, colour: &str, kind: &str) -> Option<f64> {
    Some(figures.get(&format!("dev build/{colour}/{kind}"))? - figures.get(&format!("dev build/{colour}/plain"))?)
}
