//! What the loops for threads and for futures have in common.

use super::{at, plan};
use crate::model::Model;
use crate::parse::{Function, same, span_of, without_impl_trait};
use crate::quote::{Tokens, quote};
use crate::token::{Ident, Span, TokenTree};

/// The parts of a loop, each a few tokens. Its variables have names that nobody else has: hygiene does not keep
/// a local apart from a constant of the same name.
pub(super) struct Pieces {
    /// The short name of the private part of the engine.
    pub(super) p: Ident,
    /// Makes the plan.
    pub(super) plan_statement: Tokens,
    /// Borrows the plan.
    pub(super) plan: Tokens,
    /// The function that starts a run, if it depends on what is known of the plan.
    pub(super) start: Option<&'static str>,
    /// Whether the outcome is a success.
    pub(super) judge: Tokens,
    /// What the function does with a success, and how it returns it.
    pub(super) success: Tokens,
    /// Looks at the failure before it is moved on, if anyone asks.
    pub(super) inspect: Option<Tokens>,
    /// The arguments that tell the engine of the failure: none, or what was found and the hook for retries.
    pub(super) details: Option<Tokens>,
    /// What the function does when the run is over, with the outcome and how it ended.
    pub(super) give_up: Tokens,
    /// The pattern that binds how the run ended, if anyone asks.
    pub(super) stop: Tokens,
    /// What follows when a guard keeps the run from its first attempt, if one can.
    pub(super) rejected: Option<Tokens>,
}

/// An expression of the user's, and where to show what is wrong with it.
struct Expression<'a> {
    place: Span,
    p: Ident,
    tokens: &'a [TokenTree],
}

