//! Writes and reads enumerations: as numbers in binary formats, and as names in human-readable formats.

use crate::message::{Enumeration, described_enum};
use crate::syntax::json::lex::TEXT_OF_NUMBER;
use serde::de::{Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde::ser::Serializer;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// Writes the number of a value, or its JSON name if the format is human-readable and the name is known.
#[inline]
pub fn serialize_enumeration<E: Enumeration, S: Serializer>(
    value: &E,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable()
        && let Some(name) = described_enum::<E>().json_name_of(value.number())
    {
        return serializer.serialize_str(name);
    }
    serializer.serialize_i32(value.number())
}

/// Reads a number, and also a name if the format is human-readable.
#[inline]
pub fn deserialize_enumeration<'de, E: Enumeration, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<E, D::Error> {
    let visitor = EnumerationVisitor(PhantomData);
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(visitor)
    } else {
        deserializer.deserialize_i32(visitor)
    }
}

struct EnumerationVisitor<E>(PhantomData<E>);

impl<'de, E: Enumeration> Visitor<'de> for EnumerationVisitor<E> {
    type Value = E;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a value of {}", E::shape().rust_name())
    }

    #[inline]
    fn visit_i32<F: Error>(self, number: i32) -> Result<E, F> {
        match E::from_number(number) {
            Some(value) => Ok(value),
            None => Err(F::invalid_value(Unexpected::Signed(number.into()), &self)),
        }
    }

    #[inline]
    fn visit_i64<F: Error>(self, number: i64) -> Result<E, F> {
        match i32::try_from(number) {
            Ok(number) => self.visit_i32(number),
            Err(_) => Err(F::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    #[inline]
    fn visit_u64<F: Error>(self, number: u64) -> Result<E, F> {
        match i32::try_from(number) {
            Ok(number) => self.visit_i32(number),
            Err(_) => Err(F::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }

    /// Reads a number in the form that serde_json uses with its feature `arbitrary_precision`: a map with one entry.
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<E, A::Error> {
        match entries.next_entry::<Cow<'de, str>, Cow<'de, str>>()? {
            Some((key, digits)) if key == TEXT_OF_NUMBER => match digits.parse::<i64>() {
                Ok(number) => self.visit_i64(number),
                Err(_) => Err(A::Error::invalid_value(Unexpected::Other("a number"), &self)),
            },
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }

    fn visit_str<F: Error>(self, name: &str) -> Result<E, F> {
        match described_enum::<E>().number_of(name) {
            Some(number) => self.visit_i32(number),
            None => Err(F::invalid_value(Unexpected::Str(name), &self)),
        }
    }
}
