//! What the loops for threads and for futures have in common.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote_spanned};

use super::{at, plan};
use crate::model::Model;
use crate::parse::{Function, span_of, without_impl_trait};

/// The parts of a loop, each a few tokens. Its variables have names that nobody else has: hygiene does not keep
/// a local apart from a constant of the same name.
pub(super) struct Pieces {
    /// The path of the private part of the engine.
    pub(super) p: TokenStream,
    /// Makes the plan.
    pub(super) plan_statement: TokenStream,
    /// Borrows the plan.
    pub(super) plan: TokenStream,
    /// Judges the outcome.
    pub(super) judge: TokenStream,
    /// Finds the hint in the outcome, before that is moved on.
    pub(super) find_hint: Option<TokenStream>,
    /// The hint.
    pub(super) hint: TokenStream,
    /// The hook for retries, as a closure over the pause and the outcome.
    pub(super) on_retry: TokenStream,
    /// Tells of a success.
    pub(super) on_success: TokenStream,
    /// Tells of giving up, if anyone listens.
    pub(super) on_give_up: Option<TokenStream>,
    /// What the function returns when it gives up.
    pub(super) end: TokenStream,
    /// Leaves the loop: `return`, or `break` where something follows it.
    pub(super) exit: TokenStream,
    /// The pattern for the reason, `_` if nobody looks at it.
    pub(super) stop: TokenStream,
    /// What follows when a guard keeps the run from its first attempt, if there is such a guard.
    pub(super) rejected: Option<TokenStream>,
}

