//! A rule of retry tokens is told and asked the same things behind a reference, in an `Arc` and in `Patient`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use backoff_core::guard::{Moment, Now, Patient, RetryQuota, RetryTokens, Taken};

/// Writes down what it is told, and at which second.
#[derive(Default)]
struct Spy(Mutex<Vec<String>>);

impl Spy {
    fn write(&self, line: String) {
        self.0.lock().expect("nothing panics here").push(line);
    }
}

fn second(now: Now<'_>) -> u64 {
    now().since(Moment::at(Duration::ZERO)).as_secs()
}

impl RetryTokens for Spy {
    fn began(&self, now: Now<'_>) {
        self.write(format!("began at {}", second(now)));
    }

    fn failed(&self, now: Now<'_>) {
        self.write(format!("failed at {}", second(now)));
    }

    fn take(&self, now: Now<'_>) -> Option<Taken> {
        self.write(format!("asked at {}", second(now)));
        Some(Taken(7))
    }

    fn give_back(&self, taken: Taken) {
        self.write(format!("got {} back", taken.0));
    }

    fn succeeded(&self, last: Option<Taken>, now: Now<'_>) {
        self.write(format!("succeeded with {:?} at {}", last.map(|taken| taken.0), second(now)));
    }
}

const RIGHT: [&str; 5] = ["began at 1", "failed at 2", "asked at 3", "got 5 back", "succeeded with Some(7) at 4"];

fn at(second: u64) -> impl Fn() -> Moment {
    move || Moment::at(Duration::from_secs(second))
}

/// Tells a rule everything once; whether it makes a run wait that it refuses.
fn told(rule: &dyn RetryTokens) -> bool {
    rule.began(&at(1));
    rule.failed(&at(2));
    assert_eq!(rule.take(&at(3)), Some(Taken(7)));
    rule.give_back(Taken(5));
    rule.succeeded(Some(Taken(7)), &at(4));
    rule.is_patient()
}

#[test]
fn behind_a_reference_and_in_an_arc() {
    let spy = Arc::new(Spy::default());
    assert!(!told(&&*spy));
    assert!(!told(&spy));
    assert_eq!(*spy.0.lock().unwrap(), [RIGHT, RIGHT].concat());
}

#[test]
fn patient_changes_only_whether_a_run_waits() {
    let patient = Arc::new(Patient(Spy::default()));
    assert!(told(&*patient));
    assert!(told(&&*patient));
    assert!(told(&patient), "patience is passed on as well");
    assert_eq!(*patient.0.0.lock().unwrap(), [RIGHT, RIGHT, RIGHT].concat());
}

#[test]
fn a_rule_needs_to_say_no_more_than_whether_there_may_be_a_retry() {
    struct Never;
    impl RetryTokens for Never {
        fn take(&self, _: Now<'_>) -> Option<Taken> {
            None
        }
    }
    let unread: Now<'_> = &|| panic!("a rule that does not care reads no clock");
    Never.began(unread);
    Never.failed(unread);
    Never.succeeded(None, unread);
    assert!(!Never.is_patient());
    assert_eq!(Never.take(unread), None);
}

#[test]
fn a_quota_at_another_price_is_the_same_quota() {
    let quota = RetryQuota::new();
    let dear = quota.at_cost(14);
    let unread: Now<'_> = &|| panic!("a quota reads no clock");
    let taken = dear.take(unread);
    assert_eq!((taken, quota.left()), (Some(Taken(14)), 486));
    dear.give_back(Taken(14));
    assert_eq!(quota.left(), 500);
    assert_eq!(dear.take(unread), Some(Taken(14)));
    dear.succeeded(None, unread);
    assert_eq!(quota.left(), 487, "one for a success at the first attempt");
    dear.succeeded(taken, unread);
    assert_eq!(quota.left(), 500, "what the last retry took, and no more than there can be");
}
