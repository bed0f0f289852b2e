//! A policy from a file, checked by the same table as everywhere else.
//!
//! ```text
//! cargo run --example config_file                # reads examples/config_file.toml
//! cargo run --example config_file -- other.toml
//! ```

use std::error::Error;

use backoff_core::ExponentialBackoff;
use serde::Deserialize;

#[derive(Deserialize)]
struct Config {
    retry: ExponentialBackoff,
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => include_str!("config_file.toml").to_owned(),
    };
    let config: Config = toml::from_str(&text)?;
    println!("{}", config.retry.schedule());

    for wrong in
        [r#"budget = "0s""#, r#"max_delay = "10 seconds""#, "initial = 200", "intial = \"200ms\"", "multiplier = 1"]
    {
        match toml::from_str::<Config>(&format!("[retry]\n{wrong}\n")) {
            Ok(config) => return Err(format!("`{wrong}` was read as {}", config.retry).into()),
            Err(error) => println!("{wrong}\n  {}", error.message()),
        }
    }
    Ok(())
}
