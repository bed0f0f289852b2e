//! The loop for futures.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use super::pieces::{Clones, Pieces, around, clones};
use super::{at, body};
use crate::model::Model;
use crate::parse::{Function, span_of, without_impl_trait};

/// ```text
/// // Input
/// async fn push(&mut self) -> Result<u8, E> { self.sock.push().await }
///
/// // Output
/// async fn push(&mut self) -> Result<u8, E> {
///     static PLAN: Plan = Plan::literal(Policy::new(), "path::push", false);
///     let mut run = start_async(&PLAN);
///     loop {
///         let pause = {
///             let outcome = async {
///                 if let Some(typed) = None::<Result<u8, E>> {
///                     return typed;
///                 }
///                 match () { () => { self.sock.push().await } }
///             }
///             .await;
///             let verdict = judge(&outcome);
///             if verdict.is_success() {
///                 on_success(&PLAN, &run, |_| ());
///                 return outcome;
///             }
///             match decide(&PLAN, &mut run, outcome, verdict, None, |_, _| ()) {
///                 Step::Stop(outcome, _) => return outcome,
///                 Step::Sleep(pause) => pause,
///             }
///         };
///         sleep_async(&PLAN, pause).await;
///     }
/// }
/// ```
///
/// The branch that is never taken gives the block its type before the body is looked at, so that a type error stays in
/// the body and a `Box<dyn ..>` is coerced. It stands outside of the user's braces, where no item of theirs can shadow
/// the names in the type. `decide` takes the outcome, and the block around it ends before the sleep, so that no error
/// lives across it and makes the future `!Send`.
pub(super) fn code(function: &Function, model: &Model, output: &[TokenTree], body: &Group) -> TokenStream {
    let span = Span::mixed_site();
    let pieces = Pieces::new(function, model, output);
    let Pieces { p, plan_statement, plan, find_hint, hint, on_retry, on_success, on_give_up, end, exit, stop, .. } =
        &pieces;
    let Clones { make, bind, consume } = clones(function, model);
    let context =
        model.attempt.as_ref().map(|name| quote_spanned!(span=> let #name = #p::context_async(#plan, &__backoff_run);));
    let place = at(span_of(output));
    let keyword = at(function.asyncness.unwrap_or(function.name.span()));
    let output = without_impl_trait(output);
    let body = body::expression(body);
    let typed = quote_spanned! {span=>
        if let #p::Some(__backoff_typed) = #p::None::<#output> {
            return __backoff_typed;
        }
    };
    let mut attempt = quote_spanned!(keyword=> async { #typed #bind #body });
    if model.is_scoped() {
        attempt = quote_spanned!(span=> #p::scoped_async(#plan, &__backoff_run, #p::pin!(#attempt)));
    }
    // A waiter may bring a timeout along, which only the attribute can give a meaning to.
    let is_unsure = model.expression("waiter").is_some() && model.attempt_timeout.is_none();
    let start = if is_unsure { "start_uncut" } else { "start_async" };
    let start = Ident::new(start, span);
    let settled = settled(model, &pieces, place, &attempt);
    let begin = match &pieces.rejected {
        Some(rejected) => quote_spanned! {span=>
            if let #p::Some(__backoff_stop) = #p::begin_async(#plan, &mut __backoff_run).await {
                #rejected
            }
        },
        None if model.is_guarded() => quote_spanned!(span=> #p::admit_async(#plan, &mut __backoff_run);),
        None => TokenStream::new(),
    };
    let settle = model.is_guarded().then(|| quote_spanned!(span=> #p::succeeded_async(#plan, &mut __backoff_run);));
    // Under guards a run may end while it waits, so its failure is kept.
    let (decide, rest) = if model.is_guarded() {
        let rest = quote_spanned! {span=>
            if let #p::Some((__backoff_outcome, #stop)) =
                #p::rest_async(#plan, &mut __backoff_run, __backoff_pause).await
            {
                #on_give_up
                #exit #end;
            }
        };
        ("decide_guarded", rest)
    } else {
        ("decide", quote_spanned!(span=> #p::sleep_async(#plan, __backoff_pause).await;))
    };
    let decide = Ident::new(decide, span);
    let attempts = quote_spanned! {span=>
        #begin
        let __backoff_pause = {
            #context
            #make
            #settled
            if __backoff_verdict.is_success() {
                #settle
                #on_success;
                #exit __backoff_outcome;
            }
            #find_hint
            match #p::#decide(
                #plan, &mut __backoff_run, __backoff_outcome, __backoff_verdict, #hint, #on_retry
            ) {
                #p::Step::Stop(__backoff_outcome, #stop) => {
                    #on_give_up
                    #exit #end;
                }
                #p::Step::Sleep(__backoff_pause) => __backoff_pause,
            }
        };
        #rest
    };
    let attempts = around(function, &attempts, consume.as_ref());
    quote_spanned! {span=>
        #plan_statement
        let mut __backoff_run = #p::#start(#plan);
        #attempts
    }
}

/// Awaits the attempt and judges what it returned; one that was cut by its timeout returned what stands for that.
fn settled(model: &Model, pieces: &Pieces, place: Span, attempt: &TokenStream) -> TokenStream {
    let span = Span::mixed_site();
    let Pieces { p, plan, judge, .. } = pieces;
    if model.attempt_timeout.is_some() {
        let timed_out = model.private(place);
        let timed_out = quote_spanned!(place=> #timed_out::timed_out());
        quote_spanned! {span=>
            let (__backoff_outcome, __backoff_verdict) =
                match #p::timed(#plan, &__backoff_run, #p::pin!(#attempt)).await {
                #p::Some(__backoff_outcome) => {
                    let __backoff_verdict = #judge;
                    (__backoff_outcome, __backoff_verdict)
                }
                #p::None => (#timed_out, #p::Verdict::Transient),
            };
        }
    } else {
        quote_spanned! {span=>
            let __backoff_outcome = #attempt.await;
            let __backoff_verdict = #judge;
        }
    }
}
