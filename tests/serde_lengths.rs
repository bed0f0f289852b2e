//! A policy is announced with as many fields as it has: formats that write lengths first count on it.

use std::fmt::{self, Display};
use std::time::Duration;

use backoff_core::{ExponentialBackoff, FinalSleep};
use serde::ser::{self, Impossible, Serialize, SerializeStruct, Serializer};

/// Counts fields, and knows no other values.
struct Counter;

/// How many fields were announced, and which came.
struct Fields(usize, Vec<&'static str>);

#[derive(Debug)]
struct NoStruct;

impl Display for NoStruct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a policy is a struct")
    }
}

impl std::error::Error for NoStruct {}

impl ser::Error for NoStruct {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

impl SerializeStruct for Fields {
    type Ok = Self;
    type Error = NoStruct;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, _: &T) -> Result<(), NoStruct> {
        self.1.push(key);
        Ok(())
    }

    fn end(self) -> Result<Self, NoStruct> {
        Ok(self)
    }
}

macro_rules! nothing_else {
    ($($name:ident($($type:ty),*) -> $ok:ty;)*) => {$(
        fn $name(self, $(_: $type),*) -> Result<$ok, NoStruct> {
            Err(NoStruct)
        }
    )*};
}

type No = Impossible<Fields, NoStruct>;

impl Serializer for Counter {
    type Ok = Fields;
    type Error = NoStruct;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = Fields;
    type SerializeStructVariant = No;

    nothing_else! {
        serialize_bool(bool) -> Fields;
        serialize_i8(i8) -> Fields;
        serialize_i16(i16) -> Fields;
        serialize_i32(i32) -> Fields;
        serialize_i64(i64) -> Fields;
        serialize_u8(u8) -> Fields;
        serialize_u16(u16) -> Fields;
        serialize_u32(u32) -> Fields;
        serialize_u64(u64) -> Fields;
        serialize_f32(f32) -> Fields;
        serialize_f64(f64) -> Fields;
        serialize_char(char) -> Fields;
        serialize_str(&str) -> Fields;
        serialize_bytes(&[u8]) -> Fields;
        serialize_none() -> Fields;
        serialize_unit() -> Fields;
        serialize_unit_struct(&'static str) -> Fields;
        serialize_unit_variant(&'static str, u32, &'static str) -> Fields;
        serialize_seq(Option<usize>) -> No;
        serialize_tuple(usize) -> No;
        serialize_tuple_struct(&'static str, usize) -> No;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> No;
        serialize_map(Option<usize>) -> No;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> No;
    }

    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<Fields, NoStruct> {
        Err(NoStruct)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, _: &T) -> Result<Fields, NoStruct> {
        Err(NoStruct)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Fields, NoStruct> {
        Err(NoStruct)
    }

    fn serialize_struct(self, _: &'static str, fields: usize) -> Result<Fields, NoStruct> {
        Ok(Fields(fields, Vec::new()))
    }
}

#[test]
fn every_field_is_announced_and_comes() {
    let policy = ExponentialBackoff::new();
    let (delay, sleep) = (Duration::from_secs(10), FinalSleep::Skip);
    let always = ["initial", "budget", "multiplier", "jitter", "max_hint"];
    for (policy, optional) in [
        (policy, vec![]),
        (policy.max_delay(delay), vec!["max_delay"]),
        (policy.max_attempts(3), vec!["max_attempts"]),
        (policy.final_sleep(sleep), vec!["final_sleep"]),
        (policy.max_delay(delay).max_attempts(3), vec!["max_delay", "max_attempts"]),
        (policy.max_delay(delay).max_attempts(3).final_sleep(sleep), vec!["max_delay", "max_attempts", "final_sleep"]),
    ] {
        let Fields(announced, mut came) = policy.serialize(Counter).expect("a struct");
        let mut right = [always.as_slice(), &optional].concat();
        right.sort_unstable();
        came.sort_unstable();
        assert_eq!((announced, came), (right.len(), right));
    }
}
