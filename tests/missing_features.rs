//! What the compiler says where a feature is missing: it names the feature.

use std::path::Path;
use std::process::Command;

/// Checks a crate that has the engine with these features, and returns what the compiler says.
fn check(name: &str, features: &str, code: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("missing_features").join(name);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"missing-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nbackoff-core = {{ path = \"{}\", default-features = false, features = [{features}] }}\n",
        root.join("backoff-core").display()
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/lib.rs"), code).unwrap();
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "--color=never"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("missing_features/target"))
        .output()
        .unwrap();
    String::from_utf8(output.stderr).unwrap()
}

const ASYNC: &str = "
    #[backoff_core::exponential_backoff]
    pub async fn annotated() -> Option<u8> { None }
    pub async fn by_hand() { let _ = backoff_core::ExponentialBackoff::new().wait_async(async || Some(7)).await; }
";

const NO_TIMER: &str = "enable a timer feature of `backoff-core`: `tokio`, or `futures-timer` for any other executor";

#[test]
fn async_without_a_timer_names_the_features() {
    let said = check("timer", "\"std\", \"macros\"", ASYNC);
    assert!(said.contains("error[E0277]: `backoff_core::clock::System` can't time an async run"), "{said}");
    let errors = said.matches("error[E0277]").count();
    assert!(errors >= 2, "{said}");
    assert_eq!(said.matches(NO_TIMER).count(), errors, "every error names the features: {said}");
    assert_eq!(check("with-tokio", "\"std\", \"macros\", \"tokio\"", ASYNC), "");
    assert_eq!(check("with-both", "\"std\", \"macros\", \"tokio\", \"futures-timer\"", ASYNC), "");
}

#[test]
fn blocking_without_std_names_the_feature_and_the_way_around() {
    let code = "
        #![no_std]
        #[backoff_core::exponential_backoff]
        pub fn annotated() -> Option<u8> { None }
    ";
    let said = check("std", "\"macros\"", code);
    assert!(said.contains("can't time a blocking run"), "{said}");
    assert!(said.contains("enable the feature `std` of `backoff-core` to block the thread"), "{said}");
}

#[test]
fn jitter_without_a_generator_names_the_feature() {
    let code = "
        use backoff_core::ExponentialBackoff;
        use backoff_core::clock::{Clock, Sleep};
        use core::time::Duration;
        #[derive(Clone, Copy)]
        pub struct Ticks;
        impl Clock for Ticks {
            type Instant = Duration;
            fn now(&self) -> Duration { Duration::ZERO }
            fn elapsed(&self, from: Duration, to: Duration) -> Duration { to.saturating_sub(from) }
        }
        impl Sleep for Ticks {
            fn sleep(&self, _: Duration) {}
        }
        pub fn by_hand() { let _ = ExponentialBackoff::new().time(Ticks).wait(|| Some(7)); }
        #[backoff_core::exponential_backoff(jitter = \"full\", waiter = ExponentialBackoff::new().time(Ticks))]
        pub fn annotated() -> Option<u8> { None }
    ";
    let said = check("random", "\"macros\"", code);
    assert!(said.contains("`SystemRandom` can't draw jitter"), "{said}");
    assert!(said.contains("enable the feature `std` of `backoff-core` for the default generator"), "{said}");
}
