//! What a command refuses, in sentences.

use std::fmt;
use std::path::PathBuf;

use backoff_core::ConfigError;

/// Why a command could not do what it was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A value that no policy may have.
    Policy(ConfigError),
    /// The text of an attribute that can't be read.
    Attribute(String),
    /// A number for the simulation that makes no sense.
    Setting(String),
    /// A file that is no TOML, or holds no policy at that place.
    Toml {
        /// The file.
        file: PathBuf,
        /// The line, from 1 on, if the problem is not about all of it and does not say where it is.
        line: Option<usize>,
        /// What is wrong with it.
        problem: String,
    },
    /// A file that can't be read or written.
    File {
        /// The file.
        file: PathBuf,
        /// What was to be done with it.
        doing: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// The terminal or pipe that is written to has gone.
    Output(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(error) => error.fmt(f),
            Self::Attribute(problem) => write!(f, "in the attribute: {problem}"),
            Self::Setting(problem) => f.write_str(problem),
            Self::Toml { file, line: None, problem } => write!(f, "in {}: {problem}", file.display()),
            Self::Toml { file, line: Some(line), problem } => {
                write!(f, "in {}, line {line}: {problem}", file.display())
            }
            Self::File { file, doing, source } => write!(f, "can't {doing} {}: {source}", file.display()),
            Self::Output(source) => write!(f, "can't write the result: {source}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Policy(error) => Some(error),
            Self::File { source, .. } | Self::Output(source) => Some(source),
            Self::Attribute(_) | Self::Setting(_) | Self::Toml { .. } => None,
        }
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        Self::Policy(error)
    }
}
