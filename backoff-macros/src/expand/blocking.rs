//! The loop for threads.

use super::pieces::{Clones, Pieces, around, clones};
use super::{at, body};
use crate::model::Model;
use crate::parse::{Function, without_impl_trait};
use crate::quote::{Tokens, quote};
use crate::token::{Group, Ident, Span, TokenTree};

/// ```text
/// // Input
/// fn ping(&self) -> Result<u8, E> { self.sock.ping() }
///
/// // Output
/// fn ping(&self) -> Result<u8, E> {
///     use ::backoff_core::__private::v0_1_0::constant as engine;
///     static PLAN: engine::Constant = engine::Constant { name: "path::ping", observed: false, settings: engine::DEFAULT };
///     let mut run = engine::start(&PLAN);
///     loop {
///         let outcome = engine::attempt(|| -> Result<u8, E> { match () { () => { self.sock.ping() } } });
///         if engine::is_success(&PLAN, &run, &outcome) {
///             return outcome;
///         }
///         let mut next = run;
///         if let Some((outcome, _)) = engine::back_off(&PLAN, &mut next, outcome) {
///             return outcome;
///         }
///         run = next;
///     }
/// }
/// ```
///
/// The state of the run is lent to the engine as a copy: one that is lent itself has to be in memory from the start, and a
/// success would pay for that.
pub(super) fn code(function: &Function, model: &Model, output: &[TokenTree], body: &Group) -> Tokens {
    let span = Span::mixed_site();
    let Pieces { p, plan_statement, plan, start, judge, success, inspect, details, give_up, stop, rejected } =
        Pieces::new(function, model, output);
    let Clones { make, bind, consume } = clones(function, model);
    let context = model.attempt.as_ref().map(|name| quote!(span=> let #name = #p::context(#plan, &__backoff_run);));
    let output = without_impl_trait(output);
    let body = body::block(&bind, body);
    let body = quote!(at(function.name.span())=> || -> #output #body);
    let attempt = if model.is_scoped() {
        quote!(span=> #p::scoped(#plan, &__backoff_run, #body))
    } else {
        quote!(span=> #p::attempt(#body))
    };
    let begin = match rejected {
        Some(rejected) => Some(quote!(span=>
            if let #p::Some(__backoff_stop) = #p::begin(#plan, &mut __backoff_run) {
                #rejected
            }
        )),
        None => model.is_guarded().then(|| quote!(span=> #p::admit(#plan, &mut __backoff_run);)),
    };
    let back_off = Ident::new(if details.is_some() { "back_off_with" } else { "back_off" }, span);
    let attempts = quote!(span=>
        #begin
        #context
        #make
        let __backoff_outcome = #attempt;
        if #judge {
            #success
        }
        #inspect
        let mut __backoff_next = __backoff_run;
        if let #p::Some((__backoff_outcome, #stop)) = #p::#back_off(#plan, &mut __backoff_next, __backoff_outcome #details) {
            #give_up
        }
        __backoff_run = __backoff_next;
    );
    let attempts = around(function, &attempts, consume.as_ref());
    let start = Ident::new(start.unwrap_or("start"), span);
    quote!(span=>
        #plan_statement
        let mut __backoff_run = #p::#start(#plan);
        #attempts
    )
}
