//! Serializes JSON text that was printed before.

use crate::syntax::json::lex::Cursor;
use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};
use std::borrow::Cow;
use std::cell::Cell;

/// The nesting limit for skipped values. Printed text is not nested deeper.
const SKIPPED: u32 = 256;

/// A value of a JSON text that this crate printed. Each time the value is serialized, it reads the next value of the
/// text.
pub(crate) struct PrintedJson<'t> {
    text: &'t str,
    cursor: Cell<Cursor<'t>>,
}

impl<'t> PrintedJson<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        PrintedJson { text, cursor: Cell::new(Cursor::new(text)) }
    }

    fn read<T>(&self, read: impl FnOnce(&mut Cursor<'t>) -> T) -> T {
        let mut cursor = self.cursor.get();
        let value = read(&mut cursor);
        self.cursor.set(cursor);
        value
    }

    /// Consumes a comma, if it comes next. At the closing bracket, consumes the bracket and returns false.
    fn more(&self, close: u8) -> bool {
        self.read(|cursor| {
            if cursor.token() == Some(b',') {
                cursor.bump();
            }
            let more = cursor.token().is_some_and(|byte| byte != close);
            if !more {
                cursor.bump();
            }
            more
        })
    }

    fn number<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = self.read(|cursor| {
            let start = cursor.position();
            cursor.number().map(|_| &self.text[start..cursor.position()])
        });
        number(digits.map_err(S::Error::custom)?, serializer)
    }

    /// Writes the members of an object whose names are `[like.this]` into a map.
    pub(super) fn extensions<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.read(Cursor::token);
        self.read(Cursor::bump);
        while self.more(b'}') {
            let name = self.name().map_err(M::Error::custom)?;
            match name.starts_with('[') {
                true => map.serialize_entry(&*name, self)?,
                false => self.read(|cursor| cursor.skip(SKIPPED)).map_err(M::Error::custom)?,
            }
        }
        Ok(())
    }

    /// Reads a member's name and the colon after it, and returns the name.
    fn name(&self) -> crate::Result<Cow<'t, str>> {
        self.read(|cursor| {
            let name = cursor.string()?;
            cursor.colon()?;
            Ok(name)
        })
    }
}

/// Writes a number: as an integer if it has the digits of an integer, and otherwise as a floating-point number.
pub(super) fn number<S: Serializer>(digits: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(value) = digits.parse::<u64>() {
        return serializer.serialize_u64(value);
    }
    match digits.parse::<i64>() {
        // A negative zero would lose its sign as an integer.
        Ok(value) if value != 0 => serializer.serialize_i64(value),
        _ => serializer.serialize_f64(digits.parse().map_err(S::Error::custom)?),
    }
}

impl Serialize for PrintedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.read(Cursor::token) {
            Some(b'{') => {
                self.read(Cursor::bump);
                let mut map = serializer.serialize_map(None)?;
                while self.more(b'}') {
                    map.serialize_key(&*self.name().map_err(S::Error::custom)?)?;
                    map.serialize_value(self)?;
                }
                map.end()
            }
            Some(b'[') => {
                self.read(Cursor::bump);
                let mut list = serializer.serialize_seq(None)?;
                while self.more(b']') {
                    list.serialize_element(self)?;
                }
                list.end()
            }
            Some(b'"') => serializer.serialize_str(&self.read(Cursor::string).map_err(S::Error::custom)?),
            Some(b't') if self.read(|cursor| cursor.literal("true")) => serializer.serialize_bool(true),
            Some(b'f') if self.read(|cursor| cursor.literal("false")) => serializer.serialize_bool(false),
            Some(b'n') if self.read(|cursor| cursor.literal("null")) => serializer.serialize_unit(),
            _ => self.number(serializer),
        }
    }
}
