//! The plan of the run: a `static` where everything is known, else a local that is made at each call.

use backoff_policy::Field;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use super::at;
use crate::model::{Model, Setting, Value};
use crate::parse::{Function, stream};

/// The statement that makes the plan, and the expression that borrows it.
pub(super) struct Plan {
    pub(super) statement: TokenStream,
    pub(super) reference: TokenStream,
}

pub(super) fn plan(function: &Function, model: &Model) -> Plan {
    let span = Span::mixed_site();
    let p = model.private(span);
    if model.is_constant(&function.generic_names()) {
        let plan = literal(function, model, &quote_spanned!(span=> #p::Policy::new()), Context::Constant);
        let kind = Ident::new(if model.attempt_timeout.is_some() { "TimedPlan" } else { "Plan" }, span);
        return Plan {
            statement: quote_spanned!(span=> static __BACKOFF_PLAN: #p::#kind = #plan;),
            reference: quote_spanned!(span=> &__BACKOFF_PLAN),
        };
    }
    let plan = match (model.expression("waiter"), model.expression("policy")) {
        (Some(waiter), policy) => of_waiter(function, model, waiter, policy),
        (None, Some(policy)) => literal(function, model, policy, Context::Call),
        (None, None) => literal(function, model, &quote_spanned!(span=> #p::Policy::new()), Context::Call),
    };
    let deadline = model.expression("deadline").map(|deadline| quote_spanned!(span=> .deadline(#deadline)));
    let import = model.expression("retry_budget").map(|_| {
        let p = model.private(span);
        quote_spanned!(span=> use #p::AsTokens as _;)
    });
    let guards: TokenStream = model.guards().map(|(method, guard)| guarded(method, guard)).collect();
    Plan {
        statement: quote_spanned!(span=> #import let __backoff_plan = #plan #deadline #guards;),
        reference: quote_spanned!(span=> &__backoff_plan),
    }
}

/// One guard, borrowed, at the place of the expression, so that a wrong type is shown there.
///
/// ```text
/// breaker = BREAKER       ->   .breaker(&BREAKER)
/// retry_budget = BUDGET   ->   .retry_budget((BUDGET).__backoff_tokens())
/// ```
///
/// A reference to any rule of tokens is turned into one to the trait, which a coercion does for a place but not for what is a
/// reference already; a method call takes both.
fn guarded(method: &str, guard: &TokenStream) -> TokenStream {
    let place = at(guard.clone().into_iter().next().map_or_else(Span::mixed_site, |token| token.span()));
    let name = Ident::new(method, place);
    if method == "retry_budget" {
        quote_spanned!(place=> .#name((#guard).__backoff_tokens()))
    } else {
        quote_spanned!(place=> .#name(& #guard))
    }
}

/// Whether the plan is made in a constant or at each call.
#[derive(Clone, Copy)]
enum Context {
    Constant,
    Call,
}

fn literal(function: &Function, model: &Model, base: &TokenStream, context: Context) -> TokenStream {
    let span = Span::mixed_site();
    let p = model.private(span);
    let settings = settings(model, context);
    let (name, observed, extras) = (name(function, model), model.is_observed(), extras(model, context));
    let policy = match context {
        Context::Constant => quote_spanned!(span=> #base #settings),
        Context::Call => quote_spanned!(span=> #p::policy(#base) #settings),
    };
    quote_spanned!(span=> #p::Plan::literal(#policy, #name, #observed) #extras)
}

fn of_waiter(function: &Function, model: &Model, waiter: &TokenStream, policy: Option<&TokenStream>) -> TokenStream {
    let span = Span::mixed_site();
    let p = model.private(span);
    let settings = settings(model, Context::Call);
    let (name, observed, extras) = (name(function, model), model.is_observed(), extras(model, Context::Call));
    let policy = policy.map(|policy| quote_spanned!(span=> .under(#policy)));
    let is_named = model.name.is_some();
    quote_spanned!(span=> #p::Plan::of(#waiter, #name, #is_named, #observed) #policy .with(|__backoff_policy| __backoff_policy #settings) #extras)
}

/// Each field that is set, as a call of the policy's builder.
fn settings(model: &Model, context: Context) -> TokenStream {
    model.fields.iter().map(|setting| set(model, setting, context)).collect()
}

/// One call, at the place of the value, so that what a constant expression does wrong is shown there.
fn set(model: &Model, setting: &Setting, context: Context) -> TokenStream {
    let span = at(setting.place);
    if matches!(setting.value, Value::Unlimited) {
        return quote_spanned!(span=> .unlimited());
    }
    let method = Ident::new(setting.field.name(), span);
    let value = value(model, setting, context);
    quote_spanned!(span=> .#method(#value))
}

fn value(model: &Model, setting: &Setting, context: Context) -> TokenStream {
    let span = at(setting.place);
    let p = model.private(span);
    match &setting.value {
        Value::Duration(duration) => {
            let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
            quote_spanned!(span=> #p::Duration::new(#seconds, #nanos))
        }
        Value::Number(number) => quote_spanned!(span=> #number),
        Value::Count(count) => quote_spanned!(span=> #count),
        Value::Jitter(jitter) => variant(&quote_spanned!(span=> #p::Jitter), jitter.word(), span),
        Value::FinalSleep(last) => variant(&quote_spanned!(span=> #p::FinalSleep), last.word(), span),
        Value::Unlimited => TokenStream::new(),
        Value::Expression(tokens) => {
            let expression = stream(tokens);
            if matches!(setting.field, Field::Jitter | Field::FinalSleep) {
                return expression;
            }
            let field = Ident::new(setting.field.name(), span);
            let checked = quote_spanned!(span=> #p::checked::#field(#expression));
            match context {
                Context::Constant => checked,
                Context::Call => quote_spanned!(span=> const { #checked }),
            }
        }
    }
}

/// `Jitter::Full` for the word `full`.
fn variant(choice: &TokenStream, word: &str, span: Span) -> TokenStream {
    let (first, rest) = word.split_at(1);
    let name = Ident::new(&(first.to_uppercase() + rest), span);
    quote_spanned!(span=> #choice::#name)
}

/// What belongs to the plan and not to the policy.
fn extras(model: &Model, context: Context) -> TokenStream {
    let mut extras = TokenStream::new();
    if let Some(timeout) = &model.attempt_timeout {
        let value = value(model, timeout, context);
        let method = match context {
            Context::Constant => "cut",
            Context::Call => "timed",
        };
        let method = Ident::new(method, at(timeout.place));
        extras.extend(quote_spanned!(at(timeout.place)=> .#method(#value)));
    }
    for (flag, place) in model.flags() {
        let method = Ident::new(flag, at(*place));
        extras.extend(quote_spanned!(at(*place)=> .#method()));
    }
    extras
}

/// The name of the operation: what was given, or the path of the function.
fn name(function: &Function, model: &Model) -> TokenStream {
    let span = Span::mixed_site();
    if let Some(name) = &model.name {
        return quote_spanned!(span=> #name);
    }
    let p = model.private(span);
    let name = function.name.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    quote_spanned!(span=> #p::concat!(#p::module_path!(), "::", #name))
}
