//! What a run reports by itself: spans for `tracing`, numbers for `metrics`.

use std::cell::RefCell;
use std::io::Write;
use std::sync::Once;
use std::time::Duration;

use backoff_core::guard::CircuitBreaker;
use backoff_core::testing::VirtualTime;
use backoff_core::{CancelToken, ExponentialBackoff, exponential_backoff, metrics};
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};

/// Counts `(metric, name, outcome)`; a histogram shows its values.
fn seen(snapshotter: &Snapshotter) -> Vec<String> {
    let mut lines: Vec<_> = snapshotter
        .snapshot()
        .into_vec()
        .into_iter()
        .map(|(key, _, _, value)| {
            let (_, key) = key.into_parts();
            let labels: Vec<_> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
            let value = match value {
                DebugValue::Counter(count) => count.to_string(),
                DebugValue::Histogram(values) => format!("{:?}", values.iter().map(|v| v.0).collect::<Vec<_>>()),
                DebugValue::Gauge(value) => value.0.to_string(),
            };
            format!("{} {{{}}} {value}", key.name(), labels.join(", "))
        })
        .collect();
    lines.sort();
    lines
}

fn recorded(run: impl FnOnce()) -> Vec<String> {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    ::metrics::with_local_recorder(&recorder, || {
        metrics::report();
        run();
    });
    seen(&snapshotter)
}

#[exponential_backoff(name = "poll")]
fn poll(failures: &mut u32) -> Option<()> {
    match failures.checked_sub(1) {
        None => Some(()),
        Some(left) => {
            *failures = left;
            None
        }
    }
}

#[test]
fn runs_are_counted_by_how_they_end_and_delays_are_measured() {
    let lines = recorded(|| {
        let time = VirtualTime::new();
        let _guard = time.enter();
        assert_eq!(poll(&mut 0), Some(()));
        assert_eq!(poll(&mut 2), Some(()));
        assert_eq!(poll(&mut 99), None);
    });
    assert_eq!(
        lines,
        [
            "backoff_delay_seconds {name=poll} [0.2, 0.4, 0.2, 0.4, 0.8, 1.6, 0.5]",
            "backoff_retries_total {name=poll} 7",
            "backoff_runs_total {name=poll, outcome=after_retries} 1",
            "backoff_runs_total {name=poll, outcome=exhausted_budget} 1",
            "backoff_runs_total {name=poll, outcome=first_try} 1",
        ]
    );
}

#[test]
fn every_end_has_a_word_of_its_own() {
    let lines = recorded(|| {
        let time = VirtualTime::new();
        let named = |name| ExponentialBackoff::new().time(&time).name(name);
        let _ = named("a").when(|_: &u8| false).retry(|| Err::<(), _>(0));
        let _ = ExponentialBackoff::new().max_attempts(1).time(&time).name("b").wait(|| None::<()>);
        let _ = named("c").hint(|_: &u8| Duration::MAX).retry(|| Err::<(), _>(0));
        let cancelled = CancelToken::new();
        cancelled.cancel();
        let _ = named("d").cancel(&cancelled).wait(|| Some(()));
        let mut run = named("e").start_blocking();
        assert!(run.backoff("once").is_ok());
        run.succeed::<&str>();
    });
    let runs: Vec<_> = lines.iter().filter(|line| line.starts_with(metrics::RUNS)).collect();
    assert_eq!(
        runs,
        [
            "backoff_runs_total {name=a, outcome=permanent} 1",
            "backoff_runs_total {name=b, outcome=exhausted_attempts} 1",
            "backoff_runs_total {name=c, outcome=exhausted_hint} 1",
            "backoff_runs_total {name=d, outcome=cancelled} 1",
            "backoff_runs_total {name=e, outcome=after_retries} 1",
        ]
    );
}

#[test]
fn changes_of_a_circuit_are_counted_and_rejections_are_an_end_of_their_own() {
    let lines = recorded(|| {
        let time = VirtualTime::new();
        let breaker = CircuitBreaker::new().name("billing").failures(1).open_for(Duration::from_secs(1));
        let call = |result: Result<u8, ()>| {
            let policy = ExponentialBackoff::new().max_attempts(1).time(&time).name("charge");
            policy.breaker(&breaker).retry(|| result).is_ok()
        };
        assert_eq!([call(Err(())), call(Ok(7))], [false, false]);
        time.pass(Duration::from_secs(1));
        assert!(call(Ok(7)));
    });
    assert_eq!(
        lines,
        [
            "backoff_circuit_changes_total {name=billing, to=closed} 1",
            "backoff_circuit_changes_total {name=billing, to=half_open} 1",
            "backoff_circuit_changes_total {name=billing, to=open} 1",
            "backoff_runs_total {name=charge, outcome=circuit_open} 1",
            "backoff_runs_total {name=charge, outcome=exhausted_attempts} 1",
            "backoff_runs_total {name=charge, outcome=first_try} 1",
        ]
    );
}

