//! A shape, and the program that is made of it.

use crate::attribute::Attribute;

/// Whether the retried function blocks or is async.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Blocking,
    Async,
}

impl Form {
    /// As it is written in the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocking => "blocking",
            Self::Async => "async",
        }
    }
}

/// A function that fails twice and then succeeds.
///
/// In its code, `RETRY` stands for the attribute, `ASYNC` for nothing or `async`, and `.AWAIT` for nothing or `.await`.
pub struct Shape {
    pub name: &'static str,
    pub forms: &'static [Form],
    code: &'static str,
    run: &'static str,
    crate_attribute: &'static str,
    options: &'static str,
    predicate: &'static str,
    is_test: bool,
}

impl Shape {
    const fn new(name: &'static str, forms: &'static [Form], code: &'static str, run: &'static str) -> Self {
        Self { name, forms, code, run, crate_attribute: "", options: "", predicate: "failed", is_test: false }
    }

    /// Measured twice: as a blocking function and as an async one.
    pub(crate) const fn both(name: &'static str, code: &'static str, run: &'static str) -> Self {
        Self::new(name, &[Form::Blocking, Form::Async], code, run)
    }

    /// Exists only as a blocking function.
    pub(crate) const fn blocking(name: &'static str, code: &'static str, run: &'static str) -> Self {
        Self::new(name, &[Form::Blocking], code, run)
    }

    /// Exists only as an async function.
    pub(crate) const fn only_async(name: &'static str, code: &'static str, run: &'static str) -> Self {
        Self::new(name, &[Form::Async], code, run)
    }

    /// Run by the test harness of the language: the code has no `main`.
    pub(crate) const fn test(mut self) -> Self {
        self.is_test = true;
        self
    }

    /// An attribute of the whole crate.
    pub(crate) const fn in_crate(mut self, attribute: &'static str) -> Self {
        self.crate_attribute = attribute;
        self
    }

    /// What ours needs to be told for this shape.
    pub(crate) const fn ours(mut self, options: &'static str) -> Self {
        self.options = options;
        self
    }

    /// The predicate that `retry-if` needs for what this shape returns.
    pub(crate) const fn retry_if(mut self, predicate: &'static str) -> Self {
        self.predicate = predicate;
        self
    }

    /// The options that ours was given beside the policy.
    #[must_use]
    pub fn options(&self) -> &'static str {
        self.options
    }

    pub(crate) fn predicate(&self) -> &'static str {
        self.predicate
    }

    pub(crate) fn is_test(&self) -> bool {
        self.is_test
    }

    /// The program that measures this shape under an attribute.
    pub(crate) fn program(&self, form: Form, attribute: Attribute) -> String {
        let (import, asyncness, awaited) = match form {
            Form::Blocking => ("use probe::*;", "", ""),
            Form::Async => ("use probe::{attempt_async as attempt, *};", "async", ".await"),
        };
        let main = match (self.run, form) {
            ("", _) => String::new(),
            (run, Form::Blocking) => format!("fn main() {{\n    {run}\n}}\n"),
            (run, Form::Async) => format!("fn main() {{\n    block_on(async {{\n        {run}\n    }})\n}}\n"),
        };
        format!("{}\n{import}\n{}\n{main}", self.crate_attribute, self.code)
            .replace("ASYNC ", if asyncness.is_empty() { "" } else { "async " })
            .replace(".AWAIT", awaited)
            .replace("RETRY", &attribute.written(self))
    }
}
