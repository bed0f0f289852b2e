//! The program: see [`backoff_lab::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    backoff_lab::cli::main()
}
