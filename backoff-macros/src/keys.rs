//! The options of the attribute: their names, and what a value of each looks like.

use std::fmt::{Display, Write as _};

use backoff_policy::Field;

/// What kind of value an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A field of a policy, or `attempt_timeout`.
    Field(Field),
    /// Any expression, evaluated in the function.
    Expression,
    /// A name that is bound in the body.
    Name,
    /// A text.
    Text,
    /// A path.
    Path,
    /// Nothing: the option stands alone.
    Flag,
    /// Names of parameters in parentheses.
    Names,
}

/// An option of the attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// How it is written, for errors.
    pub(crate) sample: &'static str,
}

const fn key(name: &'static str, kind: Kind, sample: &'static str) -> Key {
    Key { name, kind, sample }
}

const fn field(field: Field, sample: &'static str) -> Key {
    key(field.name(), Kind::Field(field), sample)
}

/// Every option, in the order of the documentation.
pub(crate) static KEYS: [Key; 27] = [
    field(Field::Initial, "initial = \"200ms\""),
    field(Field::Budget, "budget = \"3.5s\""),
    field(Field::Multiplier, "multiplier = 2.0"),
    field(Field::MaxDelay, "max_delay = \"10s\""),
    field(Field::MaxAttempts, "max_attempts = 4"),
    field(Field::Jitter, "jitter = \"full\""),
    field(Field::FinalSleep, "final_sleep = \"spread\""),
    field(Field::MaxHint, "max_hint = \"5m\""),
    key("when", Kind::Expression, "when = |error| error.is_transient()"),
    key("until", Kind::Expression, "until = |value| value.is_ready()"),
    key("hint", Kind::Expression, "hint = |error| error.retry_after()"),
    key("exhausted", Kind::Expression, "exhausted = |end| Err(end.into())"),
    key("on_retry", Kind::Expression, "on_retry = |retry| println!(\"{retry:?}\")"),
    key("on_give_up", Kind::Expression, "on_give_up = |end| println!(\"{end:?}\")"),
    key("on_success", Kind::Expression, "on_success = |end| println!(\"{end:?}\")"),
    key("clone", Kind::Names, "clone(request)"),
    key("attempt", Kind::Name, "attempt = attempt"),
    key("policy", Kind::Expression, "policy = self.retry"),
    key("waiter", Kind::Expression, "waiter = self.waiter"),
    key("deadline", Kind::Expression, "deadline = until"),
    key("propagate", Kind::Flag, "propagate"),
    key("spans", Kind::Flag, "spans"),
    field(Field::AttemptTimeout, "attempt_timeout = \"5s\""),
    key("breaker", Kind::Expression, "breaker = BREAKER"),
    key("pacer", Kind::Expression, "pacer = PACER"),
    key("retry_budget", Kind::Expression, "retry_budget = BUDGET"),
    key("retry_queue", Kind::Expression, "retry_queue = QUEUE"),
];

/// The options that name a guard, each the name of a method of the plan, in the order in which a run asks them.
pub(crate) const GUARDS: [&str; 4] = ["breaker", "pacer", "retry_budget", "retry_queue"];

/// The options that stand behind the others in the list: they say nothing about retrying.
pub(crate) static LAST: [Key; 2] =
    [key("name", Kind::Text, "name = \"load user\""), key("crate", Kind::Path, "crate = my_crate::backoff")];

/// The option of that name.
pub(crate) fn find(name: &str) -> Option<&'static Key> {
    all().find(|key| key.name == name)
}

/// Every option.
pub(crate) fn all() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().chain(&LAST)
}

/// The sentence about a name that is not an option.
pub(crate) fn unknown(name: &str) -> String {
    let names: Vec<_> = all().map(|key| key.name).collect();
    match backoff_policy::suggest::nearest(name, &names) {
        Some(meant) => format!("unknown option `{name}`; did you mean `{meant}`?"),
        None => format!("unknown option `{name}`; the options are {}", list(names)),
    }
}

/// Names as a sentence lists them.
pub(crate) fn list<N: Display>(names: impl IntoIterator<Item = N>) -> String {
    let mut list = String::new();
    for name in names {
        let comma = if list.is_empty() { "" } else { ", " };
        let _ = write!(list, "{comma}`{name}`");
    }
    list
}
