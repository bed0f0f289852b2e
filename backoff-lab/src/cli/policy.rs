//! Policies on the command line: their fields as flags, a file, or the text of an attribute.

use std::path::PathBuf;
use std::time::Duration;

use backoff_core::policy::PolicyBuilder;
use backoff_core::{ConfigError, ExponentialBackoff, FinalSleep, Jitter};
use backoff_policy::{Field, limits};

use crate::Error;
use crate::source::{self, Named};

/// One field of a policy each.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Policy")]
pub(super) struct Fields {
    /// The delay before the second attempt [default: 200ms]
    #[arg(long, value_name = "TIME", value_parser = |text: &str| limits::duration_text(Field::Initial, text))]
    initial: Option<Duration>,
    /// The total time of a run, or "unlimited" [default: 3.5s]
    #[arg(long, value_name = "TIME", value_parser = budget)]
    budget: Option<Budget>,
    /// What each delay is multiplied by [default: 2]
    #[arg(long, value_name = "NUMBER", value_parser = multiplier)]
    multiplier: Option<f64>,
    /// The longest delay [default: none]
    #[arg(long, value_name = "TIME", value_parser = |text: &str| limits::duration_text(Field::MaxDelay, text))]
    max_delay: Option<Duration>,
    /// The most attempts, the first included [default: no limit]
    #[arg(long, value_name = "COUNT", value_parser = max_attempts)]
    max_attempts: Option<u32>,
    /// How sleeps are spread: none, full or equal [default: none]
    #[arg(long, value_name = "JITTER", value_parser = str::parse::<Jitter>)]
    jitter: Option<Jitter>,
    /// The last sleep before the end of the budget: trim, spread or skip [default: spread with jitter, else trim]
    #[arg(long, value_name = "SLEEP", value_parser = str::parse::<FinalSleep>)]
    final_sleep: Option<FinalSleep>,
    /// The longest server hint that is obeyed [default: 5m]
    #[arg(long, value_name = "TIME", value_parser = |text: &str| limits::duration_text(Field::MaxHint, text))]
    max_hint: Option<Duration>,
}

/// A time or none: an option in an option would mean something else to `clap`.
#[derive(Clone, Copy, Debug)]
struct Budget(Option<Duration>);

fn budget(text: &str) -> Result<Budget, ConfigError> {
    limits::budget_text(text).map(Budget)
}

fn multiplier(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it takes a number, such as `2.0`".to_owned())?;
    limits::multiplier(number).map_err(|error| error.to_string())
}

fn max_attempts(text: &str) -> Result<u32, String> {
    let count: u32 = text.parse().map_err(|_| "it takes a whole number, from 1 to 4294967295".to_owned())?;
    limits::max_attempts(count).map_err(|error| error.to_string())
}

impl Fields {
    /// Sets what was given, on top of what the builder has.
    pub(super) fn onto(&self, mut builder: PolicyBuilder) -> Result<ExponentialBackoff, Error> {
        if let Some(initial) = self.initial {
            builder = builder.initial(initial);
        }
        if let Some(Budget(budget)) = self.budget {
            builder = builder.budget(budget);
        }
        if let Some(multiplier) = self.multiplier {
            builder = builder.multiplier(multiplier);
        }
        if let Some(max_delay) = self.max_delay {
            builder = builder.max_delay(max_delay);
        }
        if let Some(max_attempts) = self.max_attempts {
            builder = builder.max_attempts(max_attempts);
        }
        if let Some(jitter) = self.jitter {
            builder = builder.jitter(jitter);
        }
        if let Some(final_sleep) = self.final_sleep {
            builder = builder.final_sleep(final_sleep);
        }
        if let Some(max_hint) = self.max_hint {
            builder = builder.max_hint(max_hint);
        }
        Ok(builder.build()?)
    }

    pub(super) const fn jitter(&self) -> Option<Jitter> {
        self.jitter
    }

    pub(super) const fn final_sleep(&self) -> Option<FinalSleep> {
        self.final_sleep
    }
}

/// A policy from wherever it is written down.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Policy")]
pub(super) struct Source {
    #[command(flatten)]
    pub(super) fields: Fields,
    /// A TOML file that holds a policy
    #[arg(long, value_name = "FILE", conflicts_with_all = ["Fields", "attribute"])]
    file: Option<PathBuf>,
    /// The table of the file that is the policy, with dots between names
    #[arg(long, value_name = "NAME", requires = "file")]
    table: Option<String>,
    /// The attribute as it stands in the source, in single quotes for the shell
    #[arg(long, value_name = "TEXT", conflicts_with = "Fields")]
    attribute: Vec<String>,
}

impl Source {
    /// Whether it was written down elsewhere than in flags.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.file.is_some() || !self.attribute.is_empty()
    }

    /// All policies that are named, the outermost first.
    pub(super) fn all(&self) -> Result<Vec<Named>, Error> {
        if let Some(file) = &self.file {
            return Ok(vec![source::file(file, self.table.as_deref())?]);
        }
        if self.attribute.is_empty() {
            return Ok(vec![Named::new("flags", self.fields.onto(ExponentialBackoff::builder())?)]);
        }
        let many = self.attribute.len() > 1;
        let numbered = self.attribute.iter().zip(1..).map(|(text, number)| {
            let named = source::attribute(text)?;
            Ok(if many { Named { name: format!("attribute {number}"), ..named } } else { named })
        });
        numbered.collect()
    }

    /// The only policy.
    pub(super) fn one(&self) -> Result<Named, Error> {
        match self.all()?.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(Error::Setting(
                "one policy is enough here: give `--attribute` once, or use `backoff-lab schedule` for nested ones"
                    .to_owned(),
            )),
        }
    }
}
