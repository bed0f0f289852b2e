//! CF: what a policy in a file or in flags may say.

mod support;

use std::time::Duration;

use backoff_core::ExponentialBackoff;
use serde_json::json;
use support::{Case, all_ms, ms, secs, unlimited, us};

fn read(policy: serde_json::Value) -> Result<ExponentialBackoff, String> {
    serde_json::from_value(policy).map_err(|error| error.to_string())
}

fn refusal(policy: serde_json::Value) -> String {
    read(policy).expect_err("it is refused")
}

#[test]
fn cf_01_negative_values_are_refused_by_name() {
    assert_eq!(
        refusal(json!({ "initial": "-1s" })),
        "`initial` can't be `-1s`: a duration can't be negative, write it without `-`"
    );
    assert_eq!(
        refusal(json!({ "max_delay": "-1s" })),
        "`max_delay` can't be `-1s`: a duration can't be negative, write it without `-`"
    );
    let multiplier = "`multiplier` can't be `-2`: it must be a finite number greater than 1, such as `2.0`; \
                      for a constant delay set `max_delay` equal to `initial`";
    assert_eq!(refusal(json!({ "multiplier": -2 })), multiplier);
    assert_eq!(ExponentialBackoff::builder().multiplier(-2.0).build().expect_err("refused").to_string(), multiplier);
}

#[test]
fn cf_03_durations_are_compared_not_their_numbers() {
    let policy = read(json!({ "initial": "500ms", "budget": "10s" })).expect("a policy");
    assert_eq!((policy.get_initial(), policy.get_budget()), (ms(500), Some(secs(10))));
}

#[test]
fn cf_05_the_sign_is_looked_at_before_the_unit() {
    for text in ["-1us", "-999999ns", "-0s"] {
        let expected = format!("`initial` can't be `{text}`: a duration can't be negative, write it without `-`");
        assert_eq!(refusal(json!({ "initial": text })), expected);
    }
    assert_eq!(
        refusal(json!({ "initial": "0s" })),
        "`initial` can't be `0s`: the first delay must be longer than zero, such as `200ms`"
    );
}

#[test]
fn cf_06_one_grammar_for_durations() {
    let accepted =
        [("200ms", ms(200)), ("3.5s", ms(3_500)), ("1m30s", secs(90)), ("1.5h", secs(5_400)), ("250us", us(250))];
    for (text, duration) in accepted {
        let policy = read(json!({ "initial": text }));
        assert_eq!(policy.map(|policy| policy.get_initial()), Ok(duration), "{text}");
    }
    for text in ["5", "5mins", "1s1m", "", "s", "1..5s", "1e3s", "99999999999999999999s"] {
        let message = refusal(json!({ "initial": text }));
        assert!(message.starts_with(&format!("`initial` can't be `{text}`: ")), "{message}");
    }
}

#[test]
fn cf_08_the_delay_grows() {
    let policy = unlimited().initial(ms(100)).max_delay(ms(1_000)).max_attempts(5);
    assert_eq!(Case::new(policy).run().sleeps, all_ms([100, 200, 400, 800]));
    let constant = policy.max_delay(ms(100));
    assert_eq!(Case::new(constant).run().sleeps, [ms(100); 4], "unless the cap is the first delay");
    assert_eq!(constant.delay(u32::MAX), ms(100));
    assert_eq!(Duration::from_millis(100), constant.get_initial());
}
