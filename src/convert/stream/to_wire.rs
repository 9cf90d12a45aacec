//! JSON to wire.

use super::Seen;
use super::map_keys::{MapKeys, ordered};
use crate::codec::element_size;
use crate::codec::json::EntryKey;
use crate::json::Options;
use crate::json::lex::Cursor;
use crate::table::{Kind, Presence, Row, Shape, Table, WellKnown};
use crate::wire::{CursorMut, Tag, WireType, zigzag32, zigzag64};
use std::borrow::Cow;

/// Encodes a JSON text.
///
/// A position in the text is passed from function to function, and each returns the position after what it
/// read.
pub(crate) struct ToWire<'a, 'w, 't> {
    pub(super) out: &'a mut CursorMut<'w>,
    text: &'t str,
    options: &'a Options,
    /// How many bytes the structs of the message may still take.
    memory: u64,
}

/// The next member of an object.
enum Member {
    /// The field of an index, and the position after the colon.
    Field(usize, usize),
    /// The position after the object.
    End(usize),
}

/// What a value is to its message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A field: its tag is written first, and nothing is written for a default without presence.
    Field,
    /// An element of a list or the key or value of a map entry: its tag is written first.
    Element,
    /// A number in a packed list.
    Packed,
}

impl<'a, 'w, 't> ToWire<'a, 'w, 't> {
    pub(crate) fn new(out: &'a mut CursorMut<'w>, text: &'t str, options: &'a Options) -> Self {
        let memory = options.limits.max_memory(text.len() as u64);
        ToWire { out, text, options, memory }
    }

