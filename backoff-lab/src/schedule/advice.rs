//! Warnings: what a policy will do that its author may not want.

use backoff_core::{FinalSleep, Jitter};

use super::{Level, Schedule, Settings};
use crate::report::{Cell, short};

/// The warnings about all levels and about their nesting.
pub(super) fn warnings(schedule: &Schedule) -> Vec<String> {
    let mut warnings = Vec::new();
    let many = schedule.levels.len() > 1;
    for level in &schedule.levels {
        let about = if many { format!("{}: ", level.named.name) } else { String::new() };
        let found = [
            endless(level),
            capped_below_initial(level),
            never_retried(level, &schedule.settings),
            attempts_out_of_reach(level),
            waves(level, &schedule.settings),
            last_wave(level, &schedule.settings),
        ];
        warnings.extend(found.into_iter().flatten().map(|warning| format!("{about}{warning}")));
    }
    if many {
        warnings.push(nested(schedule));
    }
    warnings
}

fn endless(level: &Level) -> Option<String> {
    let policy = level.named.policy;
    let unbounded = policy.get_budget().is_none() && policy.get_max_attempts().is_none();
    unbounded.then(|| {
        "nothing ends a run that keeps failing: set a budget or `max_attempts`, or hand a deadline down".to_owned()
    })
}

fn capped_below_initial(level: &Level) -> Option<String> {
    let policy = level.named.policy;
    let cap = policy.get_max_delay().filter(|cap| *cap < policy.get_initial())?;
    Some(format!(
        "`max_delay` ({}) is shorter than `initial` ({}), so every delay is {}: if that is meant, set both to the same",
        short(cap),
        short(policy.get_initial()),
        short(cap)
    ))
}

fn never_retried(level: &Level, settings: &Settings) -> Option<String> {
    let policy = level.named.policy;
    if level.attempts.high > 1 {
        return None;
    }
    if policy.get_max_attempts() == Some(1) {
        return Some("nothing is retried: `max_attempts` counts the first attempt, so 2 allows one retry".to_owned());
    }
    let budget = policy.get_budget()?;
    let why = if level.total.low >= budget {
        format!("an attempt takes {}", short(level.total.low.max(settings.operation)))
    } else {
        format!("the first sleep of {} does not fit, and `skip` leaves it out", short(policy.delay(0)))
    };
    Some(format!("the budget of {} allows no second attempt, because {why}: make it longer", short(budget)))
}

fn attempts_out_of_reach(level: &Level) -> Option<String> {
    let most = level.named.policy.get_max_attempts()?;
    (level.attempts.high < most && level.attempts.high > 1 && !level.endless).then(|| {
        format!(
            "`max_attempts = {most}` was never reached: the budget ends a run after {} attempts at most",
            level.attempts.high
        )
    })
}

fn waves(level: &Level, settings: &Settings) -> Option<String> {
    let clients = settings.clients.filter(|clients| *clients > 1)?;
    (level.named.policy.get_jitter() == Jitter::None && level.attempts.high > 1).then(|| {
        format!("{clients} clients that fail together come back together, at every retry: spread them with `jitter = \"full\"`")
    })
}

fn last_wave(level: &Level, settings: &Settings) -> Option<String> {
    let clients = settings.clients.filter(|clients| *clients > 1)?;
    let policy = level.named.policy;
    let trims = policy.get_final_sleep() == FinalSleep::Trim && policy.get_budget().is_some();
    (trims && policy.get_jitter() != Jitter::None && level.attempts.high > 1).then(|| {
        format!(
            "`trim` brings the {clients} clients together again at the end of the budget: leave `final_sleep` out, and jitter \
             spreads the last sleep as well"
        )
    })
}

fn nested(schedule: &Schedule) -> String {
    let factors: Vec<_> = schedule.levels.iter().map(|level| level.most_alone.to_string()).collect();
    let endless = schedule.levels.iter().any(|level| level.endless);
    format!(
        "nested retries multiply: where attempts fail at once, one call comes to {} = {}{} attempts of the operation; retry \
         at one level only, or let the inner one end with the outer (`propagate`)",
        factors.join(" x "),
        Cell::Count(schedule.product()),
        if endless { " and more" } else { "" }
    )
}
