//! The loop for threads.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use super::pieces::{Clones, Pieces, around, clones};
use super::{at, body};
use crate::model::Model;
use crate::parse::{Function, without_impl_trait};

/// ```text
/// // Input
/// fn ping(&self) -> Result<u8, E> { self.sock.ping() }
///
/// // Output
/// fn ping(&self) -> Result<u8, E> {
///     static PLAN: Plan = Plan::literal(Policy::new(), "path::ping", false);
///     let mut run = start(&PLAN);
///     loop {
///         let outcome = attempt(|| -> Result<u8, E> { match () { () => { self.sock.ping() } } });
///         let verdict = judge(&outcome);
///         if verdict.is_success() {
///             on_success(&PLAN, &run, |_| ());
///             return outcome;
///         }
///         match back_off(&PLAN, run, outcome, verdict, None, |_, _| ()) {
///             Step::Stop(outcome, _) => return outcome,
///             Step::Sleep(next) => run = next,
///         }
///     }
/// }
/// ```
pub(super) fn code(function: &Function, model: &Model, output: &[TokenTree], body: &Group) -> TokenStream {
    let span = Span::mixed_site();
    let pieces = Pieces::new(function, model, output);
    let Pieces {
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
        ..
    } = &pieces;
    let Clones { make, bind, consume } = clones(function, model);
    let context =
        model.attempt.as_ref().map(|name| quote_spanned!(span=> let #name = #p::context(#plan, &__backoff_run);));
    let output = without_impl_trait(output);
    let body = body::expression(body);
    let name = at(function.name.span());
    let body = quote_spanned!(name=> || -> #output { #bind #body });
    let attempt = if model.is_scoped() {
        quote_spanned!(span=> #p::scoped(#plan, &__backoff_run, #body))
    } else {
        quote_spanned!(span=> #p::attempt(#body))
    };
    let begin = match &pieces.rejected {
        Some(rejected) => quote_spanned! {span=>
            if let #p::Some(__backoff_stop) = #p::begin(#plan, &mut __backoff_run) {
                #rejected
            }
        },
        None if model.is_guarded() => quote_spanned!(span=> #p::admit(#plan, &mut __backoff_run);),
        None => TokenStream::new(),
    };
    let settle = model.is_guarded().then(|| quote_spanned!(span=> #p::succeeded(#plan, &mut __backoff_run);));
    let attempts = quote_spanned! {span=>
        #begin
        #context
        #make
        let __backoff_outcome = #attempt;
        let __backoff_verdict = #judge;
        if __backoff_verdict.is_success() {
            #settle
            #on_success;
            #exit __backoff_outcome;
        }
        #find_hint
        match #p::back_off(#plan, __backoff_run, __backoff_outcome, __backoff_verdict, #hint, #on_retry) {
            #p::Step::Stop(__backoff_outcome, #stop) => {
                #on_give_up
                #exit #end;
            }
            #p::Step::Sleep(__backoff_next) => __backoff_run = __backoff_next,
        }
    };
    let attempts = around(function, &attempts, consume.as_ref());
    quote_spanned! {span=>
        #plan_statement
        let mut __backoff_run = #p::start(#plan);
        #attempts
    }
}
