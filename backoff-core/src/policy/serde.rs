//! Policies in files: durations as text, the same table of limits, unknown fields refused.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use backoff_policy::duration::text;
use backoff_policy::{ConfigError, Field, limits, suggest};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::{ExponentialBackoff, PolicyBuilder};

/// Fields that have their default may be left out. `budget` may be `"unlimited"`.
///
/// ```
/// use backoff_core::ExponentialBackoff;
/// let policy: ExponentialBackoff = serde_json::from_str(r#"{ "initial": "100ms", "jitter": "full" }"#)?;
/// assert_eq!(policy.to_string(), "100ms x2, full jitter, budget 3.5s, spread");
///
/// let wrong = serde_json::from_str::<ExponentialBackoff>(r#"{ "intial": "100ms" }"#).unwrap_err();
/// assert!(wrong.to_string().starts_with("unknown field `intial`; did you mean `initial`?"));
/// # Ok::<_, serde_json::Error>(())
/// ```
impl<'de> Deserialize<'de> for ExponentialBackoff {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("ExponentialBackoff", &Field::POLICY, Policy)
    }
}

/// What was set or has no default is written, durations as text.
impl Serialize for ExponentialBackoff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let optional = usize::from(self.max_delay.is_some())
            + usize::from(self.max_attempts.is_some())
            + usize::from(self.final_sleep.is_some());
        let mut policy = serializer.serialize_struct("ExponentialBackoff", 5 + optional)?;
        policy.serialize_field("initial", &Shown(text(self.initial)))?;
        match self.budget {
            Some(budget) => policy.serialize_field("budget", &Shown(text(budget)))?,
            None => policy.serialize_field("budget", limits::UNLIMITED)?,
        }
        policy.serialize_field("multiplier", &self.multiplier)?;
        if let Some(max_delay) = self.max_delay {
            policy.serialize_field("max_delay", &Shown(text(max_delay)))?;
        }
        if let Some(max_attempts) = self.max_attempts {
            policy.serialize_field("max_attempts", &max_attempts)?;
        }
        policy.serialize_field("jitter", self.jitter.word())?;
        if let Some(final_sleep) = self.final_sleep {
            policy.serialize_field("final_sleep", final_sleep.word())?;
        }
        policy.serialize_field("max_hint", &Shown(text(self.max_hint)))?;
        policy.end()
    }
}

struct Shown<T>(T);

impl<T: fmt::Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

struct Policy;

impl<'de> Visitor<'de> for Policy {
    type Value = ExponentialBackoff;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of the fields of a policy")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<ExponentialBackoff, M::Error> {
        let mut builder = ExponentialBackoff::builder();
        let mut seen = [false; Field::POLICY.len()];
        while let Some(Key(field)) = map.next_key()? {
            if core::mem::replace(&mut seen[field as usize], true) {
                return Err(M::Error::duplicate_field(field.name()));
            }
            builder = set(builder, field, &mut map)?;
        }
        builder.build().map_err(M::Error::custom)
    }
}

fn set<'de, M: MapAccess<'de>>(builder: PolicyBuilder, field: Field, map: &mut M) -> Result<PolicyBuilder, M::Error> {
    let duration = |text: &str| limits::duration_text(field, text);
    Ok(match field {
        Field::Initial => builder.initial(map.next_value_seed(FromText::new(field, duration))?),
        Field::Budget => builder.budget(map.next_value_seed(FromText::new(field, limits::budget_text))?),
        Field::Multiplier => builder.multiplier(map.next_value_seed(Multiplier)?),
        Field::MaxDelay => builder.max_delay(map.next_value_seed(FromText::new(field, duration))?),
        Field::MaxAttempts => builder.max_attempts(map.next_value_seed(MaxAttempts)?),
        Field::Jitter => builder.jitter(map.next_value_seed(FromText::new(field, FromStr::from_str))?),
        Field::FinalSleep => builder.final_sleep(map.next_value_seed(FromText::new(field, FromStr::from_str))?),
        Field::MaxHint | Field::AttemptTimeout => {
            builder.max_hint(map.next_value_seed(FromText::new(field, duration))?)
        }
    })
}

/// The name of a field of a policy.
struct Key(Field);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a field")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
                let known = Field::from_name(name).filter(|field| *field != Field::AttemptTimeout);
                known.map(Key).ok_or_else(|| match suggest::nearest(name, &Field::POLICY) {
                    Some(meant) => E::custom(format_args!("unknown field `{name}`; did you mean `{meant}`?")),
                    None => E::unknown_field(name, &Field::POLICY),
                })
            }
        }
        deserializer.deserialize_identifier(Name)
    }
}

/// A value that is written as text and read by a function that knows the limits.
struct FromText<T, F> {
    field: Field,
    read: F,
    value: PhantomData<T>,
}

impl<T, F: Fn(&str) -> Result<T, ConfigError>> FromText<T, F> {
    fn new(field: Field, read: F) -> Self {
        Self { field, read, value: PhantomData }
    }
}

impl<'de, T, F: Fn(&str) -> Result<T, ConfigError>> DeserializeSeed<'de> for FromText<T, F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T, F: Fn(&str) -> Result<T, ConfigError>> Visitor<'_> for FromText<T, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field {
            Field::Jitter => f.write_str("`none`, `full` or `equal` as text"),
            Field::FinalSleep => f.write_str("`trim`, `spread` or `skip` as text"),
            Field::Budget => write!(f, "`budget` as text with a unit, such as \"3.5s\", or \"{}\"", limits::UNLIMITED),
            field => write!(f, "`{field}` as text with a unit, such as \"200ms\""),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(E::custom)
    }
}

/// A number that grows delays. It is checked here already, so that a file is told where it is wrong.
struct Multiplier;

impl<'de> DeserializeSeed<'de> for Multiplier {
    type Value = f64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<f64, D::Error> {
        deserializer.deserialize_f64(self)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "what a file says without a point is rounded like what it says with one"
)]
impl Visitor<'_> for Multiplier {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` as a number, such as 2.0", Field::Multiplier)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        limits::multiplier(number).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }
}

/// A number of attempts, checked here already as well.
struct MaxAttempts;

impl<'de> DeserializeSeed<'de> for MaxAttempts {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u32, D::Error> {
        deserializer.deserialize_u32(self)
    }
}

impl Visitor<'_> for MaxAttempts {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` as a whole number from 1 to {}", Field::MaxAttempts, u32::MAX)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u32, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        let attempts = u32::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))?;
        limits::max_attempts(attempts).map_err(E::custom)
    }
}
