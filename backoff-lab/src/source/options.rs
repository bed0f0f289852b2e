//! The options of the attribute that are not fields of a policy.

use backoff_policy::{Field, suggest};

/// What the attribute takes besides the fields of a policy, in the order of its documentation. A test keeps this list
/// equal to the attribute's own.
pub(super) const OTHERS: &[&str] = &[
    "when",
    "until",
    "hint",
    "exhausted",
    "on_retry",
    "on_give_up",
    "on_success",
    "clone",
    "attempt",
    "policy",
    "waiter",
    "deadline",
    "propagate",
    "spans",
    "attempt_timeout",
    "breaker",
    "pacer",
    "retry_budget",
    "retry_queue",
    "name",
    "crate",
];

/// The field of a policy of that name; `attempt_timeout` is not one.
pub(super) fn field(name: &str) -> Option<Field> {
    Field::from_name(name).filter(|field| *field != Field::AttemptTimeout)
}

/// The sentence of the attribute about a name that is not an option.
pub(super) fn unknown(name: &str) -> String {
    let names: Vec<_> = Field::POLICY.iter().chain(OTHERS).copied().collect();
    if let Some(meant) = suggest::nearest(name, &names) {
        return format!("unknown option `{name}`; did you mean `{meant}`?");
    }
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("unknown option `{name}`; the options are {}", quoted.join(", "))
}

/// What is said about an option that is left out here.
pub(super) fn note(name: &str) -> String {
    match name {
        "when" | "until" => format!("`{name}` is not looked at: here every attempt fails, and another one may help"),
        "hint" => "`hint` is not looked at: here no server asks for anything".to_owned(),
        "policy" => {
            "`policy` is not looked at, because only the compiler knows what it names: the options stand alone here"
                .to_owned()
        }
        "attempt_timeout" => {
            "`attempt_timeout` is not looked at: how long an attempt takes is what `--operation` says".to_owned()
        }
        "breaker" | "pacer" | "retry_budget" | "retry_queue" => {
            format!(
                "`{name}` is not looked at: it is shared by many runs, and here is one; `backoff-lab outage` shows many"
            )
        }
        "deadline" => "`deadline` is not looked at: here nothing but the policy ends a run".to_owned(),
        _ => format!("`{name}` is not looked at: it changes no sleep"),
    }
}

#[cfg(test)]
mod tests {
    use super::{OTHERS, field};

    /// The attribute is a procedural macro, so its list can't be imported; it can be read.
    #[test]
    fn every_option_of_the_attribute_is_known() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../backoff-macros/src/keys.rs");
        let Ok(text) = std::fs::read_to_string(file) else { return };
        let names: Vec<_> = text
            .split("key(\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .filter(|name| field(name).is_none())
            .collect();
        let missing: Vec<_> = names.iter().filter(|name| !OTHERS.contains(name)).collect();
        assert!(names.len() > 10 && missing.is_empty(), "add to `OTHERS`: {missing:?}");
        let gone: Vec<_> = OTHERS.iter().filter(|name| **name != "attempt_timeout" && !names.contains(name)).collect();
        assert!(gone.is_empty(), "remove from `OTHERS`: {gone:?}");
    }
}
