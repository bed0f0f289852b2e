//! Looking through an error to its causes, for predicates that must not stop at the wrapping.

use core::error::Error;

/// An error and all of its sources, outermost first. Made by [`sources`].
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    next: Option<&'a (dyn Error + 'static)>,
}

/// The error itself and then each [`source`](Error::source) below it.
///
/// ```
/// use backoff_core::error::sources;
/// let error = std::io::Error::other("x".parse::<u8>().unwrap_err());
/// assert_eq!(sources(&error).count(), 1);
/// ```
#[must_use]
pub fn sources<'a>(error: &'a (dyn Error + 'static)) -> Sources<'a> {
    Sources { next: Some(error) }
}

impl<'a> Iterator for Sources<'a> {
    type Item = &'a (dyn Error + 'static);

    fn next(&mut self) -> Option<Self::Item> {
        let error = self.next?;
        self.next = error.source();
        Some(error)
    }
}

/// The first error of type `E` in the chain, at any depth.
///
/// An error wrapped in [`std::io::Error`] by `io::Error::other` is not among its sources, so it is looked for there too.
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// use backoff_core::error::find_source;
/// use std::io::{Error, ErrorKind};
///
/// // A reset connection is worth another attempt, however deep the client has wrapped it.
/// let reset = |error: &Box<dyn std::error::Error>| {
///     find_source::<Error>(&**error).is_some_and(|error| error.kind() == ErrorKind::ConnectionReset)
/// };
/// let policy = ExponentialBackoff::new();
/// let error = policy.when(reset).retry(|| Err::<(), _>("no such user".into())).unwrap_err();
/// assert_eq!(error.attempts(), 1);
/// ```
#[must_use]
pub fn find_source<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    sources(error).find_map(|error| error.downcast_ref().or_else(|| inside_io(error)))
}

#[cfg(feature = "std")]
fn inside_io<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let inner = error.downcast_ref::<std::io::Error>()?.get_ref()?;
    find_source(inner)
}

#[cfg(not(feature = "std"))]
fn inside_io<'a, E: Error + 'static>(_: &'a (dyn Error + 'static)) -> Option<&'a E> {
    None
}