impl Pieces {
    pub(super) fn new(function: &Function, model: &Model, output: &[TokenTree]) -> Self {
        let span = Span::mixed_site();
        let p = engine(span);
        let plan::Plan { statement: plan_statement, reference: plan, start } = plan::plan(function, model);
        let is_inner = function.is_async_trait() || !model.clones.is_empty();
        let exit = if is_inner { quote!(span=> break) } else { quote!(span=> return) };
        let judge = judge(model, output, &plan);
        let success = success(function, model, &plan, &exit);
        let (inspect, details) = details(model, &plan);
        let on_give_up = expression(model, "on_give_up").map(|Expression { place, p, tokens }| {
            let seen = seen(model, place);
            quote!(place=> #p::on_give_up(#plan, &__backoff_stop, #seen(&__backoff_outcome), #tokens);)
        });
        let end = if let Some(Expression { place, p, tokens }) = expression(model, "exhausted") {
            let failure = if model.expression("until").is_some() { "into_value" } else { "into_failure" };
            let failure = Ident::new(failure, place);
            quote!(place=> #p::exhausted(#p::#failure(__backoff_outcome), __backoff_stop, #tokens))
        } else {
            quote!(span=> __backoff_outcome)
        };
        let is_seen = model.expression("exhausted").or(model.expression("on_give_up")).is_some();
        let stop = if is_seen { quote!(span=> __backoff_stop) } else { quote!(span=> _) };
        let give_up = quote!(span=> #on_give_up #exit #end;);
        let rejected = model.may_be_rejected().then(|| rejected(model, output, &exit));
        Self { p, plan_statement, plan, start, judge, success, inspect, details, give_up, stop, rejected }
    }
}

/// The short name of the private part of the engine, for a call that is to be blamed on `place`.
pub(super) fn engine(place: Span) -> Ident {
    Ident::new("__backoff", place)
}

/// What is wrong with an expression of the user's is shown there.
fn expression<'a>(model: &'a Model, key: &str) -> Option<Expression<'a>> {
    let tokens = model.expression(key)?;
    let place = at(span_of(tokens));
    Some(Expression { place, p: engine(place), tokens })
}

/// What is wrong with the type of the outcome is shown at the return type.
fn judge(model: &Model, output: &[TokenTree], plan: &Tokens) -> Tokens {
    let span = Span::mixed_site();
    let outcome = quote!(at(span_of(output))=> &__backoff_outcome);
    let judged = if let Some(Expression { place, p, tokens }) = expression(model, "until") {
        quote!(place=> #p::is_success_until(#plan, &__backoff_run, #outcome, #tokens))
    } else {
        let p = engine(span);
        quote!(span=> #p::is_success(#plan, &__backoff_run, #outcome))
    };
    // A cut attempt returned nothing that could be judged.
    if model.attempt_timeout.is_some() { quote!(span=> !__backoff_cut && #judged) } else { judged }
}

fn success(function: &Function, model: &Model, plan: &Tokens, exit: &Tokens) -> Tokens {
    let span = Span::mixed_site();
    let p = engine(span);
    let settle = Ident::new(if function.is_async() { "settle_async" } else { "settle" }, span);
    let settle = model.is_guarded().then(|| quote!(span=> #p::#settle(#plan, &mut __backoff_run);));
    let hook = expression(model, "on_success")
        .map(|Expression { place, p, tokens }| quote!(place=> #p::on_success(#plan, &__backoff_run, #tokens);));
    quote!(span=> #settle #hook #exit __backoff_outcome;)
}

/// What the engine has to be told of a failure, beyond that it is one.
fn details(model: &Model, plan: &Tokens) -> (Option<Tokens>, Option<Tokens>) {
    let span = Span::mixed_site();
    let p = engine(span);
    let when = expression(model, "when")
        .map(|Expression { place, p, tokens }| quote!(place=> #p::when(&__backoff_outcome, #tokens)));
    let hint = expression(model, "hint").map(|Expression { place, p, tokens }| {
        let seen = seen(model, place);
        quote!(place=> #p::hint(#seen(&__backoff_outcome), #tokens))
    });
    let hook = expression(model, "on_retry").map(|Expression { place, p, tokens }| {
        let seen = seen(model, place);
        quote!(place=> |__backoff_pause, __backoff_outcome| #p::on_retry(#plan, __backoff_pause, #seen(__backoff_outcome), #tokens))
    });
    if when.is_none() && hint.is_none() && hook.is_none() && !model.is_guarded() {
        return (None, None);
    }
    let transient = match when {
        Some(when) if model.attempt_timeout.is_some() => quote!(span=> __backoff_cut || #when),
        Some(when) => when,
        None => quote!(span=> true),
    };
    let hint = hint.unwrap_or_else(|| quote!(span=> #p::None));
    let hook = hook.unwrap_or_else(|| quote!(span=> #p::no_hook));
    let inspect = quote!(span=> let __backoff_failure = #p::Failure { transient: #transient, hint: #hint };);
    (Some(inspect), Some(quote!(span=> , __backoff_failure, #hook)))
}

/// The failure as hooks and hints see it: the error, or under `until` the whole value.
fn seen(model: &Model, place: Span) -> Tokens {
    let p = engine(place);
    if model.expression("until").is_some() { quote!(place=> #p::value) } else { quote!(place=> #p::failure) }
}

/// A guard keeps the run from its first attempt: it is told of, and the function returns what `exhausted` or else its return
/// type makes of a rejection.
fn rejected(model: &Model, output: &[TokenTree], exit: &Tokens) -> Tokens {
    let span = Span::mixed_site();
    let p = engine(span);
    let place = at(span_of(output));
    let blamed = engine(place);
    let output = without_impl_trait(output);
    let nothing = if model.expression("until").is_some() { "no_value" } else { "no_failure" };
    let nothing = Ident::new(nothing, place);
    let nothing = quote!(place=> #blamed::#nothing::<#output>());
    let tell = model
        .expression("on_give_up")
        .map(|hook| quote!(span=> #p::on_give_up(&__backoff_plan, &__backoff_stop, #nothing.as_ref(), #hook);));
    let value = if let Some(map) = model.expression("exhausted") {
        quote!(span=> #p::exhausted(#nothing, __backoff_stop, #map))
    } else {
        quote!(place=> #blamed::rejected::<#output>(&__backoff_stop))
    };
    quote!(span=> #tell #exit #value;)
}

/// The loop and what follows it. "inside of this loop" is said of the function's name.
pub(super) fn around(function: &Function, attempts: &Tokens, consume: Option<&Tokens>) -> Tokens {
    let span = Span::mixed_site();
    let attempts = quote!(at(function.name.span())=> loop { #attempts });
    match consume {
        Some(consume) if function.is_async_trait() => {
            quote!(span=> let __backoff_outcome = #attempts; #consume __backoff_outcome)
        }
        Some(consume) => quote!(span=> let __backoff_outcome = #attempts; #consume return __backoff_outcome;),
        None => attempts,
    }
}

/// The clones of the arguments for one attempt.
pub(super) struct Clones {
    /// Makes them, outside of the attempt.
    pub(super) make: Tokens,
    /// Gives them the names of the arguments, inside.
    pub(super) bind: Tokens,
    /// Takes the arguments by value behind the loop, as the body would: otherwise clippy says that a reference would do.
    pub(super) consume: Option<Tokens>,
}

/// ```text
/// let cloned_0 = cloned(&request);        outside of the attempt
/// let request = cloned_0;                 inside, where only the clone is moved in
/// ```
pub(super) fn clones(function: &Function, model: &Model) -> Clones {
    let span = Span::mixed_site();
    let p = engine(span);
    let mut clones = Clones { make: Tokens::new(), bind: Tokens::new(), consume: None };
    let parameters = function.parameter_names();
    for (index, name) in model.clones.iter().enumerate() {
        let clone = Ident::new(&format!("__backoff_cloned_{index}"), span);
        // A type that is not `Clone` is shown at its name in `clone(..)`.
        let place = at(name.span());
        let blamed = engine(place);
        // What happens at the end may use the argument up.
        if !model.is_mentioned_at_the_end(name) {
            clones.consume.get_or_insert_default().extend(quote!(span=> #p::consume(#name);));
        }
        let is_mut = parameters.iter().any(|(parameter, is_mut)| same(parameter, name) && *is_mut);
        if is_mut {
            clones.make.extend(quote!(place=> let #clone = #blamed::cloned_mut(&mut #name);));
            clones.bind.extend(quote!(span=> let mut #name = #clone;));
        } else {
            clones.make.extend(quote!(place=> let #clone = #blamed::cloned(&#name);));
            clones.bind.extend(quote!(span=> let #name = #clone;));
        }
    }
    clones
}
