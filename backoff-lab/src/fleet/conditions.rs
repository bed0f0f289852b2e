//! The conditions that settings are chosen on, and those that they are judged on: two lists without a common member,
//! written down before anything was chosen. What was added later says so.

use std::time::Duration;

use super::scenario::{Load, Scenario, Server};

/// A scenario with a name, and what is expected of a strategy there.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What is special about it, in a few words.
    pub name: String,
    /// Which bars apply.
    pub kind: Kind,
    /// The world.
    pub scenario: Scenario,
}

/// What a condition tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An outage under live traffic.
    Traffic,
    /// The same where the model itself is another: unequal processes, dishonest refusals, errors by chance, a line at the
    /// server.
    Variation,
    /// The plain model with more processes than anything is promised for.
    Beyond,
    /// A crowd that failed together, with 33 calls or more in each process.
    Herd,
    /// The same with fewer calls in each process, down to one.
    Lone,
    /// Traffic without any outage; with short bursts, or with errors by chance, some of it fails all the same.
    Calm,
}

/// Where settings may be tried as often as one likes.
#[must_use]
pub fn choosing() -> Vec<Condition> {
    let mut list = Vec::new();
    for (processes, load, cost, outage) in [
        // The scenario that this began with.
        (1_000, 0.9, 0.4, 2_000),
        (1_000, 0.7, 0.1, 2_000),
        (150, 0.65, 0.05, 1_000),
        (150, 0.85, 0.45, 4_000),
        (150, 0.93, 0.3, 1_500),
        (500, 0.75, 0.3, 8_000),
        (500, 0.93, 0.45, 4_000),
        (2_000, 0.65, 0.45, 3_000),
        (2_000, 0.85, 0.15, 700),
        (2_000, 0.93, 0.3, 8_000),
        (8_000, 0.65, 0.3, 4_000),
        (8_000, 0.85, 0.45, 1_500),
        (8_000, 0.93, 0.05, 3_000),
        (8_000, 0.93, 0.45, 7_000),
        // Added later, and like all others none that is judged on.
        (120, 0.95, 0.45, 1_000),
        (700, 0.95, 0.35, 2_500),
        (5_000, 0.95, 0.15, 1_200),
    ] {
        list.push(traffic(processes, load, cost, outage));
    }
    for (name, variation) in [
        ("skew 0.8", Variation { skew: 0.8, ..Variation::NONE }),
        ("dishonest 20 %", Variation { dishonest: 0.2, ..Variation::NONE }),
        ("line of 500 at the server", Variation { queue: Some(500.0), ..Variation::NONE }),
        // Added later.
        ("errors 0.4 %", Variation { errors: 0.004, ..Variation::NONE }),
        ("errors 5 %", Variation { errors: 0.05, ..Variation::NONE }),
    ] {
        list.push(varied(name, variation, 800, 0.88, 0.35, 2_500));
    }
    for (processes, tasks, cost, outage) in
        [(1_000, 100, 0.0, 2_000), (200, 250, 0.3, 4_000), (1_500, 40, 0.15, 700), (5_000, 40, 0.0, 3_000)]
    {
        list.push(herd(processes, tasks, cost, outage));
    }
    for (processes, tasks, cost, outage) in [(50_000, 1, 0.0, 1_500), (20_000, 4, 0.2, 3_000)] {
        list.push(herd(processes, tasks, cost, outage));
    }
    list.extend([calm(500, 0.85, 200.0), calm(5_000, 0.93, 200.0)]);
    // Added later: traffic that is refused now and then without any outage, because the server has no reserve.
    list.extend([calm(500, 0.85, 15.0), calm(5_000, 0.93, 15.0)]);
    list.push(failing(500, 0.75, 0.05));
    list
}

