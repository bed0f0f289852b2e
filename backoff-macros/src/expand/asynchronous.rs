//! The loop for futures.

use super::pieces::{Clones, Pieces, around, clones, engine};
use super::{at, body};
use crate::model::Model;
use crate::parse::{Function, span_of, without_impl_trait};
use crate::quote::{Tokens, quote};
use crate::token::{Group, Ident, Span, TokenTree};

/// ```text
/// // Input
/// async fn push(&mut self) -> Result<u8, E> { self.sock.push().await }
///
/// // Output
/// async fn push(&mut self) -> Result<u8, E> {
///     use ::backoff_core::__private::v0_1_0::constant as engine;
///     static PLAN: engine::Constant = engine::Constant { name: "path::push", observed: false, settings: engine::DEFAULT };
///     let mut run = engine::start_async(&PLAN);
///     loop {
///         let pause = {
///             let outcome = async {
///                 if let Some(typed) = None::<Result<u8, E>> {
///                     return typed;
///                 }
///                 match () { () => { self.sock.push().await } }
///             }
///             .await;
///             if engine::is_success(&PLAN, &run, &outcome) {
///                 return outcome;
///             }
///             match engine::decide(&PLAN, &mut run, outcome) {
///                 Step::Stop(outcome, _) => return outcome,
///                 Step::Sleep(pause) => pause,
///             }
///         };
///         engine::sleep_async(&PLAN, pause).await;
///     }
/// }
/// ```
///
/// The branch that is never taken gives the block its type before the body is looked at, so that a type error stays in
/// the body and a `Box<dyn ..>` is coerced. It stands outside of the user's braces, where no item of theirs can shadow
/// the names in the type. `decide` takes the outcome, and the block around it ends before the sleep, so that no error
/// lives across it and makes the future `!Send`.
pub(super) fn code(function: &Function, model: &Model, output: &[TokenTree], body: &Group) -> Tokens {
    let span = Span::mixed_site();
    let Pieces { p, plan_statement, plan, start, judge, success, inspect, details, give_up, stop, rejected } =
        Pieces::new(function, model, output);
    let Clones { make, bind, consume } = clones(function, model);
    let context =
        model.attempt.as_ref().map(|name| quote!(span=> let #name = #p::context_async(#plan, &__backoff_run);));
    let attempt = attempt(function, model, &plan, output, &bind, body);
    // A waiter may bring a timeout along, which only the attribute can give a meaning to.
    let is_unsure = model.expression("waiter").is_some() && model.attempt_timeout.is_none();
    let start = start.unwrap_or(if is_unsure { "start_uncut" } else { "start_async" });
    let start = Ident::new(start, span);
    let begin = match rejected {
        Some(rejected) => Some(quote!(span=>
            if let #p::Some(__backoff_stop) = #p::begin_async(#plan, &mut __backoff_run).await {
                #rejected
            }
        )),
        None => model.is_guarded().then(|| quote!(span=> #p::admit_async(#plan, &mut __backoff_run);)),
    };
    // Under guards a run may end while it waits, so its failure is kept.
    let (decide, rest) = if model.is_guarded() {
        let rest = quote!(span=>
            if let #p::Some((__backoff_outcome, #stop)) =
                #p::rest_async(#plan, &mut __backoff_run, __backoff_pause).await
            {
                #give_up
            }
        );
        ("decide_guarded", rest)
    } else {
        let decide = if details.is_some() { "decide_with" } else { "decide" };
        (decide, quote!(span=> #p::sleep_async(#plan, __backoff_pause).await;))
    };
    let decide = Ident::new(decide, span);
    let attempts = quote!(span=>
        #begin
        let __backoff_pause = {
            #context
            #make
            #attempt
            if #judge {
                #success
            }
            #inspect
            match #p::#decide(#plan, &mut __backoff_run, __backoff_outcome #details) {
                #p::Step::Stop(__backoff_outcome, #stop) => {
                    #give_up
                }
                #p::Step::Sleep(__backoff_pause) => __backoff_pause,
            }
        };
        #rest
    );
    let attempts = around(function, &attempts, consume.as_ref());
    quote!(span=>
        #plan_statement
        let mut __backoff_run = #p::#start(#plan);
        #attempts
    )
}

/// Makes the attempt and awaits it.
fn attempt(
    function: &Function,
    model: &Model,
    plan: &Tokens,
    output: &[TokenTree],
    bind: &Tokens,
    body: &Group,
) -> Tokens {
    let span = Span::mixed_site();
    let p = engine(span);
    let place = at(span_of(output));
    let keyword = at(function.asyncness.unwrap_or(function.name.span()));
    let output = without_impl_trait(output);
    let typed = quote!(span=>
        if let #p::Some(__backoff_typed) = #p::None::<#output> {
            return __backoff_typed;
        }
    );
    let body = body::block(&quote!(span=> #typed #bind), body);
    let mut attempt = quote!(keyword=> async #body);
    if model.is_scoped() {
        attempt = quote!(span=> #p::scoped_async(#plan, &__backoff_run, #p::pin!(#attempt)));
    }
    if model.attempt_timeout.is_some() {
        // What is wrong with the type of the outcome is shown at the return type.
        let cut = {
            let p = engine(place);
            quote!(place=> #p::cut(__backoff_timed))
        };
        quote!(span=>
            let __backoff_timed = #p::timed(#plan, &__backoff_run, #p::pin!(#attempt)).await;
            let (__backoff_outcome, __backoff_cut) = #cut;
        )
    } else {
        quote!(span=> let __backoff_outcome = #attempt.await;)
    }
}
