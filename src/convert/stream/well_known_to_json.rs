//! Messages with a special JSON form, from the wire.

use super::to_json::{ToJson, after_tag, found};
use super::wire_scalar::len_prefixed;
use crate::dynamic::{max_words, message_words};
use crate::table::{Kind, Presence, Row, Shape, Table, Tabled, WellKnown};
use crate::well_known;

impl ToJson<'_> {
    /// Prints a message with a special JSON form; `depth` more levels may be opened inside it.
    #[inline(never)]
    pub(super) fn well_known(&mut self, table: &Table, input: &[u8], depth: u32) -> Option<()> {
        match table.known {
            WellKnown::No => None,
            WellKnown::Timestamp => {
                let (seconds, nanos) = seconds_and_nanos(table, input)?;
                well_known::check_timestamp(seconds, nanos).ok()?;
                self.json.out.text(|out| well_known::write_timestamp(out, seconds, nanos));
                Some(())
            }
            WellKnown::Duration => {
                let (seconds, nanos) = seconds_and_nanos(table, input)?;
                well_known::check_duration(seconds, nanos).ok()?;
                self.json.out.text(|out| well_known::write_duration(out, seconds, nanos));
                Some(())
            }
            WellKnown::FieldMask => self.field_mask(table, input),
            WellKnown::Any => self.any(table, input, depth),
            WellKnown::Struct | WellKnown::Value | WellKnown::ListValue | WellKnown::Wrapper => {
                self.only_field(table, input, depth)
            }
        }
    }

    /// A message that is printed as its only field.
    fn only_field(&mut self, table: &Table, input: &[u8], depth: u32) -> Option<()> {
        if input.is_empty() {
            match table.known {
                WellKnown::Struct => self.json.out.raw(b"{}"),
                WellKnown::ListValue => self.json.out.raw(b"[]"),
                WellKnown::Wrapper => self.json.zero(wrapped(table.rows.first()?)?),
                _ => return None,
            }
            return Some(());
        }
        let (index, tag, mut rest) = found(table, input)?;
        let row = table.rows.get(index)?;
        match (table.known, row.shape) {
            (WellKnown::Struct, Shape::Map) => rest = self.map(rest, row, depth)?,
            (WellKnown::ListValue, Shape::List) if row.is_message() => {
                rest = self.elements(rest, row, tag, depth)?;
            }
            (WellKnown::Wrapper, Shape::Singular) => {
                self.value::<false>(&mut rest, wrapped(row)?, depth)?;
            }
            (WellKnown::Value, Shape::Singular) if row.presence == Presence::Explicit => {
                // Others have no form in JSON.
                let is_finite = |bytes: &[u8; 8]| f64::from_le_bytes(*bytes).is_finite();
                if row.kind == Kind::Double && !rest.first_chunk().is_some_and(is_finite) {
                    return None;
                }
                self.value::<false>(&mut rest, row, depth)?;
            }
            _ => return None,
        }
        rest.is_empty().then_some(())
    }

    fn field_mask(&mut self, table: &Table, mut input: &[u8]) -> Option<()> {
        let mut paths = Vec::new();
        while !input.is_empty() {
            let (index, _, mut rest) = found(table, input)?;
            let row = table.rows.get(index)?;
            if (row.number, row.shape, row.kind) != (1, Shape::List, Kind::String) {
                return None;
            }
            paths.push(std::str::from_utf8(len_prefixed(&mut rest)?).ok()?);
            input = rest;
        }
        self.words = self.words.checked_sub(1 + paths.len())?;
        let text = well_known::to_json(&paths).ok()?;
        self.json.out.string(&text);
        Some(())
    }

    /// An `Any`: its content as members beside `@type`.
    fn any(&mut self, table: &Table, mut input: &[u8], depth: u32) -> Option<()> {
        let (mut url, mut content) = (None, None);
        while !input.is_empty() {
            let (index, _, mut rest) = found(table, input)?;
            let row = table.rows.get(index)?;
            let slot = match (row.number, row.shape, row.kind) {
                (1, Shape::Singular, Kind::String) => &mut url,
                (2, Shape::Singular, Kind::Bytes) => &mut content,
                _ => return None,
            };
            if slot.replace(len_prefixed(&mut rest)?).is_some() {
                return None;
            }
            input = rest;
        }
        let (url, content) =
            (std::str::from_utf8(url.unwrap_or_default()).ok()?, content.unwrap_or_default());
        if url.is_empty() && content.is_empty() {
            self.json.out.raw(b"{}");
            return Some(());
        }
        let descriptor = self.json.resolve(url).ok()?;
        let table = descriptor.table().ok()?;
        let object = self.json.out.open();
        self.json.out.member(b",\"@type\":");
        self.json.out.string(url);
        // The content is a separate message.
        let outer = std::mem::replace(&mut self.words, max_words(self.options.limits, content.len()));
        if table.known == WellKnown::No {
            let depth = depth.checked_sub(1)?;
            self.words = self.words.checked_sub(message_words(table))?;
            self.members(table, content, depth)?;
        } else {
            self.json.out.member(b",\"value\":");
            self.message(table, content, depth)?;
        }
        self.words = outer;
        self.json.out.close(object, *b"{}");
        Some(())
    }

    /// The members of an open object; out of line, since it is rare.
    #[inline(never)]
    fn members(&mut self, table: &Table, input: &[u8], depth: u32) -> Option<()> {
        self.fields(table, input, depth)
    }
}

/// The field of a wrapper; `None` for a message that has only its name.
fn wrapped(row: &Row) -> Option<&Row> {
    (row.number == 1 && row.shape == Shape::Singular && !row.is_message()).then_some(row)
}

/// The fields of a timestamp or a duration, each at most once.
fn seconds_and_nanos(table: &Table, input: &[u8]) -> Option<(i64, i32)> {
    let part = |number: u32, kind: Kind, input: &mut &[u8]| -> Option<u64> {
        let row = table.row(number)?;
        if (row.shape, row.kind) != (Shape::Singular, kind) {
            return None;
        }
        match after_tag(row, input) {
            Some(rest) => {
                *input = rest;
                super::wire_scalar::varint(input)
            }
            None => Some(0),
        }
    };
    let mut input = input;
    let seconds = part(1, Kind::Int64, &mut input)? as i64;
    let nanos = part(2, Kind::Int32, &mut input)? as i32;
    input.is_empty().then_some((seconds, nanos))
}
