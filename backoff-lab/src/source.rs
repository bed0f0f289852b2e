//! Where a policy comes from: a file, or the text of an attribute. Flags are read by [`cli`](crate::cli).

mod attribute;
mod literal;
mod options;
mod toml_file;

use backoff_core::ExponentialBackoff;

pub use attribute::attribute;
pub use toml_file::{file, place};

/// A policy and what it is called.
///
/// ```
/// use backoff_lab::source;
/// let named = source::attribute(r#"#[exponential_backoff(jitter = "full", when = is_transient)]"#)?;
/// assert_eq!(named.policy.to_string(), "200ms x2, full jitter, budget 3.5s, spread");
/// assert_eq!(named.notes, ["`when` is not looked at: here every attempt fails, and another one may help"]);
/// # Ok::<_, backoff_lab::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Where it was found.
    pub name: String,
    /// The policy.
    pub policy: ExponentialBackoff,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

impl Named {
    /// A policy under a name.
    #[must_use]
    pub fn new(name: impl Into<String>, policy: ExponentialBackoff) -> Self {
        Self { name: name.into(), policy, notes: Vec::new() }
    }
}