/// Where settings are judged, once they are chosen. Nothing is ever tuned on these.
#[must_use]
pub fn judging() -> Vec<Condition> {
    let mut list = Vec::new();
    for processes in [100, 300, 3_000, 10_000] {
        for load in [0.6, 0.8, 0.9, 0.95] {
            for cost in [0.0, 0.2, 0.5] {
                for outage in [500, 2_000, 10_000] {
                    list.push(traffic(processes, load, cost, outage));
                }
            }
        }
    }
    // The aim is set at a thousand processes and 90 %.
    for cost in [0.0, 0.1, 0.2, 0.3, 0.5] {
        for outage in [500, 1_000, 2_000, 3_000, 5_000, 10_000] {
            list.push(traffic(1_000, 0.9, cost, outage));
        }
    }
    for processes in [100, 1_000, 10_000] {
        for (name, variation) in [
            ("skew 0.5", Variation { skew: 0.5, ..Variation::NONE }),
            ("skew 1.1", Variation { skew: 1.1, ..Variation::NONE }),
            ("dishonest 10 %", Variation { dishonest: 0.1, ..Variation::NONE }),
            ("dishonest 50 %", Variation { dishonest: 0.5, ..Variation::NONE }),
            ("line of 200 at the server", Variation { queue: Some(200.0), ..Variation::NONE }),
            ("line of 2,000 at the server", Variation { queue: Some(2_000.0), ..Variation::NONE }),
            (
                "skew 1.1, dishonest 10 %, line of 2,000",
                Variation { skew: 1.1, dishonest: 0.1, errors: 0.0, queue: Some(2_000.0) },
            ),
            // Added after the first judging.
            ("errors 0.5 %", Variation { errors: 0.005, ..Variation::NONE }),
            ("errors 3 %", Variation { errors: 0.03, ..Variation::NONE }),
            ("errors 10 %", Variation { errors: 0.1, ..Variation::NONE }),
        ] {
            list.push(varied(name, variation, processes, 0.9, 0.25, 2_000));
        }
    }
    // Beyond what is promised: so many processes that each sees a request in three seconds, or in ten. Added after the first
    // judging.
    for processes in [30_000, 100_000] {
        for outage in [500, 2_000, 10_000] {
            list.push(Condition { kind: Kind::Beyond, ..traffic(processes, 0.9, 0.2, outage) });
        }
    }
    for processes in [100, 300, 1_000, 3_000] {
        for tasks in [33, 120] {
            for (cost, outage) in [(0.0, 500), (0.0, 2_500), (0.0, 10_000), (0.25, 2_500), (0.5, 5_000)] {
                list.push(herd(processes, tasks, cost, outage));
            }
        }
    }
    for (processes, tasks) in [(100_000, 1), (10_000, 1), (30_000, 3), (10_000, 10)] {
        for (cost, outage) in [(0.0, 500), (0.0, 2_500), (0.0, 10_000), (0.25, 2_500)] {
            list.push(herd(processes, tasks, cost, outage));
        }
    }
    for processes in [100, 1_000, 10_000] {
        list.extend([0.6, 0.8, 0.9, 0.95].map(|load| calm(processes, load, 200.0)));
        list.extend([0.6, 0.8, 0.9, 0.95].map(|load| calm(processes, load, 10.0)));
        // Added after the first judging.
        list.extend([0.005, 0.03, 0.1].map(|errors| failing(processes, 0.8, errors)));
    }
    list
}

/// How a scenario departs from the plain model.
#[derive(Clone, Copy)]
struct Variation {
    skew: f64,
    dishonest: f64,
    errors: f64,
    queue: Option<f64>,
}

impl Variation {
    const NONE: Self = Self { skew: 0.0, dishonest: 0.0, errors: 0.0, queue: None };
}

fn traffic(processes: u32, load: f64, refusal_cost: f64, outage: u64) -> Condition {
    let plain = Scenario::traffic(load);
    let server = Server { refusal_cost, outage: Duration::from_millis(outage), ..plain.server };
    let name = format!("{processes} processes, load {load}, refusals at {refusal_cost}, out for {}", seconds(outage));
    Condition { name, kind: Kind::Traffic, scenario: Scenario { processes, server, ..plain } }
}

fn varied(name: &str, variation: Variation, processes: u32, load: f64, cost: f64, outage: u64) -> Condition {
    let Variation { skew, dishonest, errors, queue } = variation;
    let Condition { name: plain, scenario, .. } = traffic(processes, load, cost, outage);
    let burst = queue.unwrap_or(scenario.server.burst);
    let server = Server { dishonest, errors, queue: queue.is_some(), burst, ..scenario.server };
    Condition {
        name: format!("{plain}; {name}"),
        kind: Kind::Variation,
        scenario: Scenario { skew, server, ..scenario },
    }
}

fn herd(processes: u32, tasks: u32, refusal_cost: f64, outage: u64) -> Condition {
    let plain = Scenario::herd();
    let server = Server { refusal_cost, outage: Duration::from_millis(outage), ..plain.server };
    let name = format!("{processes} processes of {tasks}, refusals at {refusal_cost}, out for {}", seconds(outage));
    let kind = if tasks >= 33 { Kind::Herd } else { Kind::Lone };
    Condition { name, kind, scenario: Scenario { processes, load: Load::Herd { tasks }, server, ..plain } }
}

fn calm(processes: u32, load: f64, burst: f64) -> Condition {
    let plain = Scenario::traffic(load);
    let server = Server { outage: Duration::ZERO, refusal_cost: 0.25, burst, ..plain.server };
    let name = format!("{processes} processes, load {load}, no outage, bursts of {burst}");
    Condition { name, kind: Kind::Calm, scenario: Scenario { processes, server, ..plain } }
}

/// Traffic without an outage, and a server that has room but fails now and then.
fn failing(processes: u32, load: f64, errors: f64) -> Condition {
    let Condition { scenario, .. } = calm(processes, load, 200.0);
    let server = Server { errors, ..scenario.server };
    let name = format!("{processes} processes, load {load}, no outage, errors {} %", errors * 100.0);
    Condition { name, kind: Kind::Calm, scenario: Scenario { server, ..scenario } }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of an outage")]
fn seconds(millis: u64) -> String {
    format!("{} s", millis as f64 / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::{choosing, judging};

    #[test]
    fn nothing_is_judged_where_it_was_chosen() {
        let judged = judging();
        for chosen in choosing() {
            assert!(judged.iter().all(|condition| condition.scenario != chosen.scenario), "{}", chosen.name);
        }
        assert!(judged.iter().chain(&choosing()).all(|condition| condition.scenario.check().is_ok()));
    }
}
