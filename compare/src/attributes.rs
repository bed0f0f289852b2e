//! What the attributes of the peers accept.
//!
//! # `&mut self`
//! `backoff-core` and `retry-if` do:
//!
//! ```
//! struct Connection(u32);
//! impl Connection {
//!     #[backoff_core::exponential_backoff(max_attempts = 2)]
//!     async fn send(&mut self) -> Result<u32, String> {
//!         self.0 += 1;
//!         Ok(self.0)
//!     }
//! }
//! ```
//!
//! ```
//! # use retry_if::{ExponentialBackoffConfig, retry};
//! # const CONFIG: ExponentialBackoffConfig = ExponentialBackoffConfig {
//! #     max_retries: 1, t_wait: std::time::Duration::from_secs(1), backoff: 2.0, t_wait_max: None, backoff_max: None,
//! # };
//! fn failed(outcome: &Result<u32, String>) -> bool { outcome.is_err() }
//! struct Connection(u32);
//! impl Connection {
//!     #[retry(CONFIG, failed)]
//!     async fn send(&mut self) -> Result<u32, String> {
//!         self.0 += 1;
//!         Ok(self.0)
//!     }
//! }
//! ```
//!
//! `backon-macros` takes `&self` and refuses `&mut self`:
//!
//! ```
//! struct Connection(u32);
//! impl Connection {
//!     #[backon_macros::backon(sleep = tokio::time::sleep)]
//!     async fn send(&self) -> Result<u32, String> {
//!         Ok(self.0)
//!     }
//! }
//! ```
//!
//! ```compile_fail
//! struct Connection(u32);
//! impl Connection {
//!     #[backon_macros::backon(sleep = tokio::time::sleep)]
//!     async fn send(&mut self) -> Result<u32, String> {
//!         Ok(self.0)
//!     }
//! }
//! ```
//!
//! # Methods of a trait
//! `backoff-core` and `retry-if` do; `backon-macros` puts a helper beside the method, which an impl of a trait can't hold:
//!
//! ```
//! trait Ping { fn ping(&self) -> Result<u32, String>; }
//! struct Host;
//! impl Ping for Host {
//!     #[backoff_core::exponential_backoff]
//!     fn ping(&self) -> Result<u32, String> { Ok(1) }
//! }
//! ```
//!
//! ```
//! # use retry_if::{ExponentialBackoffConfig, retry};
//! # const CONFIG: ExponentialBackoffConfig = ExponentialBackoffConfig {
//! #     max_retries: 1, t_wait: std::time::Duration::from_secs(1), backoff: 2.0, t_wait_max: None, backoff_max: None,
//! # };
//! fn failed(outcome: &Result<u32, String>) -> bool { outcome.is_err() }
//! trait Ping { async fn ping(&self) -> Result<u32, String>; }
//! struct Host;
//! impl Ping for Host {
//!     #[retry(CONFIG, failed)]
//!     async fn ping(&self) -> Result<u32, String> { Ok(1) }
//! }
//! ```
//!
//! ```
//! struct Host;
//! impl Host {
//!     #[backon_macros::backon]
//!     fn ping(&self) -> Result<u32, String> { Ok(1) }
//! }
//! ```
//!
//! ```compile_fail
//! trait Ping { fn ping(&self) -> Result<u32, String>; }
//! struct Host;
//! impl Ping for Host {
//!     #[backon_macros::backon]
//!     fn ping(&self) -> Result<u32, String> { Ok(1) }
//! }
//! ```
//!
//! # Blocking functions
//! `backoff-core` and `backon-macros` do (above); `retry-if` is async only:
//!
//! ```compile_fail
//! # use retry_if::{ExponentialBackoffConfig, retry};
//! # const CONFIG: ExponentialBackoffConfig = ExponentialBackoffConfig {
//! #     max_retries: 1, t_wait: std::time::Duration::from_secs(1), backoff: 2.0, t_wait_max: None, backoff_max: None,
//! # };
//! fn failed(outcome: &Result<u32, String>) -> bool { outcome.is_err() }
//! #[retry(CONFIG, failed)]
//! fn send() -> Result<u32, String> { Ok(1) }
//! ```
//!
//! # `Option`
//! `backoff-core` polls until there is a value, and `retry-if` judges any type; `backon-macros` wants a `Result`:
//!
//! ```
//! #[backoff_core::exponential_backoff]
//! fn find(id: u32) -> Option<u32> { Some(id) }
//! assert_eq!(find(7), Some(7));
//! ```
//!
//! ```compile_fail
//! #[backon_macros::backon]
//! fn find(id: u32) -> Option<u32> { Some(id) }
//! ```
//!
//! ```
//! # use retry_if::{ExponentialBackoffConfig, retry};
//! # const CONFIG: ExponentialBackoffConfig = ExponentialBackoffConfig {
//! #     max_retries: 1, t_wait: std::time::Duration::from_secs(1), backoff: 2.0, t_wait_max: None, backoff_max: None,
//! # };
//! fn missing(outcome: &Option<u32>) -> bool { outcome.is_none() }
//! #[retry(CONFIG, missing)]
//! async fn find(id: Option<u32>) -> Option<u32> { Some(id.unwrap_or(7)) }
//! ```
//!
//! ```compile_fail
//! # use retry_if::{ExponentialBackoffConfig, retry};
//! # const CONFIG: ExponentialBackoffConfig = ExponentialBackoffConfig {
//! #     max_retries: 1, t_wait: std::time::Duration::from_secs(1), backoff: 2.0, t_wait_max: None, backoff_max: None,
//! # };
//! fn missing(outcome: &Option<u32>) -> bool { outcome.is_none() }
//! #[retry(CONFIG, missing)]
//! async fn find(id: Option<u32>) -> Option<u32> { Some(id?) }
//! ```
//!
//! # `?` in the body
//! All three retry when the body leaves by `?` or `return` (see `tests/attributes.rs`). `retry-if` rewrites every `?` and
//! `return` that it finds, those of closures and of `Option` included, which then do not compile:
//!
//! ```
//! #[backoff_core::exponential_backoff]
//! async fn first(text: &str) -> Option<u32> {
//!     let parse = |text: &str| Some(text.split(' ').next()?.len());
//!     let length = parse(text)?;
//!     u32::try_from(length).ok()
//! }
//! ```
//!
//! ```
//! # use retry_if::{ExponentialBackoffConfig, retry};
//! # const CONFIG: ExponentialBackoffConfig = ExponentialBackoffConfig {
//! #     max_retries: 1, t_wait: std::time::Duration::from_secs(1), backoff: 2.0, t_wait_max: None, backoff_max: None,
//! # };
//! fn failed(outcome: &Result<u32, std::num::ParseIntError>) -> bool { outcome.is_err() }
//! #[retry(CONFIG, failed)]
//! async fn first(text: &str) -> Result<u32, std::num::ParseIntError> {
//!     let parse = |text: &str| text.parse::<u32>();
//!     Ok(parse(text)?)
//! }
//! ```
//!
//! ```compile_fail
//! # use retry_if::{ExponentialBackoffConfig, retry};
//! # const CONFIG: ExponentialBackoffConfig = ExponentialBackoffConfig {
//! #     max_retries: 1, t_wait: std::time::Duration::from_secs(1), backoff: 2.0, t_wait_max: None, backoff_max: None,
//! # };
//! fn failed(outcome: &Result<u32, std::num::ParseIntError>) -> bool { outcome.is_err() }
//! #[retry(CONFIG, failed)]
//! async fn first(text: &str) -> Result<u32, std::num::ParseIntError> {
//!     let parse = |text: &str| -> Result<u32, std::num::ParseIntError> { Ok(text.parse::<u32>()?) };
//!     Ok(parse(text)?)
//! }
//! ```
