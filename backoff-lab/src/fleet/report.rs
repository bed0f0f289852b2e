//! A judgement as a text: every condition that was tried, the bad ones too.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use super::bars::{Figures, Judgement};
use super::conditions::Kind;
use super::record::contended;
use super::scenario::{Load, Scenario, ScenarioError};
use super::simulation::simulate;
use super::strategy::Strategy;

/// The reasoning that stands before the figures of [`judged`].
pub const REASONING: &str = include_str!("report/reasoning.md");

/// The strategies side by side in one scenario, as a table in Markdown.
///
/// # Errors
///
/// If the scenario can't be simulated.
///
/// ```
/// use backoff_lab::fleet::{Scenario, report};
/// let table = report::compared(&Scenario { processes: 2, ..Scenario::herd() }, 1)?;
/// assert!(table.contains("| full jitter + retry budget |"));
/// # Ok::<(), backoff_lab::fleet::ScenarioError>(())
/// ```
pub fn compared(scenario: &Scenario, seed: u64) -> Result<String, ScenarioError> {
    let is_herd = matches!(scenario.load, Load::Herd { .. });
    let mut text = String::from(if is_herd {
        "| strategy | served | calls per request | peak / capacity | 99 % served, s | all, / optimum |\n|---|--:|--:|--:|--:|--:|\n"
    } else {
        "| strategy | served | calls per request | new traffic whole again, s | worst second | p99, s |\n|---|--:|--:|--:|--:|--:|\n"
    });
    for strategy in Strategy::all(scenario) {
        let outcome = simulate(scenario, &strategy, seed)?;
        let figures = Figures::from(&outcome);
        let start = format!("| {} | {} | {:.2} |", strategy.name, percent(figures.served), figures.calls);
        let _ = if is_herd {
            let all = outcome.times_optimum().map_or_else(|| "never".into(), |times| format!("{times:.2}"));
            writeln!(text, "{start} {:.1} | {} | {all} |", figures.peak, since(figures.served_99))
        } else {
            let whole = since(figures.whole_again);
            writeln!(text, "{start} {whole} | {} | {} |", percent(figures.worst_second), seconds(figures.p99))
        };
    }
    Ok(text)
}

/// Calls of one process that contend for one record, with full jitter and under the preset, as a table in Markdown: the
/// mean of 40 simulations.
///
/// `serial` is the shortest time there is: one change in each round trip of a read and a write.
#[must_use]
pub fn contention() -> String {
    const REPEATS: u32 = 40;
    const ROUND_TRIP: f64 = 0.02;
    let mut text = String::from(
        "| calls at once | full jitter: calls | time / serial | preset: calls | time / serial |\n|--:|--:|--:|--:|--:|\n",
    );
    for clients in [10, 50, 100, 190] {
        let _ = write!(text, "| {clients} |");
        for lined in [false, true] {
            let runs = || (0..REPEATS).map(|seed| contended(clients, lined, seed.into()));
            let calls: f64 = runs().map(|run| run.calls).sum();
            let time: f64 = runs().map(|run| run.time.as_secs_f64()).sum();
            let serial = f64::from(clients) * ROUND_TRIP;
            let _ = write!(text, " {:.2} | {:.2} |", calls / f64::from(REPEATS), time / f64::from(REPEATS) / serial);
        }
        text.push('\n');
    }
    text
}

/// The judgements as Markdown: first which bars hold how often, then each condition.
#[must_use]
pub fn judged(judgements: &[Judgement]) -> String {
    let mut text = String::from("| expected | of | holds in | of |\n|---|---|--:|--:|\n");
    for ((kind, bar), (holds, of)) in counted(judgements) {
        let _ = writeln!(text, "| {bar} | {} | {holds} | {of} |", title(kind));
    }
    for kind in [Kind::Traffic, Kind::Variation, Kind::Beyond, Kind::Calm, Kind::Herd, Kind::Lone] {
        let rows: Vec<_> = judgements.iter().filter(|judgement| judgement.condition.kind == kind).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = write!(text, "\n### {}\n\n{}", title(kind), if is_herd(kind) { HERD_HEAD } else { TRAFFIC_HEAD });
        for row in rows {
            text.push_str(&if is_herd(kind) { herd(row) } else { traffic(row) });
        }
    }
    text
}

const TRAFFIC_HEAD: &str = "| condition | served: full jitter | budget | preset | calls: budget | preset | whole again, s: \
    full jitter | budget | preset | worst second | p99, s: full jitter | preset | fails |\n\
    |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n";

const HERD_HEAD: &str = "| condition | calls: full jitter | preset | peak: full jitter | preset | 99 % served, s: full jitter \
    | preset | served by the budget | fails |\n|---|--:|--:|--:|--:|--:|--:|--:|---|\n";

fn traffic(row: &Judgement) -> String {
    let Judgement { condition, full, budget, judged, .. } = row;
    format!(
        "| {} | {} | {} | {} | {:.2} | {:.2} | {} | {} | {} | {} | {} | {} | {} |\n",
        condition.name,
        percent(full.served),
        percent(budget.served),
        percent(judged.served),
        budget.calls,
        judged.calls,
        since(full.whole_again),
        since(budget.whole_again),
        since(judged.whole_again),
        percent(judged.worst_second),
        seconds(full.p99),
        seconds(judged.p99),
        failures(row),
    )
}

fn herd(row: &Judgement) -> String {
    let Judgement { condition, full, budget, judged, .. } = row;
    format!(
        "| {} | {:.2} | {:.2} | {:.1} | {:.1} | {} | {} | {} | {} |\n",
        condition.name,
        full.calls,
        judged.calls,
        full.peak,
        judged.peak,
        since(full.served_99),
        since(judged.served_99),
        percent(budget.served),
        failures(row),
    )
}

/// For each bar of each kind, in how many conditions it holds, and of how many.
fn counted(judgements: &[Judgement]) -> BTreeMap<(Kind, &'static str), (u32, u32)> {
    let mut counts = BTreeMap::new();
    for judgement in judgements {
        for bar in &judgement.bars {
            let (holds, of) = counts.entry((judgement.condition.kind, bar.name)).or_insert((0, 0));
            *holds += u32::from(bar.holds);
            *of += 1;
        }
    }
    counts
}

fn failures(row: &Judgement) -> String {
    let failed: Vec<_> = row.bars.iter().filter(|bar| !bar.holds).map(|bar| bar.name).collect();
    failed.join("; ")
}

const fn is_herd(kind: Kind) -> bool {
    matches!(kind, Kind::Herd | Kind::Lone)
}

const fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Traffic => "traffic with an outage",
        Kind::Variation => "the same in another model",
        Kind::Beyond => "more processes than promised",
        Kind::Calm => "traffic without an outage",
        Kind::Herd => "a herd",
        Kind::Lone => "clients that share no process, or few do",
    }
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.1 { format!("{seconds:.3}") } else { format!("{seconds:.1}") }
}

fn since(time: Option<Duration>) -> String {
    time.map_or_else(|| "never".into(), |time| format!("{:.1}", time.as_secs_f64()))
}