    /// Writes the message that the whole text is; `None` if it is not canonical.
    pub(crate) fn root(&mut self, table: &Table) -> Option<()> {
        let at = self.message(table, self.token(0), self.options.limits.max_depth())?;
        (self.token(at) == self.text.len()).then_some(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(&mut self, bytes: u64) -> Option<()> {
        self.memory = self.memory.checked_sub(bytes)?;
        Some(())
    }

    /// Writes the fields of a message, where `depth` more may be opened.
    fn message(&mut self, table: &Table, at: usize, depth: u32) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        self.take(table.size.into())?;
        if table.known != WellKnown::No {
            return self.well_known(table, at, depth);
        }
        if self.byte(at) != Some(b'{') {
            return None;
        }
        let mut at = at + 1;
        let (mut seen, mut oneofs, mut nulls) = (Seen::default(), Seen::default(), Seen::default());
        let (mut guess, mut started) = (0, false);
        loop {
            // Mostly it is the next field, with nothing between the tokens.
            let from = at - usize::from(!started);
            let rest = self.text.as_bytes().get(from..)?;
            let guessed = table.rows.get(guess).and_then(|row| row.json_key().starts(rest, started));
            let index = match guessed {
                Some(len) => {
                    at = from + len;
                    guess
                }
                None => match self.other_member(table, guess, at, started)? {
                    Member::Field(index, after) => {
                        at = after;
                        index
                    }
                    Member::End(after) => {
                        at = after;
                        break;
                    }
                },
            };
            if index < guess && self.options.deterministic {
                return None;
            }
            (guess, started) = (index + 1, true);
            let row = table.rows.get(index)?;
            if !seen.note(index) {
                return None;
            }
            at = self.token(at);
            if self.byte(at) == Some(b'n') && !takes_null(row)? {
                at = self.null(at)?;
                nulls.note(index);
                continue;
            }
            if row.oneof.is_some_and(|oneof| !oneofs.note(usize::from(oneof))) {
                return None;
            }
            at = match row.shape {
                Shape::Singular => self.value(Role::Field, at, row, depth)?,
                Shape::List => self.list(at, row, depth)?,
                Shape::Map => self.map(at, row, depth)?,
            };
        }
        let is_missing = |index: &u16| !seen.has(*index) || nulls.has(*index);
        (self.options.partial || !table.required.iter().any(is_missing)).then_some(at)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The position of the next token.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn token(&self, at: usize) -> usize {
        match self.byte(at) {
            Some(byte) if byte > b' ' => at,
            _ => self.token_after_space(at),
        }
    }

    #[inline(never)]
    fn token_after_space(&self, at: usize) -> usize {
        let mut cursor = self.cursor(at);
        cursor.token();
        cursor.position()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn cursor(&self, at: usize) -> Cursor<'t> {
        let mut cursor = Cursor::new(self.text);
        cursor.seek(at);
        cursor
    }

    /// The next member if it is not the expected field, or its text is non-canonical.
    #[inline(never)]
    fn other_member(&self, table: &Table, guess: usize, at: usize, started: bool) -> Option<Member> {
        let mut cursor = self.cursor(at);
        match cursor.token()? {
            b'}' => return Some(Member::End(cursor.position() + 1)),
            b',' if started => {
                cursor.bump();
                cursor.token();
            }
            b'"' if !started => {}
            _ => return None,
        }
        // Writers leave fields out more often than they change the order.
        for index in table.keys().nearby(guess, cursor.rest()) {
            if cursor.eat_key(table.rows.get(index)?.json_key(), false) {
                return Some(Member::Field(index, cursor.position()));
            }
        }
        if cursor.peek() != Some(b'"') {
            return None;
        }
        let name = cursor.string().ok()?;
        cursor.colon().ok()?;
        let index = table.row_called(&name)?;
        Some(Member::Field(index.into(), cursor.position()))
    }

    /// Skips a null that means an unset field.
    #[inline(never)]
    pub(super) fn null(&self, at: usize) -> Option<usize> {
        let mut cursor = self.cursor(at);
        cursor.literal("null").then(|| cursor.position())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn omits(role: Role, row: &Row, is_default: bool) -> bool {
        role == Role::Field && is_default && row.presence == Presence::Implicit
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn varint(&mut self, role: Role, row: &Row, value: u64) {
        if role == Role::Packed {
            self.out.varint(value);
        } else if !Self::omits(role, row, value == 0) {
            self.out.short_and_varint(row.tag_bytes, row.tag_len, value);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed32(&mut self, role: Role, row: &Row, value: u32) {
        if role == Role::Packed {
            self.out.fixed32(value);
        } else if !Self::omits(role, row, value == 0) {
            self.out.short_and(row.tag_bytes, row.tag_len, value.to_le_bytes());
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed64(&mut self, role: Role, row: &Row, value: u64) {
        if role == Role::Packed {
            self.out.fixed64(value);
        } else if !Self::omits(role, row, value == 0) {
            self.out.short_and(row.tag_bytes, row.tag_len, value.to_le_bytes());
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bytes(&mut self, role: Role, row: &Row, value: &[u8]) {
        if !Self::omits(role, row, value.is_empty()) {
            self.out.short_and_len_prefixed(row.tag_bytes, row.tag_len, value);
        }
    }

    /// Writes a single value.
    #[inline(never)]
    pub(super) fn value(&mut self, role: Role, at: usize, row: &Row, depth: u32) -> Option<usize> {
        let after;
        match row.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                let value;
                (value, after) = self.int32(at)?;
                match kind {
                    Kind::SInt32 => self.varint(role, row, zigzag32(value).into()),
                    Kind::SFixed32 => self.fixed32(role, row, value as u32),
                    _ => self.varint(role, row, i64::from(value) as u64),
                }
            }
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                let value;
                (value, after) = self.int64(at)?;
                match kind {
                    Kind::SInt64 => self.varint(role, row, zigzag64(value)),
                    Kind::SFixed64 => self.fixed64(role, row, value as u64),
                    _ => self.varint(role, row, value as u64),
                }
            }
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                let value;
                (value, after) = self.uint32(at)?;
                match kind {
                    Kind::Fixed32 => self.fixed32(role, row, value),
                    _ => self.varint(role, row, value.into()),
                }
            }
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                let value;
                (value, after) = self.uint64(at)?;
                match kind {
                    Kind::Fixed64 => self.fixed64(role, row, value),
                    _ => self.varint(role, row, value),
                }
            }
            Kind::Float => {
                let value: f32;
                (value, after) = self.float(at)?;
                self.fixed32(role, row, value.to_bits());
            }
            Kind::Double => {
                let value: f64;
                (value, after) = self.float(at)?;
                self.fixed64(role, row, value.to_bits());
            }
            Kind::Bool => {
                let value;
                (value, after) = self.boolean(at)?;
                self.varint(role, row, value.into());
            }
            Kind::Enum => {
                let value;
                (value, after) = self.enumeration(at, row.enumeration())?;
                if !row.takes_number(value) {
                    return None;
                }
                self.varint(role, row, i64::from(value) as u64);
            }
            Kind::String => {
                let value;
                (value, after) = self.string(at)?;
                self.bytes(role, row, value.as_bytes());
            }
            Kind::Bytes => {
                let value;
                (value, after) = self.base64(at)?;
                self.bytes(role, row, &value);
            }
            Kind::Message => {
                let open = match role {
                    Role::Element => self.out.short_and_open_again(row.tag_bytes, row.tag_len),
                    _ => self.out.short_and_open(row.tag_bytes, row.tag_len),
                };
                after = self.message(row.message().ok()?, at, depth)?;
                self.out.close(open);
            }
            Kind::Group => {
                self.out.short(row.tag_bytes, row.tag_len);
                after = self.message(row.message().ok()?, at, depth)?;
                self.out.varint(Tag::new(row.number, WireType::EndGroup).value().into());
            }
        }
        Some(after)
    }

    #[inline(never)]
    pub(super) fn list(&mut self, at: usize, row: &Row, depth: u32) -> Option<usize> {
        if self.byte(at) != Some(b'[') {
            return None;
        }
        let at = self.token(at + 1);
        if self.byte(at) == Some(b']') {
            return Some(at + 1);
        }
        if !row.packed {
            return self.elements(Role::Element, at, row, depth);
        }
        let open = self.out.short_and_open(row.tag_bytes, row.tag_len);
        let after = self.elements(Role::Packed, at, row, depth)?;
        self.out.close(open);
        Some(after)
    }

    /// The elements of a list, from the first one on.
    fn elements(&mut self, role: Role, mut at: usize, row: &Row, depth: u32) -> Option<usize> {
        let size = element_size(row);
        loop {
            self.take(size)?;
            at = self.value(role, at, row, depth)?;
            at = self.token(at);
            match self.byte(at) {
                Some(b',') => at = self.token(at + 1),
                Some(b']') => return Some(at + 1),
                _ => return None,
            }
        }
    }

    /// Writes a key.
    fn key(&mut self, at: usize, row: &Row) -> Option<(EntryKey<'t>, usize)> {
        if row.kind != Kind::String {
            let (key, after) = self.number_key(at, row)?;
            return Some((EntryKey::Number(key), after));
        }
        let (key, after) = self.string(at)?;
        self.bytes(Role::Element, row, key.as_bytes());
        let key = match key {
            Cow::Borrowed(key) => key.as_bytes().into(),
            Cow::Owned(key) => key.into_bytes().into(),
        };
        Some((EntryKey::Text(key), after))
    }

    /// Writes a key that is a number or a bool.
    fn number_key(&mut self, at: usize, row: &Row) -> Option<(u64, usize)> {
        match row.kind {
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => {
                let (key, _) = self.int64(at)?;
                Some((ordered(key), self.value(Role::Element, at, row, 0)?))
            }
            Kind::UInt32 | Kind::Fixed32 | Kind::UInt64 | Kind::Fixed64 => {
                let (key, _) = self.uint64(at)?;
                Some((key, self.value(Role::Element, at, row, 0)?))
            }
            Kind::Bool => {
                let (key, end) = self.boolean(at + 1)?;
                self.varint(Role::Element, row, key.into());
                (self.byte(end) == Some(b'"')).then_some((key.into(), end + 1))
            }
            _ => None,
        }
    }

    #[inline(never)]
    pub(super) fn map(&mut self, at: usize, row: &Row, depth: u32) -> Option<usize> {
        if self.byte(at) != Some(b'{') {
            return None;
        }
        let mut at = self.token(at + 1);
        if self.byte(at) == Some(b'}') {
            return Some(at + 1);
        }
        let (rows, size) = (row.map(), element_size(row));
        let mut keys = MapKeys::new(self.options.deterministic);
        loop {
            if self.byte(at) != Some(b'"') {
                return None;
            }
            self.take(size)?;
            let open = self.out.short_and_open_again(row.tag_bytes, row.tag_len);
            let (key, after) = self.key(at, &rows.key)?;
            if !keys.note(key) {
                return None;
            }
            at = self.token(after);
            if self.byte(at) != Some(b':') {
                return None;
            }
            at = self.token(at + 1);
            at = self.value(Role::Element, at, &rows.value, depth)?;
            self.out.close(open);
            at = self.token(at);
            match self.byte(at) {
                Some(b',') => at = self.token(at + 1),
                Some(b'}') => return Some(at + 1),
                _ => return None,
            }
        }
    }
}

/// True if `null` is a value, not an unset field.
#[inline(never)]
fn takes_null(row: &Row) -> Option<bool> {
    Some(match (row.shape, row.kind) {
        (Shape::Singular, Kind::Enum) => row.enumeration().null,
        (Shape::Singular, Kind::Message | Kind::Group) => row.message().ok()?.known == WellKnown::Value,
        _ => false,
    })
}
