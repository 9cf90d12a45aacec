//! Parses maps.

use super::Parser;
use super::enumeration::Look;
use super::scalar::{integer_key, no_key};
use crate::codec::element::{check_owned, element_size};
use crate::error::{Error, Result};
use crate::object::wire::{EntryKey, Keys};
use crate::object::{Fill, ObjectMut};
use crate::syntax::well_known::quoted;
use crate::table::{Kind, MapRows, Row};
use crate::wire::{Tag, WireType, Writer, zigzag32, zigzag64};
use std::borrow::Cow;

/// A map key. The variant depends on the type of the key.
#[derive(Debug)]
pub(super) enum Key<'i> {
    Bool(bool),
    Int(i64),
    UInt(u64),
    Str(Cow<'i, str>),
}

impl<'i> Key<'i> {
    /// Parses a key of the kind `kind`. If the key is not valid, returns the text of an error.
    fn of(text: Cow<'i, str>, kind: Kind) -> Result<Self, String> {
        Ok(match kind {
            Kind::String => Key::Str(text),
            Kind::Bool if text == "true" => Key::Bool(true),
            Kind::Bool if text == "false" => Key::Bool(false),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => {
                Key::Int(integer_key(&text, kind)? as i64)
            }
            Kind::UInt32 | Kind::Fixed32 | Kind::UInt64 | Kind::Fixed64 => {
                Key::UInt(integer_key(&text, kind)?)
            }
            _ => return Err(no_key(&text, kind)),
        })
    }

    /// Returns the key in the form in which keys are compared to find duplicates.
    fn entry(&self) -> EntryKey<'i> {
        match self {
            Key::Bool(key) => EntryKey::Number(u64::from(*key)),
            Key::Int(key) => EntryKey::Number(*key as u64),
            Key::UInt(key) => EntryKey::Number(*key),
            Key::Str(Cow::Borrowed(key)) => EntryKey::Text(key.as_bytes().into()),
            Key::Str(Cow::Owned(key)) => EntryKey::Text(key.clone().into_bytes().into()),
        }
    }

    fn in_words(&self) -> Cow<'_, str> {
        match self {
            Key::Bool(key) => key.to_string().into(),
            Key::Int(key) => key.to_string().into(),
            Key::UInt(key) => key.to_string().into(),
            Key::Str(key) => Cow::Borrowed(key),
        }
    }

    fn write(&self, writer: &mut Writer, row: &Row) {
        writer.tag(Tag::new(row.number, row.kind.wire_type()));
        let number = match self {
            Key::Str(key) => return writer.len_prefixed(key.as_bytes()),
            Key::Bool(key) => u64::from(*key),
            Key::Int(key) => match row.kind {
                Kind::SInt32 => u64::from(zigzag32(*key as i32)),
                Kind::SInt64 => zigzag64(*key),
                _ => *key as u64,
            },
            Key::UInt(key) => *key,
        };
        match row.kind.wire_type() {
            WireType::Fixed32 => writer.fixed32(number as u32),
            WireType::Fixed64 => writer.fixed64(number),
            _ => writer.varint(number),
        }
    }
}

impl Parser<'_> {
    #[inline(never)]
    pub(super) fn map<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        if self.cursor.peek() != Some(b'{') {
            return Err(self.mismatch("a map"));
        }
        self.cursor.bump();
        let (rows, size) = (row.map(), element_size(row));
        let mut keys = Keys::default();
        let mut first = true;
        while self.at_key(first)? {
            first = false;
            let text = self.cursor.string()?;
            let key = Key::of(text, rows.key.kind).map_err(|problem| self.error(problem))?;
            if !keys.note(key.entry()) {
                return Err(self.error(format!("the key {} comes twice", quoted(&key.in_words()))));
            }
            self.cursor.colon()?;
            if self.at_value() == Some(b'n') && !Self::takes_null(&rows.value)? {
                return Err(self.mismatch("a value of a map").in_key(key.in_words()));
            }
            if self.looks_at(&rows.value) && !self.delivers_entry(message, row, &key)? {
                continue;
            }
            let done = self.take(size).and_then(|()| self.entry(message, row, &key));
            if let Err(error) = done {
                return Err(self.locate(error.in_key(key.in_words())));
            }
        }
        Ok(())
    }

    #[inline]
    fn entry<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row, key: &Key<'_>) -> Result<()> {
        let rows = row.map();
        message.insert(row, &mut |entry| {
            self.set_key(entry, &rows.key, key)?;
            self.room.enter_entry(&rows.value);
            self.single(entry, &rows.value)?;
            self.room.leave_entry(&rows.value);
            Ok(true)
        })?;
        Ok(())
    }

    #[inline]
    fn set_key<'t, F: Fill<'t>>(&self, entry: &mut F, row: &'t Row, key: &Key<'_>) -> Result<()> {
        match key {
            Key::Bool(key) => entry.set_scalar(row, u64::from(*key)),
            Key::Int(key) => entry.set_scalar(row, *key as u64),
            Key::UInt(key) => entry.set_scalar(row, *key),
            Key::Str(key) => {
                if let Cow::Owned(key) = key {
                    check_owned(row, key.as_bytes())?;
                }
                entry.set_str(row, key, self.is_borrowed(key))
            }
        }
    }

    /// Moves to the key of the next entry. Returns false at the end of the map, after skipping the brace.
    #[inline]
    fn at_key(&mut self, first: bool) -> Result<bool> {
        let byte = match self.at_value() {
            Some(b'}') => {
                self.cursor.bump();
                return Ok(false);
            }
            byte if first => byte,
            Some(b',') => {
                self.cursor.bump();
                self.at_value()
            }
            _ => return Err(self.cursor.unexpected("`,` or `}`")),
        };
        if byte == Some(b'"') { Ok(true) } else { Err(self.no_quote()) }
    }

    #[cold]
    fn no_quote(&self) -> Error {
        self.cursor.unexpected("a key in quotes")
    }

    /// Returns true if the map can store the entry whose enum value is at the cursor. Otherwise skips the value, or keeps the
    /// entry as an unknown field, and returns false.
    #[cold]
    fn delivers_entry<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        key: &Key<'_>,
    ) -> Result<bool> {
        let MapRows { key: key_row, value, .. } = row.map();
        match self.look(message.table(), value).map_err(|error| error.in_key(key.in_words()))? {
            Look::Deliver => return Ok(true),
            Look::Drop => {}
            Look::Keep(number) => {
                // The whole entry becomes an unknown field.
                let mut entry = Writer::new();
                key.write(&mut entry, key_row);
                Self::put_number(&mut entry, value, number);
                let mut writer = Writer::new();
                writer.tag(Tag::new(row.number, WireType::Len));
                writer.len_prefixed(&entry.finish()?);
                message.add_unknown(&writer.finish()?);
            }
        }
        Ok(false)
    }
}
