//! Guards of virtual time that do not end in the order in which they began, as those of two futures in one thread.

use backoff_core::ExponentialBackoff;
use backoff_core::testing::VirtualTime;

#[test]
fn guards_that_are_dropped_in_another_order_leave_the_right_time() {
    let (first, second) = (VirtualTime::new(), VirtualTime::new());
    let outer = first.enter();
    let inner = second.enter();
    drop(outer);
    assert!(ExponentialBackoff::new().wait(|| None::<u8>).is_err());
    assert_eq!((first.sleeps().len(), second.sleeps().len()), (0, 5));
    drop(inner);
}