#[test]
fn a_circuit_that_opens_is_a_warning_and_what_it_rejects_is_not() {
    listen();
    let time = VirtualTime::new();
    let breaker = CircuitBreaker::new().name("billing").failures(1);
    let policy = ExponentialBackoff::new().max_attempts(1);
    let waiter = || policy.time(&time).name("charge").breaker(&breaker);
    assert!(waiter().retry(|| Err::<u8, _>(())).is_err());
    assert!(waiter().retry(|| Ok::<_, ()>(7)).is_err());
    time.pass(Duration::from_secs(10));
    assert_eq!(waiter().retry(|| Ok::<_, ()>(7)), Ok(7));
    assert_eq!(
        lines(),
        [
            "WARN backoff: circuit changed name=\"billing\" from=\"closed\" to=\"open\"",
            "WARN backoff: gave up name=\"charge\" attempts=1 elapsed=0ns slept=0ns reason=\"attempts\"",
            "DEBUG backoff: rejected name=\"charge\" retry_after=10s",
            "DEBUG backoff: circuit changed name=\"billing\" from=\"open\" to=\"half_open\"",
            "DEBUG backoff: circuit changed name=\"billing\" from=\"half_open\" to=\"closed\"",
        ]
    );
}

#[test]
fn every_number_is_described() {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    ::metrics::with_local_recorder(&recorder, || {
        metrics::report();
        let time = VirtualTime::new();
        let _ = ExponentialBackoff::new().time(&time).wait(|| None::<()>);
    });
    for (key, unit, description, _) in snapshotter.snapshot().into_vec() {
        assert!(unit.is_some() && description.is_some(), "{key:?}");
    }
}

thread_local! {
    static PRINTED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What a formatting subscriber prints in this thread.
struct Printed;

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        PRINTED.with_borrow_mut(|printed| printed.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// One subscriber for the whole program: `tracing` remembers for each place in the code whether anyone listens, and
/// subscribers that come and go with other tests would make that a matter of luck.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let printing = tracing_subscriber::fmt().with_max_level(tracing::Level::DEBUG).with_ansi(false).without_time();
        tracing::subscriber::set_global_default(printing.with_writer(|| Printed).finish()).unwrap();
    });
}

fn lines() -> Vec<String> {
    let printed = String::from_utf8(PRINTED.take()).unwrap();
    printed.lines().map(|line| line.trim().to_owned()).collect()
}

#[exponential_backoff(name = "load", spans)]
fn load(failures: &mut u32) -> Option<()> {
    tracing::info!("working");
    poll_once(failures)
}

#[exponential_backoff(name = "load", spans)]
async fn load_async(failures: &mut u32) -> Option<()> {
    tracing::info!("working");
    tokio::task::yield_now().await;
    tracing::info!("still working");
    poll_once(failures)
}

fn poll_once(failures: &mut u32) -> Option<()> {
    if *failures == 0 {
        return Some(());
    }
    *failures -= 1;
    None
}

#[test]
fn each_attempt_is_in_a_span_of_its_own_if_asked_for() {
    listen();
    let time = VirtualTime::new();
    let _guard = time.enter();
    assert_eq!(load(&mut 1), Some(()));
    assert_eq!(
        lines(),
        [
            "INFO attempt{name=\"load\" attempt=1}: telemetry: working",
            "DEBUG backoff: retrying name=\"load\" attempt=1 delay=200ms elapsed=0ns remaining=3.5s",
            "INFO attempt{name=\"load\" attempt=2}: telemetry: working",
            "DEBUG backoff: succeeded after retries name=\"load\" attempts=2 slept=200ms",
        ]
    );
}

#[tokio::test]
async fn the_span_of_an_async_attempt_is_left_while_it_waits() {
    listen();
    let time = VirtualTime::new();
    assert_eq!(time.scope(load_async(&mut 1)).await, Some(()));
    let lines = lines();
    assert_eq!(lines[0], "INFO attempt{name=\"load\" attempt=1}: telemetry: working");
    assert_eq!(lines[1], "INFO attempt{name=\"load\" attempt=1}: telemetry: still working");
    assert!(lines[2].starts_with("DEBUG backoff: retrying name=\"load\" attempt=1 delay=200ms"), "{}", lines[2]);
    assert_eq!(lines[3], "INFO attempt{name=\"load\" attempt=2}: telemetry: working");
}

#[test]
fn no_span_without_being_asked() {
    listen();
    let working = || {
        tracing::info!("working");
        Some(7)
    };
    let waiter = ExponentialBackoff::new().waiter().name("plain");
    assert_eq!(waiter.wait(working), Ok(7));
    let waiter = ExponentialBackoff::new().waiter().name("asked").spans();
    assert_eq!(waiter.wait(working), Ok(7));
    assert_eq!(lines(), ["INFO telemetry: working", "INFO attempt{name=\"asked\" attempt=1}: telemetry: working"]);
}
