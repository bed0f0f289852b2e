//! A span around each attempt, for those who ask.

/// What `spans` asks for.
#[derive(Clone, Copy, Debug)]
pub struct Spans;

/// The feature `tracing` is on.
#[diagnostic::on_unimplemented(
    message = "spans need the feature `tracing` of `backoff-core`",
    label = "there is nothing to make a span with",
    note = "enable the feature `tracing` of `backoff-core`, or leave `spans` out"
)]
pub trait TracingFeature {}

#[cfg(feature = "tracing")]
impl TracingFeature for Spans {}

/// The span of an attempt, or one that does nothing.
#[cfg(feature = "tracing")]
pub(super) fn span(wanted: bool, name: &'static str, attempt: u32) -> tracing::Span {
    if wanted { tracing::debug_span!(target: "backoff", "attempt", name, attempt) } else { tracing::Span::none() }
}
