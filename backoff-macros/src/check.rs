//! What can't work, refused at its token.

use crate::token::{Delimiter, Span, TokenTree};

use crate::errors::Errors;
use crate::expand;
use crate::keys::list;
use crate::model::Model;
use crate::parse::{
    Function, Item, NotAFunction, has_word, is_named, is_punct, mutable_borrows, peeled, same, span_of,
};

/// Checks the function and how the options go together. Nothing comes back if this is not a function at all.
pub(crate) fn function(item: &Item, model: &Model, errors: &mut Errors) -> Option<Function> {
    let function = match &item.function {
        Ok(function) => function.clone(),
        Err(found) => {
            errors.push(found.span, not_a_function(found));
            return None;
        }
    };
    header(&function, errors);
    if function.body.is_none() {
        errors.push(
            function.name.span(),
            "a function without a body has nothing to retry: put `#[exponential_backoff]` on the implementations",
        );
    } else if function.constness.is_none() {
        output(&function, model, errors);
    }
    async_trait(&function, errors);
    options(&function, model, errors);
    Some(function)
}

fn not_a_function(found: &NotAFunction) -> String {
    match found.word.as_deref() {
        Some(word @ ("impl" | "trait")) => format!(
            "`#[exponential_backoff]` goes on a function; put it on each method inside this `{word}` that is to be retried"
        ),
        Some(word) => format!("`#[exponential_backoff]` goes on a function, not on `{word}`"),
        None => "`#[exponential_backoff]` goes on a function".to_owned(),
    }
}

fn header(function: &Function, errors: &mut Errors) {
    if let Some(span) = function.constness {
        errors.push(span, "a `const fn` can't sleep between attempts: remove `const`, or retry where it is called");
    }
    if let Some(span) = function.repeated.or_else(|| expand::is_expanded(function).then(|| function.name.span())) {
        errors.push(
            span,
            "`#[exponential_backoff]` stands twice on this function, which would multiply the attempts: keep one",
        );
    }
    if let Some(span) = function.track_caller {
        errors.push(
            span,
            "`#[track_caller]` can't reach into the attempts, so it would show a place in this attribute: remove it",
        );
    }
}

fn async_trait(function: &Function, errors: &mut Errors) {
    let Some(body) = function.body.as_ref().filter(|_| function.is_async_trait()) else { return };
    if !expand::understands_async_trait(body) {
        errors.push(
            function.name.span(),
            "this method comes from `#[async_trait]`, but its body is not of a form that is known here: it must return a \
             `Result` or an `Option`, and attributes that change the body, such as `#[instrument]`, stand below this one",
        );
    }
}

fn output(function: &Function, model: &Model, errors: &mut Errors) {
    unit(function, model, errors);
    let Some(output) = &function.output else { return };
    // A named lifetime is that of an argument which has it. An elided one is that of the receiver, or else of any argument.
    let receiver = function.borrowed_receiver();
    let arguments = mutable_borrows(&function.parameters);
    let elided = receiver.map_or_else(|| !arguments.is_empty(), |receiver| !mutable_borrows(receiver).is_empty());
    let borrowed = mutable_borrows(output).into_iter().find(|(_, lifetime)| match lifetime {
        Some(_) => arguments.iter().any(|(_, argument)| argument == lifetime),
        None => elided,
    });
    if let Some((span, _)) = borrowed {
        errors.push(
            span,
            "a `&mut` that is borrowed from an argument can't be returned from a retried function, because a \
             failed attempt would still hold it: return a value, or retry inside of the function by hand",
        );
    }
    if function.asyncness.is_none() && !function.is_async_trait() {
        if let Some((span, is_pinned)) = future(output) {
            let perhaps = if is_pinned {
                "; if `#[async_recursion]` has made that of an `async fn`, it stands below this attribute"
            } else {
                ""
            };
            errors.push(
                span,
                format_args!(
                    "this function only makes a future, and retrying that would run nothing: write `async fn` instead{perhaps}"
                ),
            );
        }
    }
}

/// Outcomes that say nothing. With `until` one is as good as another.
fn unit(function: &Function, model: &Model, errors: &mut Errors) {
    let needs = "`#[exponential_backoff]` needs a `Result` or an `Option` to know when to retry";
    let is_judged = model.expression("until").is_some();
    match function.output.as_deref() {
        None if !is_judged => errors.push(function.name.span(), format_args!("{needs}; this function returns `()`")),
        Some([TokenTree::Group(unit)])
            if unit.delimiter() == Delimiter::Parenthesis && unit.stream().is_empty() && !is_judged =>
        {
            errors.push(unit.span(), format_args!("{needs}; this function returns `()`"));
        }
        Some([never]) if is_punct(Some(never), '!') => {
            errors.push(never.span(), format_args!("{needs}; this function never returns"));
        }
        _ => {}
    }
}

/// A type that is a future, and whether it is pinned: `impl Future`, `Pin<Box<dyn Future>>`, `BoxFuture`.
fn future(output: &[TokenTree]) -> Option<(Span, bool)> {
    let path_end = output.iter().position(|token| is_punct(Some(token), '<')).unwrap_or(output.len());
    let name = output[..path_end].iter().rev().find_map(|token| match peeled(token) {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    })?;
    let name = name.to_string();
    let is_pinned = name == "Pin" && has_word(output, "Future");
    let is_boxed = ["Future", "BoxFuture", "LocalBoxFuture"].contains(&name.as_str());
    (is_boxed || is_pinned).then(|| (span_of(output), is_pinned))
}

fn options(function: &Function, model: &Model, errors: &mut Errors) {
    if let (Some(_), Some(span)) = (model.expression("when"), model.key_span("until")) {
        errors.push(span, "`until` decides about every value, so `when` has nothing left to say: keep one of the two");
    }
    let is_async = function.is_async();
    if let (Some(timeout), false) = (&model.attempt_timeout, is_async) {
        errors.push(
            timeout.key,
            "`attempt_timeout` needs an `async fn`, because a blocking call can't be cut from outside: give the call a \
             timeout of its own, for instance `attempt = attempt` and then `attempt.remaining()`",
        );
    }
    guards(model, errors);
    let parameters = function.parameter_names();
    for name in &model.clones {
        if parameters.iter().any(|(parameter, _)| same(parameter, name)) {
            continue;
        }
        if is_named(name, "self") {
            errors.push(
                name.span(),
                "`self` can't be cloned for each attempt, because it can't be bound again: clone it in the body",
            );
            continue;
        }
        let known = list(parameters.iter().map(|(parameter, _)| parameter));
        let known = if known.is_empty() { "it has none".to_owned() } else { format!("it has {known}") };
        errors.push(name.span(), format_args!("`{name}` is not a parameter of this function; {known}"));
    }
}

/// Guards that have nothing to do, or that would decide about the same thing.
fn guards(model: &Model, errors: &mut Errors) {
    for key in ["retry_budget", "retry_queue"] {
        if let (Some(span), true) = (model.key_span(key), model.is_single_attempt()) {
            errors.push(
                span,
                format_args!(
                    "`max_attempts = 1` makes no retry, so `{key}` has nothing to decide: allow more attempts, or remove it"
                ),
            );
        }
    }
    if let (Some(_), Some(span)) = (model.key_span("pacer"), model.key_span("retry_queue")) {
        errors.push(
            span,
            "`pacer` and `retry_queue` both decide when a retry goes out: keep the queue for a service that may be down, or the \
             pacer for one that limits how often it is called",
        );
    }
}
