//! What the loops for threads and for futures have in common.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote_spanned};

use super::plan;
use crate::model::Model;
use crate::parse::{Function, span_of};

/// The parts of a loop, each a few tokens. `outcome`, `stop` and `run` are its variables.
pub(super) struct Pieces {
    /// The path of the private part of the engine.
    pub(super) p: TokenStream,
    /// Makes the plan.
    pub(super) plan_statement: TokenStream,
    /// Borrows the plan.
    pub(super) plan: TokenStream,
    /// Judges the outcome.
    pub(super) judge: TokenStream,
    /// Finds the hint in the outcome.
    pub(super) hint: TokenStream,
    /// The hook for retries, as a closure over the pause and the outcome.
    pub(super) on_retry: TokenStream,
    /// Tells of a success.
    pub(super) on_success: TokenStream,
    /// Tells of giving up, if anyone listens.
    pub(super) on_give_up: TokenStream,
    /// What the function returns when it gives up.
    pub(super) end: TokenStream,
    /// The pattern for the reason, `_` if nobody looks at it.
    pub(super) stop: TokenStream,
}

impl Pieces {
    pub(super) fn new(function: &Function, model: &Model, output: &[TokenTree]) -> Self {
        let span = Span::mixed_site();
        let p = model.private();
        let plan::Plan { statement: plan_statement, reference: plan } = plan::plan(function, model);
        // Errors about the type of the outcome belong to the return type.
        let outcome = quote_spanned!(span.located_at(span_of(output))=> &outcome);
        let judge = match (model.expression("when"), model.expression("until")) {
            (_, Some(until)) => quote_spanned!(span=> #p::judge_until(#outcome, #until)),
            (Some(when), None) => quote_spanned!(span=> #p::judge_when(#outcome, #when)),
            (None, None) => quote_spanned!(span=> #p::judge(#outcome)),
        };
        let (seen, taken) = match model.expression("until") {
            Some(_) => (quote_spanned!(span=> #p::value), quote_spanned!(span=> #p::into_value)),
            None => (quote_spanned!(span=> #p::failure), quote_spanned!(span=> #p::into_failure)),
        };
        let hint = match model.expression("hint") {
            Some(hint) => quote_spanned!(span=> #p::hint(#seen(&outcome), #hint)),
            None => quote_spanned!(span=> #p::None),
        };
        let on_retry = match model.expression("on_retry") {
            Some(hook) => {
                quote_spanned!(span=> |pause, outcome| #p::on_retry(#plan, pause, #seen(outcome), #hook))
            }
            None => quote_spanned!(span=> |_, _| ()),
        };
        let hook = model.expression("on_success").cloned().unwrap_or_else(|| quote_spanned!(span=> |_| ()));
        let on_success = quote_spanned!(span=> #p::on_success(#plan, &run, #hook));
        let on_give_up = match model.expression("on_give_up") {
            Some(hook) => quote_spanned!(span=> #p::on_give_up(#plan, &stop, #seen(&outcome), #hook);),
            None => TokenStream::new(),
        };
        let end = match model.expression("exhausted") {
            Some(map) => quote_spanned!(span=> #p::exhausted(#taken(outcome), stop, #map)),
            None => quote_spanned!(span=> outcome),
        };
        let is_seen = model.expression("exhausted").or(model.expression("on_give_up")).is_some();
        let stop = if is_seen { quote_spanned!(span=> stop) } else { quote_spanned!(span=> _) };
        Self { p, plan_statement, plan, judge, hint, on_retry, on_success, on_give_up, end, stop }
    }
}

/// The clones of the arguments for one attempt.
pub(super) struct Clones {
    /// Makes them, outside of the attempt.
    pub(super) make: TokenStream,
    /// Gives them the names of the arguments, inside.
    pub(super) bind: TokenStream,
}

/// ```text
/// let cloned_0 = cloned(&request);        outside of the attempt
/// let request = cloned_0;                 inside, where only the clone is moved in
/// ```
pub(super) fn clones(function: &Function, model: &Model) -> Clones {
    let p = model.private();
    let mut clones = Clones { make: TokenStream::new(), bind: TokenStream::new() };
    let parameters = function.parameter_names();
    for (index, name) in model.clones.iter().enumerate() {
        let span = Span::mixed_site();
        let clone = Ident::new(&format_ident!("cloned_{index}").to_string(), span);
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
