//! The attributes, each in its own words: five attempts, a delay of a millisecond.

use crate::shape::Shape;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// No attribute: the shape itself has to compile, and to make one call.
    Plain,
    Ours,
    Backon,
    /// `context = true`, which is what `backon-macros` offers where a closure can't hold the arguments.
    BackonWithContext,
    RetryIf,
}

impl Attribute {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Ours => "ours",
            Self::Backon => "backon",
            Self::BackonWithContext => "backon_context",
            Self::RetryIf => "retry_if",
        }
    }

    /// What stands between `#[` and `]`.
    pub(crate) fn written(self, shape: &Shape) -> String {
        match self {
            Self::Plain => "cfg(all())".to_owned(),
            Self::Ours => {
                let separator = if shape.options().is_empty() { "" } else { ", " };
                let policy = r#"initial = "1ms", max_attempts = 5"#;
                format!("::backoff_core::exponential_backoff({policy}{separator}{})", shape.options())
            }
            Self::Backon => "::backon_macros::backon(backoff = ::probe::quick)".to_owned(),
            Self::BackonWithContext => "::backon_macros::backon(backoff = ::probe::quick, context = true)".to_owned(),
            Self::RetryIf => format!("::retry_if::retry(POLICY, {})", shape.predicate()),
        }
    }
}
