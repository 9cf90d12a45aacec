//! Maps.

use super::closed::Look;
use super::scalar::{no_key, signed_key, unsigned_key};
use super::{Json, Put};
use crate::de::keys::Keys;
use crate::de::source::Context;
use crate::error::{Error, Result};
use crate::known::text::quoted;
use crate::plan::{FieldPlan, Kind, MapPlan};
use crate::wire::{Tag, WireType, Writer, zigzag32, zigzag64};
use std::borrow::Cow;

/// A map that is being read.
#[derive(Clone, Default)]
pub(crate) struct Map<'de> {
    at: At,
    /// Where the value of the entry starts.
    value: usize,
    /// The key of the entry.
    key: Key<'de>,
    keys: Keys<Key<'de>>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum At {
    #[default]
    Start,
    /// The key was put.
    Key,
    /// The value is at the cursor, or was read.
    Value,
}

/// A key as what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key<'de> {
    Bool(bool),
    Int(i64),
    UInt(u64),
    Str(Cow<'de, str>),
}

impl Default for Key<'_> {
    fn default() -> Self {
        Key::Bool(false)
    }
}

impl<'de> Key<'de> {
    /// A key of the kind that the map has; the problem in words where it is none.
    fn of(text: Cow<'de, str>, kind: Kind) -> Result<Self, String> {
        Ok(match kind {
            Kind::Bool if text == "true" => Key::Bool(true),
            Kind::Bool if text == "false" => Key::Bool(false),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => {
                Key::Int(signed_key(&text, kind, i32::MAX as u64)?)
            }
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => {
                Key::Int(signed_key(&text, kind, i64::MAX as u64)?)
            }
            Kind::UInt32 | Kind::Fixed32 => Key::UInt(unsigned_key(&text, kind, u64::from(u32::MAX))?),
            Kind::UInt64 | Kind::Fixed64 => Key::UInt(unsigned_key(&text, kind, u64::MAX)?),
            Kind::String => Key::Str(text),
            _ => return Err(no_key(&text, kind)),
        })
    }

    fn in_words(&self) -> String {
        match self {
            Key::Bool(key) => key.to_string(),
            Key::Int(key) => key.to_string(),
            Key::UInt(key) => key.to_string(),
            Key::Str(key) => key.clone().into_owned(),
        }
    }

    /// Writes the key as the first field of an entry.
    pub(super) fn write(&self, writer: &mut Writer, field: &FieldPlan) {
        writer.tag(Tag::new(field.number, field.kind.wire_type()));
        let number = match self {
            Key::Str(key) => return writer.len_prefixed(key.as_bytes()),
            Key::Bool(key) => u64::from(*key),
            Key::Int(key) => match field.kind {
                Kind::SInt32 => u64::from(zigzag32(*key as i32)),
                Kind::SInt64 => zigzag64(*key),
                _ => *key as u64,
            },
            Key::UInt(key) => *key,
        };
        match field.kind.wire_type() {
            WireType::Fixed32 => writer.fixed32(number as u32),
            WireType::Fixed64 => writer.fixed64(number),
            _ => writer.varint(number),
        }
    }
}

impl<'de> Map<'de> {
    pub(super) fn key_in_words(&self) -> String {
        self.key.in_words()
    }
}

impl<'de> Json<'de> {
    pub(super) fn entry(
        &mut self,
        cx: Context<'_>,
        map: &mut Map<'de>,
        field: &FieldPlan,
        plan: &MapPlan,
    ) -> Result<bool> {
        loop {
            if !self.at_key(cx, map)? {
                return Ok(false);
            }
            let text = self.cursor.string()?;
            map.key = Key::of(text, plan.key.kind).map_err(|problem| self.error(problem))?;
            if !map.keys.note(&map.key) {
                return Err(self.error(format!("the key {} comes twice", quoted(&map.key.in_words()))));
            }
            self.cursor.colon()?;
            let byte = self.at_value();
            map.at = At::Value;
            if byte == Some(b'n') && !Self::takes_null(cx, &plan.value) {
                let error = self.mismatch("a value of a map");
                return Err(error.in_key(map.key.in_words()));
            }
            if self.looks_at(&plan.value) {
                match self.look(cx, &plan.value).map_err(|error| error.in_key(map.key.in_words()))? {
                    Look::Deliver => {}
                    Look::Drop => continue,
                    Look::Keep(number) => {
                        self.keep_entry(field, plan, &map.key, number)?;
                        continue;
                    }
                }
            }
            (map.at, map.value) = (At::Key, self.start);
            self.put(match map.key.clone() {
                Key::Bool(key) => Put::Bool(key),
                Key::Int(key) => Put::Int(key),
                Key::UInt(key) => Put::UInt(key),
                Key::Str(key) => Put::Str(key),
            });
            return Ok(true);
        }
    }

    /// Goes to the key of the next entry; false at the end.
    fn at_key(&mut self, cx: Context<'_>, map: &mut Map<'de>) -> Result<bool> {
        match map.at {
            At::Start if self.cursor.peek() != Some(b'{') => return Err(self.mismatch("a map")),
            At::Start => self.cursor.bump(),
            At::Key => {
                self.at_entry_value(map);
                self.skip(cx)?;
            }
            At::Value => {}
        }
        let is_first = map.at == At::Start;
        let byte = match self.at_value() {
            Some(b'}') => {
                self.cursor.bump();
                return Ok(false);
            }
            byte if is_first => byte,
            Some(b',') => {
                self.cursor.bump();
                self.at_value()
            }
            _ => return Err(self.cursor.unexpected("`,` or `}`")),
        };
        if byte == Some(b'"') { Ok(true) } else { Err(self.no_key()) }
    }

    #[cold]
    fn no_key(&self) -> Error {
        self.cursor.unexpected("a key in quotes")
    }

    /// Goes to the value of the entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at_entry_value(&mut self, map: &mut Map<'de>) {
        self.put = Put::Nothing;
        self.start = map.value;
        self.cursor.seek(map.value);
        map.at = At::Value;
    }
}
