//! Strings.

use super::{Emit, Held, Member, Merge};
use crate::shape::TypeShape;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serializer};
use std::borrow::Cow;
use std::fmt;

/// Lists the Rust types that are strings: all are written alike.
macro_rules! strings {
    ($($ty:ty),*) => {
        $(
            impl Member for $ty {
                const TYPE: TypeShape = TypeShape::Str;
            }

            impl Emit for $ty {
                const HELD: Held = Held::Str;

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn emit<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self)
                }
            }
        )*
    };
}

strings!(String, Box<str>, &str, Cow<'_, str>);

impl<'de> Merge<'de> for String {
    const HELD: Held = Held::Str;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        String::new()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_string(InPlace(self))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        String::clear(self);
    }
}

impl<'de> Merge<'de> for Box<str> {
    const HELD: Held = Held::Str;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        Box::default()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        *self = Self::deserialize(deserializer)?;
        Ok(())
    }

    fn clear(&mut self) {
        *self = Box::default();
    }
}

impl<'de: 'a, 'a> Merge<'de> for &'a str {
    const HELD: Held = Held::Str;
    const KEEPS: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        ""
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        *self = Self::deserialize(deserializer)?;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        *self = "";
    }
}

impl<'de: 'a, 'a> Merge<'de> for Cow<'a, str> {
    const HELD: Held = Held::Str;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        Cow::Borrowed("")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        *self = deserializer.deserialize_str(CowVisitor)?;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        *self = Cow::Borrowed("");
    }
}

/// Borrows where the input allows; serde's own `Cow` always copies.
struct CowVisitor;

impl<'de> Visitor<'de> for CowVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text))
    }
}

/// Refills a string, keeping its allocation.
struct InPlace<'a>(&'a mut String);

impl Visitor<'_> for InPlace<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        // A new string is allocated at its size: a growing one would be asked how far it may grow.
        if self.0.capacity() == 0 {
            *self.0 = text.to_owned();
        } else {
            self.0.clear();
            self.0.push_str(text);
        }
        Ok(())
    }

    // Serde's own would be a call, for which the string would be in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_borrowed_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.visit_str(text)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<(), E> {
        *self.0 = text;
        Ok(())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.visit_str(text),
            Err(_) => Err(E::invalid_value(Unexpected::Bytes(bytes), &self)),
        }
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<(), E> {
        match String::from_utf8(bytes) {
            Ok(text) => self.visit_string(text),
            Err(error) => Err(E::invalid_value(Unexpected::Bytes(&error.into_bytes()), &self)),
        }
    }
}
