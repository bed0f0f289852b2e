//! Whatever stands in a policy file, as TOML or JSON: no panic, what is refused has a reason, and what is accepted is within the
//! limits and comes back the same.
#![no_main]

use backoff_core::ExponentialBackoff;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match toml::from_str::<ExponentialBackoff>(text) {
        Ok(policy) => {
            check(&policy);
            let written = toml::to_string(&policy).expect("a policy can be written");
            assert_eq!(toml::from_str(&written), Ok(policy), "{written}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(policy) = serde_json::from_str::<ExponentialBackoff>(text) {
        check(&policy);
        let written = serde_json::to_string(&policy).expect("a policy can be written");
        assert_eq!(serde_json::from_str::<ExponentialBackoff>(&written).ok(), Some(policy), "{written}");
    }
});

fn check(policy: &ExponentialBackoff) {
    assert!(!policy.get_initial().is_zero() && !policy.get_max_hint().is_zero());
    assert!(policy.get_multiplier().is_finite() && policy.get_multiplier() > 1.0);
    assert!(policy.get_budget().is_none_or(|budget| !budget.is_zero()));
    assert!(policy.get_max_delay().is_none_or(|most| !most.is_zero()));
    assert!(policy.get_max_attempts() != Some(0));
    assert!(policy.delay(0) <= policy.delay(7) && !policy.delay(u32::MAX).is_zero());
}
