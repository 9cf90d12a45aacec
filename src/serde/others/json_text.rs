//! Converts any value of serde's data model to JSON text.

use crate::syntax::json::lex::{Cursor, TEXT_OF_NUMBER};
use crate::syntax::json::print::Printer;
use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::fmt;

/// How deep objects and lists may be nested. This limit is above the default limit for messages.
const DEPTH: u32 = 256;

/// A JSON text converted from another format.
pub(crate) struct JsonText(pub(crate) String);

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut out = Printer::append_to(Vec::new(), false);
        deserializer.deserialize_any(Value { out: &mut out, depth: DEPTH })?;
        String::from_utf8(out.into_vec()).map(JsonText).map_err(D::Error::custom)
    }
}

struct Value<'a> {
    out: &'a mut Printer,
    depth: u32,
}

impl Value<'_> {
    fn inside<E: Error>(&mut self) -> Result<Value<'_>, E> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Value { out: self.out, depth }),
            None => Err(E::custom(format_args!("objects and lists are nested deeper than {DEPTH} levels"))),
        }
    }

    fn null<E>(self) -> Result<(), E> {
        self.out.raw(b"null");
        Ok(())
    }

    fn string<E>(self, text: &str) -> Result<(), E> {
        self.out.string(text);
        Ok(())
    }

    fn integer<E>(self, value: impl fmt::Display) -> Result<(), E> {
        self.out.raw(value.to_string().as_bytes());
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.out.bool(value);
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.integer(value)
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<(), E> {
        self.integer(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.integer(value)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<(), E> {
        self.integer(value)
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<(), E> {
        match value.is_finite() {
            true => self.out.float(value),
            false => return self.visit_f64(value.into()),
        }
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        match value {
            _ if value.is_finite() => self.out.float(value),
            _ if value.is_nan() => self.out.string("NaN"),
            _ => self.out.string(if value > 0.0 { "Infinity" } else { "-Infinity" }),
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.string(text)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        self.out.base64(bytes);
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.null()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.null()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        self.out.raw(b"[");
        let mut first = true;
        loop {
            let before = self.out.checkpoint();
            if !first {
                self.out.raw(b",");
            }
            let start = self.out.len();
            if elements.next_element_seed(self.inside()?)?.is_none() {
                debug_assert_eq!(self.out.len(), start, "nothing was noted");
                self.out.rewind(before);
                break;
            }
            first = false;
        }
        self.out.raw(b"]");
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let before = self.out.checkpoint();
        self.out.raw(b"{");
        let (mut count, mut number) = (0, None);
        while let Some(name) = entries.next_key_seed(Name)? {
            if count > 0 {
                self.out.raw(b",");
            }
            count += 1;
            self.out.string(&name);
            self.out.raw(b":");
            if name == TEXT_OF_NUMBER {
                number = Some(self.out.len());
            }
            entries.next_value_seed(self.inside()?)?;
        }
        if let (1, Some(at)) = (count, number) {
            let value = self.out.split_off(at);
            if let Some(digits) = number_in_quotes(&value) {
                self.out.rewind(before);
                self.out.raw(digits);
                return Ok(());
            }
            self.out.raw(&value);
        }
        self.out.raw(b"}");
        Ok(())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<(), A::Error> {
        // A format with its own representation of enums gives the name of an enum value in this way.
        let (name, rest) = variant.variant_seed(Name)?;
        rest.unit_variant()?;
        self.string(&name)
    }
}

/// Returns the number in a JSON string, if the string contains a number.
fn number_in_quotes(string: &[u8]) -> Option<&[u8]> {
    let digits = string.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let text = std::str::from_utf8(digits).ok()?;
    Cursor::number_of(text).map(|_| digits)
}

/// Reads a member's name. Some formats have keys that are not strings, so the name may also be a number or a bool.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_bool<E: Error>(self, name: bool) -> Result<String, E> {
        Ok(name.to_string())
    }

    fn visit_i64<E: Error>(self, name: i64) -> Result<String, E> {
        Ok(name.to_string())
    }

    fn visit_u64<E: Error>(self, name: u64) -> Result<String, E> {
        Ok(name.to_string())
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<String, E> {
        Ok(name.to_owned())
    }

    fn visit_string<E: Error>(self, name: String) -> Result<String, E> {
        Ok(name)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}
