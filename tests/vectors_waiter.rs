//! The schedules of `data/waiter.json`, row by row, under every driver.

mod support;

use std::time::Duration;

use backoff_core::{ExponentialBackoff, FinalSleep, Reason};
use serde::Deserialize;
use serde_json::Value;
use support::{Case, Draw, Op, us};

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
    config_validation: Vec<Validation>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    config: Config,
    inputs: Inputs,
    expected: Expected,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    initial_us: Option<u64>,
    budget_us: Option<u64>,
    multiplier: Option<f64>,
    max_delay_us: Option<u64>,
    jitter: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inputs {
    #[serde(default)]
    op_durations: Vec<u64>,
    succeed_on: Option<usize>,
    draws: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    outcome: String,
    calls: usize,
    sleeps_us: Vec<u64>,
    attempt_start_us: Vec<u64>,
    end_us: u64,
    rng_calls: Vec<RngCall>,
}

#[derive(Deserialize)]
struct RngCall {
    min: u128,
    max: u128,
    ret: u128,
}

#[derive(Deserialize)]
struct Validation {
    args: serde_json::Map<String, Value>,
    result: String,
}

fn file() -> File {
    serde_json::from_str(include_str!("data/waiter.json")).expect("the vectors are readable")
}

fn micros(list: &[u64]) -> Vec<Duration> {
    list.iter().copied().map(us).collect()
}

impl Config {
    fn policy(&self) -> ExponentialBackoff {
        let mut policy = ExponentialBackoff::new().final_sleep(FinalSleep::Trim);
        if let Some(initial) = self.initial_us {
            policy = policy.initial(us(initial));
        }
        if let Some(budget) = self.budget_us {
            policy = policy.budget(us(budget));
        }
        if let Some(multiplier) = self.multiplier {
            policy = policy.multiplier(multiplier);
        }
        if let Some(max_delay) = self.max_delay_us {
            policy = policy.max_delay(us(max_delay));
        }
        match &self.jitter {
            Some(jitter) => policy.jitter(jitter.parse().expect("a jitter")),
            None => policy,
        }
    }
}

impl Vector {
    fn case(&self) -> Case {
        let mut case = Case::new(self.config.policy());
        if !self.inputs.op_durations.is_empty() {
            case = case.op_times(micros(&self.inputs.op_durations));
        }
        if let Some(succeed_on) = self.inputs.succeed_on {
            let mut ops = vec![Op::Fails; succeed_on - 1];
            ops.push(Op::Succeeds);
            case = case.ops(ops);
        }
        match &self.inputs.draws {
            None => case,
            Some(Value::String(end)) if end == "max" => case.every_draw(1.0),
            Some(Value::String(end)) if end == "min" => case.every_draw(0.0),
            Some(list) => case.draws(Vec::deserialize(list).expect("a list of fractions")),
        }
    }

    fn check(&self) {
        let Self { name, expected, .. } = self;
        let seen = self.case().run();
        assert_eq!(seen.calls(), expected.calls, "{name}: calls");
        assert_eq!(seen.sleeps, micros(&expected.sleeps_us), "{name}: sleeps");
        assert_eq!(seen.starts, micros(&expected.attempt_start_us), "{name}: attempt starts");
        assert_eq!(seen.end, us(expected.end_us), "{name}: end");
        let draw = |call: &RngCall| Draw { width: (call.max - call.min) * 1_000, drawn: (call.ret - call.min) * 1_000 };
        assert_eq!(seen.draws, expected.rng_calls.iter().map(draw).collect::<Vec<_>>(), "{name}: draws");
        if expected.outcome == "success" {
            assert_eq!(seen.result, Ok(()), "{name}");
        } else {
            assert_eq!(expected.outcome, "timeout", "{name}");
            let error = seen.failure();
            assert_eq!(error.reason(), Reason::Budget, "{name}");
            assert_eq!(error.attempts() as usize, expected.calls, "{name}: attempts in the error");
            assert_eq!(error.elapsed(), us(expected.end_us), "{name}: elapsed in the error");
            assert_eq!(error.slept(), seen.sleeps.iter().sum(), "{name}: slept in the error");
            assert_eq!(
                error.last().map(|last| last.call),
                Some(expected.calls),
                "{name}: the failure of the last call"
            );
        }
    }
}

#[test]
fn every_schedule_is_kept_by_every_driver() {
    let vectors = file().vectors;
    assert_eq!(vectors.len(), 25);
    vectors.iter().for_each(Vector::check);
}

/// The arguments as a policy in a file would have them; what JSON can't write goes through the builder.
fn validate(args: &serde_json::Map<String, Value>) -> Result<ExponentialBackoff, String> {
    let mut policy = serde_json::Map::new();
    for (name, value) in args {
        match (name.as_str(), value) {
            ("multiplier", Value::String(text)) => {
                let multiplier = text.parse().expect("a number, if not a finite one");
                let built = ExponentialBackoff::builder().multiplier(multiplier).build();
                return built.map_err(|error| error.to_string());
            }
            (_, Value::Null) => {}
            ("multiplier", number) => drop(policy.insert(name.clone(), number.clone())),
            (name, micros) => drop(policy.insert(name.replace("_us", ""), format!("{micros}us").into())),
        }
    }
    serde_json::from_value(Value::Object(policy)).map_err(|error| error.to_string())
}

#[test]
fn wrong_values_are_refused_by_the_name_of_their_field() {
    let rows = file().config_validation;
    assert_eq!(rows.len(), 11);
    for Validation { args, result } in rows {
        let name = args.keys().next().expect("an argument").replace("_us", "");
        match validate(&args) {
            Ok(_) => assert_eq!(result, "ok", "{args:?}"),
            Err(error) => {
                assert_ne!(result, "ok", "{args:?}");
                assert!(error.starts_with(&format!("`{name}` can't be `")), "{error}");
            }
        }
    }
}
