//! What was understood: the options with their meaning, and every value that can be checked here already checked.

mod literal;
mod value;

use backoff_policy::Field;

use crate::errors::Errors;
use crate::keys::{GUARDS, Kind};
use crate::parse::{Argument, is_named, is_punct, is_word, mentions, peel, peeled, regrouped, same, span_of, trees};
use crate::quote::{Tokens, quote};
use crate::token::{Ident, Span, TokenTree};
pub(crate) use value::Value;

/// The meaning of the attribute.
#[derive(Default)]
pub(crate) struct Model {
    /// The fields of the policy that are set.
    pub(crate) fields: Vec<Setting>,
    pub(crate) attempt_timeout: Option<Setting>,
    expressions: Vec<(&'static str, Span, Tokens)>,
    pub(crate) clones: Vec<Ident>,
    pub(crate) attempt: Option<Ident>,
    /// The flags that are set, with their places.
    flags: Vec<(&'static str, Span)>,
    /// The name of the operation: a text, as it was written.
    pub(crate) name: Option<TokenTree>,
    pub(crate) crate_path: Option<Tokens>,
}

/// A field that is set, and where its key and its value were written.
pub(crate) struct Setting {
    pub(crate) field: Field,
    pub(crate) key: Span,
    pub(crate) place: Span,
    pub(crate) value: Value,
}

impl Model {
    pub(crate) fn new(arguments: Vec<Argument>, errors: &mut Errors) -> Self {
        let mut model = Self::default();
        for argument in arguments {
            model.take(argument, errors);
        }
        model
    }

    fn take(&mut self, argument: Argument, errors: &mut Errors) {
        let Argument { key, span, value } = argument;
        match key.kind {
            Kind::Field(field) => {
                let place = span_of(&peel(value.clone()));
                match value::value(field, &value) {
                    Ok(value) => self.set(Setting { field, key: span, place, value }),
                    Err(message) => errors.push(place, message),
                }
            }
            Kind::Expression => match literal::text(&value) {
                Some(_) if key.name == "deadline" => errors.push(
                    span_of(&value),
                    "`deadline` takes an `Instant`, the end itself; for a total time use `budget`",
                ),
                Some(text) => errors.push(
                    span_of(&value),
                    format_args!("`{}` takes an expression without quotes: `{} = {text}`", key.name, key.name),
                ),
                None => self.expressions.push((key.name, span, value)),
            },
            Kind::Name => match value.iter().map(peeled).collect::<Vec<_>>().as_slice() {
                [TokenTree::Ident(name)] => self.attempt = Some(name.clone()),
                _ => errors.push(span_of(&value), format_args!("`{}` takes a name: `{}`", key.name, key.sample)),
            },
            Kind::Text => match literal::text(&value) {
                Some(_) => self.name = value.first().map(peeled),
                None => errors.push(span_of(&value), format_args!("`{}` takes a text: `{}`", key.name, key.sample)),
            },
            Kind::Path => self.path(&value, errors),
            Kind::Flag => self.flags.push((key.name, span)),
            Kind::Names => self.names(span, value, errors),
        }
    }

    fn set(&mut self, setting: Setting) {
        if setting.field == Field::AttemptTimeout {
            self.attempt_timeout = Some(setting);
        } else {
            self.fields.push(setting);
        }
    }

    fn path(&mut self, value: &[TokenTree], errors: &mut Errors) {
        let stray = value.iter().find(|token| {
            !matches!(peeled(token), TokenTree::Ident(_) | TokenTree::Group(_)) && !is_punct(Some(token), ':')
        });
        match stray.or_else(|| value.last().filter(|last| is_punct(Some(last), ':'))) {
            None => self.crate_path = Some(value.to_vec()),
            Some(TokenTree::Literal(literal)) => errors.push(
                literal.span(),
                format_args!(
                    "`crate` takes a path without quotes: `crate = {}`",
                    literal.to_string().trim_matches('"')
                ),
            ),
            Some(stray) => errors.push(stray.span(), "`crate` takes a path: `crate = my_crate::backoff`"),
        }
    }

    fn names(&mut self, span: Span, value: Vec<TokenTree>, errors: &mut Errors) {
        if value.is_empty() {
            errors.push(span, "`clone` needs the names of the parameters to clone: `clone(request)`");
        }
        let mut expected = true;
        for token in value {
            match peeled(&token) {
                TokenTree::Ident(name) if expected => {
                    if self.clones.iter().any(|other| same(other, &name)) {
                        errors.push(name.span(), format_args!("`{name}` is cloned already; name it once"));
                    }
                    self.clones.push(name);
                    expected = false;
                }
                TokenTree::Punct(punct) if punct.as_char() == ',' && !expected => expected = true,
                other => {
                    errors.push(other.span(), "`clone` takes names of parameters, with commas between: `clone(a, b)`");
                    return;
                }
            }
        }
    }

    /// Writes another name for `self` in every expression: what `#[async_trait]` has moved it to.
    pub(crate) fn rename_self(&mut self, name: &Ident) {
        for (_, _, expression) in &mut self.expressions {
            *expression = renamed(core::mem::take(expression), name);
        }
    }

    /// The expression of an option, if it is set.
    pub(crate) fn expression(&self, key: &str) -> Option<&[TokenTree]> {
        self.expressions.iter().find(|(name, ..)| *name == key).map(|(.., expression)| expression.as_slice())
    }

    /// Whether an option that is evaluated when the run ends mentions a name.
    pub(crate) fn is_mentioned_at_the_end(&self, name: &Ident) -> bool {
        let names = [name.to_string()];
        ["exhausted", "on_give_up", "on_success"]
            .iter()
            .any(|key| self.expression(key).is_some_and(|expression| mentions(expression, &names)))
    }

    fn has_any(&self, keys: &[&str]) -> bool {
        self.expressions.iter().any(|(name, ..)| keys.contains(name))
    }

    /// Where an expression option was written.
    pub(crate) fn key_span(&self, key: &str) -> Option<Span> {
        self.expressions.iter().find(|(name, ..)| *name == key).map(|(_, span, _)| *span)
    }

    /// Whether something wants to know how much time passed, even if no rule needs it.
    pub(crate) fn is_observed(&self) -> bool {
        self.has_any(&["exhausted", "on_retry", "on_give_up", "on_success", "deadline"])
    }

    /// The guards that are set, in the order in which a run asks them.
    pub(crate) fn guards(&self) -> impl Iterator<Item = (&'static str, &[TokenTree])> {
        GUARDS.iter().filter_map(|key| Some((*key, self.expression(key)?)))
    }

    /// Whether the run asks anyone but itself.
    pub(crate) fn is_guarded(&self) -> bool {
        self.has_any(&GUARDS)
    }

    /// Whether there is to be one attempt and no retry, as far as can be read here.
    pub(crate) fn is_single_attempt(&self) -> bool {
        self.fields
            .iter()
            .any(|setting| setting.field == Field::MaxAttempts && matches!(setting.value, Value::Count(1)))
    }

    /// Whether the run may be kept from its first attempt.
    pub(crate) fn may_be_rejected(&self) -> bool {
        self.has_any(&["breaker", "pacer"])
    }

    /// The flags that are set, each the name of a method of the plan, with their places.
    pub(crate) fn flags(&self) -> &[(&'static str, Span)] {
        &self.flags
    }

    /// Whether something has to be set up around each attempt: it was asked for here, or perhaps by the waiter.
    pub(crate) fn is_scoped(&self) -> bool {
        !self.flags.is_empty() || self.expression("waiter").is_some()
    }

    /// Whether the policy and everything around it is known before the program runs.
    pub(crate) fn is_constant(&self, generic_names: &[String]) -> bool {
        let evaluated = self.has_any(&["policy", "waiter", "deadline"]);
        let generic = |setting: &Setting| match &setting.value {
            Value::Expression(tokens) => mentions(tokens, generic_names) || looks_generic(tokens),
            _ => false,
        };
        !evaluated && !self.is_guarded() && !self.fields.iter().chain(&self.attempt_timeout).any(generic)
    }

    /// Whether nobody asks for more of a constant plan than the engine does by itself.
    pub(crate) fn is_plain(&self) -> bool {
        let is_asked = self.has_any(&["on_retry", "on_give_up", "on_success"]);
        !is_asked && self.attempt.is_none() && self.attempt_timeout.is_none() && self.flags.is_empty()
    }

    /// Whether a constant plan has no end in time, and nothing asks how much has passed.
    pub(crate) fn is_untimed(&self) -> bool {
        !self.is_observed() && self.fields.iter().any(|setting| matches!(setting.value, Value::Unlimited))
    }

    /// The path of the private part of the engine. It ends in the version, so that a mixed pair does not compile.
    pub(crate) fn private(&self) -> Tokens {
        let span = Span::mixed_site();
        let version = concat!(
            "v",
            env!("CARGO_PKG_VERSION_MAJOR"),
            "_",
            env!("CARGO_PKG_VERSION_MINOR"),
            "_",
            env!("CARGO_PKG_VERSION_PATCH")
        );
        let version = Ident::new(version, span);
        let engine = self.crate_path.clone().unwrap_or_else(|| quote!(span=> ::backoff_core));
        quote!(span=> #engine::__private::#version)
    }
}

/// Whether an expression mentions what looks like a generic parameter of the surrounding `impl`, which the attribute can't see: a
/// capital letter, perhaps with a second one or a digit. Others can be shown by `const { .. }`.
fn looks_generic(tokens: &[TokenTree]) -> bool {
    let is_block = is_word(tokens.first(), "const");
    is_block
        || tokens.iter().any(|token| match token {
            TokenTree::Ident(ident) => {
                matches!(ident.to_string().as_bytes(), [b'A'..=b'Z'] | [b'A'..=b'Z', b'A'..=b'Z' | b'0'..=b'9'])
            }
            TokenTree::Group(group) => looks_generic(&trees(group)),
            _ => false,
        })
}

fn renamed(mut tokens: Tokens, name: &Ident) -> Tokens {
    for token in &mut tokens {
        match token {
            TokenTree::Ident(word) if is_named(word, "self") => *word = name.clone(),
            TokenTree::Group(group) => *group = regrouped(group, renamed(trees(group), name)),
            _ => {}
        }
    }
    tokens
}