impl Pieces {
    pub(super) fn new(function: &Function, model: &Model, output: &[TokenTree]) -> Self {
        let span = Span::mixed_site();
        let p = model.private(span);
        let plan::Plan { statement: plan_statement, reference: plan } = plan::plan(function, model);
        // What is wrong with an expression of the user's is shown there, and what is wrong with the type of the outcome at
        // the return type.
        let expression = |key| {
            let tokens = model.expression(key)?;
            let span = at(tokens.clone().into_iter().next().map_or(span, |token| token.span()));
            Some((span, model.private(span), tokens))
        };
        let outcome = quote_spanned!(at(span_of(output))=> &__backoff_outcome);
        let judge = match (expression("when"), expression("until")) {
            (_, Some((span, p, until))) => quote_spanned!(span=> #p::judge_until(#outcome, #until)),
            (Some((span, p, when)), None) => quote_spanned!(span=> #p::judge_when(#outcome, #when)),
            (None, None) => quote_spanned!(span=> #p::judge(#outcome)),
        };
        let is_whole = model.expression("until").is_some();
        let seen = |span, p: &TokenStream| {
            if is_whole { quote_spanned!(span=> #p::value) } else { quote_spanned!(span=> #p::failure) }
        };
        let find_hint = expression("hint").map(|(span, p, hint)| {
            let seen = seen(span, &p);
            quote_spanned!(span=> let __backoff_hint = #p::hint(#seen(&__backoff_outcome), #hint);)
        });
        let hint =
            if find_hint.is_some() { quote_spanned!(span=> __backoff_hint) } else { quote_spanned!(span=> #p::None) };
        let on_retry = if let Some((span, p, hook)) = expression("on_retry") {
            let seen = seen(span, &p);
            quote_spanned!(span=> |__backoff_pause, __backoff_outcome| #p::on_retry(#plan, __backoff_pause, #seen(__backoff_outcome), #hook))
        } else {
            quote_spanned!(span=> |_, _| ())
        };
        let (at_hook, hooked, hook) = expression("on_success").map_or_else(
            || (span, p.clone(), quote_spanned!(span=> |_| ())),
            |(span, p, hook)| (span, p, hook.clone()),
        );
        let on_success = quote_spanned!(at_hook=> #hooked::on_success(#plan, &__backoff_run, #hook));
        let on_give_up = expression("on_give_up").map(|(span, p, hook)| {
            let seen = seen(span, &p);
            quote_spanned!(span=> #p::on_give_up(#plan, &__backoff_stop, #seen(&__backoff_outcome), #hook);)
        });
        let end = match expression("exhausted") {
            Some((span, p, map)) if is_whole => {
                quote_spanned!(span=> #p::exhausted(#p::into_value(__backoff_outcome), __backoff_stop, #map))
            }
            Some((span, p, map)) => {
                quote_spanned!(span=> #p::exhausted(#p::into_failure(__backoff_outcome), __backoff_stop, #map))
            }
            None => quote_spanned!(span=> __backoff_outcome),
        };
        let is_inner = function.is_async_trait() || !model.clones.is_empty();
        let exit = if is_inner { quote_spanned!(span=> break) } else { quote_spanned!(span=> return) };
        let is_seen = model.expression("exhausted").or(model.expression("on_give_up")).is_some();
        let stop = if is_seen { quote_spanned!(span=> __backoff_stop) } else { quote_spanned!(span=> _) };
        let rejected = model.may_be_rejected().then(|| rejected(model, output, &exit));
        Self {
            p,
            plan_statement,
            plan,
            judge,
            find_hint,
            hint,
            on_retry,
            on_success,
            on_give_up,
            end,
            exit,
            stop,
            rejected,
        }
    }
}

/// What follows when a guard keeps the run from its first attempt: it is told of, and the function returns what `exhausted` or
/// else its return type makes of a rejection.
fn rejected(model: &Model, output: &[TokenTree], exit: &TokenStream) -> TokenStream {
    let span = Span::mixed_site();
    let p = model.private(span);
    let place = at(span_of(output));
    let blamed = model.private(place);
    let output = without_impl_trait(output);
    let nothing = if model.expression("until").is_some() {
        quote_spanned!(place=> #blamed::no_value::<#output>())
    } else {
        quote_spanned!(place=> #blamed::no_failure::<#output>())
    };
    let tell = model
        .expression("on_give_up")
        .map(|hook| quote_spanned!(span=> #p::on_give_up(&__backoff_plan, &__backoff_stop, #nothing.as_ref(), #hook);));
    let value = if let Some(map) = model.expression("exhausted") {
        quote_spanned!(span=> #p::exhausted(#nothing, __backoff_stop, #map))
    } else {
        quote_spanned!(place=> #blamed::rejected::<#output>(&__backoff_stop))
    };
    quote_spanned!(span=> #tell #exit #value;)
}

/// The loop and what follows it. "inside of this loop" is said of the function's name.
pub(super) fn around(function: &Function, attempts: &TokenStream, consume: Option<&TokenStream>) -> TokenStream {
    let span = Span::mixed_site();
    let attempts = quote_spanned!(at(function.name.span())=> loop { #attempts });
    match consume {
        Some(consume) if function.is_async_trait() => {
            quote_spanned!(span=> let __backoff_outcome = #attempts; #consume __backoff_outcome)
        }
        Some(consume) => quote_spanned!(span=> let __backoff_outcome = #attempts; #consume return __backoff_outcome;),
        None => attempts,
    }
}

/// The clones of the arguments for one attempt.
pub(super) struct Clones {
    /// Makes them, outside of the attempt.
    pub(super) make: TokenStream,
    /// Gives them the names of the arguments, inside.
    pub(super) bind: TokenStream,
    /// Takes the arguments by value behind the loop, as the body would: otherwise clippy says that a reference would do.
    pub(super) consume: Option<TokenStream>,
}

/// ```text
/// let cloned_0 = cloned(&request);        outside of the attempt
/// let request = cloned_0;                 inside, where only the clone is moved in
/// ```
pub(super) fn clones(function: &Function, model: &Model) -> Clones {
    let span = Span::mixed_site();
    let p = model.private(span);
    let mut clones = Clones { make: TokenStream::new(), bind: TokenStream::new(), consume: None };
    let parameters = function.parameter_names();
    for (index, name) in model.clones.iter().enumerate() {
        let clone = Ident::new(&format_ident!("__backoff_cloned_{index}").to_string(), span);
        clones.consume.get_or_insert_default().extend(quote_spanned!(span=> #p::consume(#name);));
        let is_mut = parameters.iter().any(|(parameter, is_mut)| parameter == name && *is_mut);
        if is_mut {
            clones.make.extend(quote_spanned!(span=> let #clone = #p::cloned_mut(&mut #name);));
            clones.bind.extend(quote_spanned!(span=> let mut #name = #clone;));
        } else {
            clones.make.extend(quote_spanned!(span=> let #clone = #p::cloned(&#name);));
            clones.bind.extend(quote_spanned!(span=> let #name = #clone;));
        }
    }
    clones
}
