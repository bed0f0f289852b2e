//! The plan of the run: a `static` where everything is known, else a local that is made at each call.

use backoff_policy::Field;

use super::at;
use super::pieces::engine;
use crate::model::{Model, Setting, Value};
use crate::parse::{Function, is_word, span_of};
use crate::quote::{Tokens, quote};
use crate::token::{Ident, Span, TokenTree};

/// The statements that name the engine and make the plan, and the expression that borrows it.
pub(super) struct Plan {
    pub(super) statement: Tokens,
    pub(super) reference: Tokens,
    /// The function that starts a run, if it depends on what is known of the plan.
    pub(super) start: Option<&'static str>,
}

pub(super) fn plan(function: &Function, model: &Model) -> Plan {
    let span = Span::mixed_site();
    let p = engine(span);
    let private = model.private();
    if model.is_constant(&function.generic_names()) {
        let constant = constant(function, model, None, Context::Constant);
        let extras = extras(model, Context::Constant);
        let (module, kind, plan) = if model.is_plain() {
            (Some(quote!(span=> ::constant)), "Constant", constant)
        } else {
            let kind = if model.attempt_timeout.is_some() { "TimedPlan" } else { "Plan" };
            (None, kind, quote!(span=> #constant.plan() #extras))
        };
        let kind = Ident::new(kind, span);
        return Plan {
            start: (model.is_plain() && model.is_untimed()).then_some("start_untimed"),
            statement: quote!(span=> use #private #module as #p; static __BACKOFF_PLAN: #p::#kind = #plan;),
            reference: quote!(span=> &__BACKOFF_PLAN),
        };
    }
    let plan = match (model.expression("waiter"), model.expression("policy")) {
        (Some(waiter), policy) => of_waiter(function, model, waiter, policy),
        (None, policy) => {
            let (constant, extras) = (constant(function, model, policy, Context::Call), extras(model, Context::Call));
            quote!(span=> #constant.plan() #extras)
        }
    };
    let deadline = model.expression("deadline").map(|deadline| quote!(span=> .deadline(#deadline)));
    let import = model.expression("retry_budget").map(|_| quote!(span=> use #p::AsTokens as _;));
    let mut guards = Tokens::new();
    for (method, guard) in model.guards() {
        guards.extend(guarded(method, guard));
    }
    Plan {
        start: None,
        statement: quote!(span=> use #private as #p; #import let __backoff_plan = #plan #deadline #guards;),
        reference: quote!(span=> &__backoff_plan),
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
fn guarded(method: &str, guard: &[TokenTree]) -> Tokens {
    let place = at(span_of(guard));
    let name = Ident::new(method, place);
    if method == "retry_budget" {
        quote!(place=> .#name((#guard).__backoff_tokens()))
    } else if is_word(guard.first(), "if") || is_word(guard.first(), "match") {
        // In its place it would be told what type its branches have, which are references already.
        quote!(place=> .#name({ let __backoff_guard = & #guard; __backoff_guard }))
    } else {
        quote!(place=> .#name(& #guard))
    }
}

/// Whether the plan is made in a constant or at each call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Constant,
    Call,
}

/// A plan as plain values, with the settings of a policy that was made elsewhere or else the defaults where none is written.
fn constant(function: &Function, model: &Model, policy: Option<&[TokenTree]>, context: Context) -> Tokens {
    let span = Span::mixed_site();
    let p = engine(span);
    let (name, observed) = (name(function, model), model.is_observed());
    let base = policy.map_or_else(|| quote!(span=> #p::DEFAULT), |policy| quote!(span=> #p::Settings::of(#policy)));
    let settings = settings(model, context, base);
    quote!(span=> #p::Constant { name: #name, observed: #observed, settings: #settings })
}

fn of_waiter(function: &Function, model: &Model, waiter: &[TokenTree], policy: Option<&[TokenTree]>) -> Tokens {
    let span = Span::mixed_site();
    let p = engine(span);
    let (name, observed, extras) = (name(function, model), model.is_observed(), extras(model, Context::Call));
    let policy = policy.map(|policy| quote!(span=> .under(#policy)));
    let with = (!model.fields.is_empty()).then(|| {
        let settings = settings(model, Context::Call, quote!(span=> #p::Settings::of(__backoff_policy)));
        quote!(span=> .with(|__backoff_policy| #settings.policy()))
    });
    let is_named = model.name.is_some();
    quote!(span=> #p::Plan::of(#waiter, #name, #is_named, #observed) #policy #with #extras)
}

/// The settings that are written, and the others of `base`.
fn settings(model: &Model, context: Context, base: Tokens) -> Tokens {
    if model.fields.is_empty() {
        return base;
    }
    let span = Span::mixed_site();
    let p = engine(span);
    let mut fields = Tokens::new();
    for setting in &model.fields {
        fields.extend(field(setting, context));
    }
    quote!(span=> #p::Settings { #fields ..#base })
}

/// One field, at the place of the value, so that what a constant expression does wrong is shown there.
fn field(setting: &Setting, context: Context) -> Tokens {
    let place = at(setting.place);
    let p = engine(place);
    let name = Ident::new(setting.field.name(), place);
    let value = value(setting, context);
    let is_optional = matches!(setting.field, Field::Budget | Field::MaxDelay | Field::MaxAttempts | Field::FinalSleep);
    match setting.value {
        Value::Unlimited => quote!(place=> #name: #p::None,),
        _ if is_optional => quote!(place=> #name: #p::Some(#value),),
        _ => quote!(place=> #name: #value,),
    }
}

fn value(setting: &Setting, context: Context) -> Tokens {
    let place = at(setting.place);
    let p = engine(place);
    match &setting.value {
        Value::Duration(duration) => {
            let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
            quote!(place=> #p::Duration::new(#seconds, #nanos))
        }
        Value::Number(number) => quote!(place=> #number),
        Value::Count(count) => quote!(place=> #count),
        Value::Jitter(jitter) => variant("Jitter", jitter.word(), place),
        Value::FinalSleep(last) => variant("FinalSleep", last.word(), place),
        Value::Unlimited => Tokens::new(),
        Value::Expression(tokens) => {
            if matches!(setting.field, Field::Jitter | Field::FinalSleep) {
                return tokens.clone();
            }
            let field = Ident::new(setting.field.name(), place);
            let checked = quote!(place=> #p::checked::#field(#tokens));
            match context {
                Context::Constant => checked,
                Context::Call => quote!(place=> const { #checked }),
            }
        }
    }
}

/// `Jitter::Full` for the word `full`.
fn variant(choice: &str, word: &str, place: Span) -> Tokens {
    let (first, rest) = word.split_at(1);
    let (p, choice) = (engine(place), Ident::new(choice, place));
    let name = Ident::new(&(first.to_uppercase() + rest), place);
    quote!(place=> #p::#choice::#name)
}

/// What belongs to the plan and not to the policy.
fn extras(model: &Model, context: Context) -> Tokens {
    let mut extras = Tokens::new();
    if let Some(timeout) = &model.attempt_timeout {
        let place = at(timeout.place);
        let value = value(timeout, context);
        let method = Ident::new(if context == Context::Constant { "cut" } else { "timed" }, place);
        extras.extend(quote!(place=> .#method(#value)));
    }
    for (flag, place) in model.flags() {
        let place = at(*place);
        let method = Ident::new(flag, place);
        extras.extend(quote!(place=> .#method()));
    }
    extras
}

/// The name of the operation: what was given, or the path of the function.
fn name(function: &Function, model: &Model) -> Tokens {
    let span = Span::mixed_site();
    if let Some(name) = &model.name {
        return vec![name.clone()];
    }
    let p = engine(span);
    let name = function.name.to_string();
    let name = format!("::{}", name.strip_prefix("r#").unwrap_or(&name));
    let name = name.as_str();
    quote!(span=> #p::concat!(#p::module_path!(), #name))
}
