//! ER-21: what the feature `tracing` says, and what it must not say.

mod support;

use std::fmt;
use std::sync::{Arc, Mutex};

use backoff_core::testing::VirtualTime;
use backoff_core::{CancelToken, ExponentialBackoff};
use support::{ms, secs, unlimited};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// One event: level, message, and the fields in order.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    level: Level,
    target: String,
    message: String,
    fields: Vec<(&'static str, String)>,
}

/// Writes down every event.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Line>>>);

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut line = Line {
            level: *metadata.level(),
            target: metadata.target().to_owned(),
            message: String::new(),
            fields: Vec::new(),
        };
        event.record(&mut line);
        self.0.lock().expect("no panic").push(line);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.push((field.name(), value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let value = format!("{value:?}");
        if field.name() == "message" {
            self.message = value;
        } else {
            self.fields.push((field.name(), value));
        }
    }
}

/// An error that holds a secret.
#[derive(Debug)]
struct Leaky;

const SECRET: &str = "secret-token";

impl fmt::Display for Leaky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GET https://h/{SECRET} failed")
    }
}

fn logged(run: impl FnOnce()) -> Vec<Line> {
    let log = Log::default();
    tracing::subscriber::with_default(log.clone(), run);
    let lines = log.0.lock().expect("no panic").clone();
    let printed = format!("{lines:?}");
    assert!(!printed.contains(SECRET) && !printed.contains("Leaky"), "{printed}");
    lines
}

fn line<const N: usize>(level: Level, message: &str, fields: [(&'static str, &str); N]) -> Line {
    let fields = fields.map(|(name, value)| (name, value.to_owned())).to_vec();
    Line { level, target: "backoff".to_owned(), message: message.to_owned(), fields }
}

#[test]
fn er_21_a_retry_is_one_event_without_the_error() {
    let lines = logged(|| {
        let mut left = 1;
        let policy = ExponentialBackoff::new().initial(ms(100)).max_attempts(2).time(VirtualTime::new()).name("load");
        let result = policy.retry(|| {
            left -= 1;
            if left == 0 { Err(Leaky) } else { Ok(7) }
        });
        assert_eq!(result.ok(), Some(7));
    });
    let retry = [("name", "load"), ("attempt", "1"), ("delay", "100ms"), ("elapsed", "0ns"), ("remaining", "3.5s")];
    let success = [("name", "load"), ("attempts", "2"), ("slept", "100ms")];
    assert_eq!(lines, [line(Level::DEBUG, "retrying", retry), line(Level::DEBUG, "succeeded after retries", success)]);
}

#[test]
fn giving_up_is_one_warning_with_the_reason() {
    let lines = logged(|| {
        let result = unlimited().max_attempts(1).time(VirtualTime::new()).retry(|| Err::<(), _>(Leaky));
        assert!(result.is_err());
    });
    let gave_up = [("name", ""), ("attempts", "1"), ("elapsed", "0ns"), ("slept", "0ns"), ("reason", "attempts")];
    assert_eq!(lines, [line(Level::WARN, "gave up", gave_up)]);

    let lines = logged(|| {
        let policy = unlimited().time(VirtualTime::new()).hint(|_: &Leaky| Some(secs(3_600)));
        assert!(policy.retry(|| Err::<(), _>(Leaky)).is_err());
    });
    let gave_up =
        [("name", ""), ("attempts", "1"), ("elapsed", "0ns"), ("slept", "0ns"), ("reason", "hint"), ("hint", "3600s")];
    assert_eq!(lines, [line(Level::WARN, "gave up", gave_up)]);

    let lines = logged(|| {
        let token = CancelToken::new();
        token.cancel();
        assert!(unlimited().time(VirtualTime::new()).cancel(&token).retry(|| Err::<(), _>(Leaky)).is_err());
    });
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].fields[4], ("reason", "cancelled".to_owned()));
}

#[test]
fn a_success_at_the_first_attempt_is_no_news() {
    let lines = logged(|| assert_eq!(ExponentialBackoff::new().retry(|| Ok::<_, Leaky>(7)).ok(), Some(7)));
    assert_eq!(lines, []);
}
