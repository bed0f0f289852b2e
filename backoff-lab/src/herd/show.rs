//! A herd as a report.

use std::time::Duration;

use backoff_core::{ExponentialBackoff, Jitter};

use super::{Herd, Wave};
use crate::report::{Axis, Cell, Colour, Figure, Marks, Panel, Report, Series, Table, short};

pub(super) fn report(herd: &Herd) -> Report {
    let settings = &herd.settings;
    let clients = Cell::Count(settings.clients.into());
    let interval = short(settings.interval);
    let mut table = Table::new(
        "Arrivals",
        ["jitter", "final sleep", "attempts", "per client", "peak", "peak at", "of all clients"],
    );
    for wave in &herd.waves {
        let (peak, at) = wave.peak();
        let when = settings.interval.saturating_mul(u32::try_from(at).unwrap_or(u32::MAX));
        table.push([
            Cell::from(wave.policy.get_jitter().word()),
            Cell::from(wave.policy.get_final_sleep().word()),
            Cell::Count(wave.attempts),
            Cell::Number(ratio(wave.attempts, settings.clients.into())),
            Cell::Count(peak),
            Cell::Duration(when),
            Cell::Share(ratio(peak, settings.clients.into())),
        ]);
    }
    Report::new("A herd: clients that failed together come back")
        .sentence(format!("{clients} clients fail at once, and every attempt after that fails too."))
        .sentence(format!(
            "The peak is the most arrivals in {interval}, after the first attempt, in which everyone comes."
        ))
        .table(table)
        .figure(figure(herd))
}

fn figure(herd: &Herd) -> Figure {
    let settings = &herd.settings;
    let last = herd.waves.iter().map(|wave| wave.arrivals.len()).max().unwrap_or(1);
    let end = seconds(settings.interval, last);
    let highest = herd.waves.iter().flat_map(|wave| &wave.arrivals).copied().max().unwrap_or(1);
    let interval = short(settings.interval);
    Figure {
        title: format!("{} clients fail together. When do they come back?", Cell::Count(settings.clients.into())),
        caption: format!("arrivals in {interval} under {}; every attempt fails", described(settings.policy)),
        x: Axis::linear("time since the failure, s", 0.0, end),
        panels: herd.waves.iter().map(|wave| panel(herd, wave, highest)).collect(),
        columns: settings.final_sleeps.len(),
    }
}

fn panel(herd: &Herd, wave: &Wave, highest: u64) -> Panel {
    let interval = herd.settings.interval;
    let points = wave.arrivals.iter().enumerate().map(|(at, count)| (seconds(interval, at), as_float(*count)));
    let jitter = match wave.policy.get_jitter() {
        Jitter::None => "no jitter".to_owned(),
        jitter => format!("{jitter} jitter"),
    };
    Panel {
        title: format!("{jitter}, {}", wave.policy.get_final_sleep()),
        note: format!("peak {}", Cell::Count(wave.peak().0)),
        y: Axis::linear(format!("arrivals in {}", short(interval)), 0.0, as_float(highest)),
        series: vec![Series {
            name: "arrivals".to_owned(),
            colour: Colour::of(wave.policy.get_jitter()),
            marks: Marks::Area(points.collect()),
        }],
        level: None,
    }
}

/// The policy without what is compared.
fn described(policy: ExponentialBackoff) -> String {
    let text = policy.jitter(Jitter::None).to_string();
    let left_out = format!(", {}", policy.jitter(Jitter::None).get_final_sleep());
    text.replacen(", no jitter", "", 1).replacen(&left_out, "", 1)
}

fn seconds(interval: Duration, count: usize) -> f64 {
    interval.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX)).as_secs_f64()
}

fn ratio(part: u64, whole: u64) -> f64 {
    as_float(part) / as_float(whole.max(1))
}

#[expect(clippy::cast_precision_loss, reason = "counts of what is drawn or shared out, far below 2^53")]
fn as_float(count: u64) -> f64 {
    count as f64
}
