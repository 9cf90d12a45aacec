//! Encodes the messages of an arena directly to the wire format.
//!
//! The encoder iterates over the presence bits, so unset fields cost nothing.

use crate::error::{Error, LimitError, Result};
use crate::limits::Limits;
use crate::object::arena::cells::{Elements, for_each_width};
use crate::object::arena::presence::{set_rows, sorted_entries};
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::{Arena, Offsets, ROOT};
use crate::options::EncodeOptions;
use crate::table::{Kind, MapRows, Presence, Row, Shape, Table};
use crate::wire::{Output, Tag, WireType, zigzag32, zigzag64};

/// Writes the outermost message of an arena.
///
/// # Errors
/// A required field is not set, or messages nest too deep.
pub(crate) fn encode<O: Output>(
    arena: &Arena,
    table: &Table,
    out: &mut O,
    options: EncodeOptions,
) -> Result<()> {
    let (limits, sorted, partial) = options.parts();
    let encoder = Encoder { arena, limits, sorted, partial };
    encoder.message(table, ROOT, out, limits.max_depth())
}

/// Writes a message in an arena.
pub(crate) fn encode_at<O: Output>(
    message: MessageAt<'_>,
    out: &mut O,
    options: EncodeOptions,
) -> Result<()> {
    let (limits, sorted, partial) = options.parts();
    match message.offsets {
        Some((arena, offsets)) => {
            let encoder = Encoder { arena, limits, sorted, partial };
            encoder.message(message.table, offsets.at, out, limits.max_depth())
        }
        None => match message.table.required.first() {
            Some(&row) if !partial => Err(Error::required(&message.table.rows[usize::from(row)].name)),
            _ => Ok(()),
        },
    }
}

struct Encoder<'a> {
    arena: &'a Arena,
    limits: Limits,
    /// True if map entries are written in the order of their keys.
    sorted: bool,
    partial: bool,
}

impl<'a> Encoder<'a> {
    fn message<O: Output>(&self, table: &Table, at: u32, out: &mut O, depth: u32) -> Result<()> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Error::limit(LimitError::Depth(self.limits.max_depth())));
        };
        let offsets = Offsets::new(at);
        for field in set_rows(self.arena, offsets, &table.rows, 0) {
            self.field(field, self.arena.word(offsets, field), out, depth)?;
        }
        if !table.required.is_empty() && !self.partial {
            self.check_required(table, offsets)?;
        }
        let unknown = self.arena.unknown(at);
        if !unknown.is_empty() {
            out.raw(unknown);
        }
        Ok(())
    }

    #[cold]
    fn check_required(&self, table: &Table, offsets: Offsets) -> Result<()> {
        match self.arena.missing(offsets, table) {
            Some(row) => Err(Error::required(&row.name)),
            None => Ok(()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field<O: Output>(&self, field: &Row, word: u64, out: &mut O, depth: u32) -> Result<()> {
        match field.shape {
            Shape::Singular if field.is_message() => {
                self.inner(field, word, out, depth).map_err(|error| error.in_field(&field.name))
            }
            Shape::Singular => {
                let zero = match field.kind {
                    Kind::String | Kind::Bytes => word >> 32 == 0,
                    _ => word == 0,
                };
                if !zero || field.presence != Presence::Implicit {
                    self.scalar(field, word, out);
                }
                Ok(())
            }
            Shape::List => self.list(field, word, out, depth),
            Shape::Map => self.map(field, word, out, depth).map_err(|error| error.in_field(&field.name)),
        }
    }

    /// Writes a single value that is not a message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalar<O: Output>(&self, field: &Row, word: u64, out: &mut O) {
        let (tag, len) = (field.tag_bytes, field.tag_len);
        match field.kind {
            Kind::Int32 | Kind::Enum => out.tagged_varint(tag, len, i64::from(word as i32) as u64),
            Kind::Int64 | Kind::UInt32 | Kind::UInt64 | Kind::Bool => out.tagged_varint(tag, len, word),
            Kind::SInt32 => out.tagged_varint(tag, len, u64::from(zigzag32(word as i32))),
            Kind::SInt64 => out.tagged_varint(tag, len, zigzag64(word as i64)),
            Kind::Float | Kind::Fixed32 | Kind::SFixed32 => out.tagged_fixed32(tag, len, word as u32),
            Kind::Double | Kind::Fixed64 | Kind::SFixed64 => out.tagged_fixed64(tag, len, word),
            Kind::String | Kind::Bytes => out.tagged_bytes(tag, len, self.arena.bytes(word)),
            Kind::Message | Kind::Group => {}
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inner<O: Output>(&self, field: &Row, word: u64, out: &mut O, depth: u32) -> Result<()> {
        // A map entry that was received without a value has the word 0, and its value is an empty message.
        let at = word as u32;
        if field.kind == Kind::Group {
            out.tag(field.tag_bytes, field.tag_len);
            if at != 0 {
                self.message(field.sub_table(), at, out, depth)?;
            }
            out.varint(u64::from(Tag::new(field.number, WireType::EndGroup).value()));
            return Ok(());
        }
        let open = match field.shape {
            Shape::List => out.open_again(field.tag_bytes, field.tag_len),
            Shape::Singular | Shape::Map => out.open(field.tag_bytes, field.tag_len),
        };
        if at != 0 {
            self.message(field.sub_table(), at, out, depth)?;
        }
        out.close(open);
        Ok(())
    }

    #[inline(never)]
    fn list<O: Output>(&self, field: &Row, word: u64, out: &mut O, depth: u32) -> Result<()> {
        let elements = self.arena.elements(field, word);
        if elements.len() == 0 {
            return Ok(());
        }
        if field.packed {
            let open = out.open(field.tag_bytes, field.tag_len);
            packed(field.kind, elements, out);
            out.close(open);
            return Ok(());
        }
        for (index, word) in elements.iter().enumerate() {
            if field.is_message() {
                self.inner(field, word, out, depth)
                    .map_err(|error| error.in_index(index).in_field(&field.name))?;
            } else {
                self.scalar(field, word, out);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn map<O: Output>(&self, field: &Row, word: u64, out: &mut O, depth: u32) -> Result<()> {
        let rows = field.map();
        if self.sorted {
            let sorted = sorted_entries(self.arena, word, rows);
            return sorted.into_iter().try_for_each(|entry| self.entry(field, rows, entry, out, depth));
        }
        for entry in self.arena.entries(word) {
            self.entry(field, rows, entry, out, depth)?;
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry<O: Output>(
        &self,
        field: &Row,
        rows: &MapRows,
        (key, value): (u64, u64),
        out: &mut O,
        depth: u32,
    ) -> Result<()> {
        let open = out.open_again(field.tag_bytes, field.tag_len);
        self.scalar(&rows.key, key, out);
        if rows.value.is_message() {
            self.inner(&rows.value, value, out, depth.saturating_sub(1)).map_err(|error| {
                let key = self.arena.key_in_words(None, rows.key.kind, key);
                error.in_key(key)
            })?;
        } else {
            self.scalar(&rows.value, value, out);
        }
        out.close(open);
        Ok(())
    }
}

fn packed<O: Output>(kind: Kind, elements: Elements<'_>, out: &mut O) {
    match kind {
        Kind::Int32 | Kind::Enum => varints(elements, out, |word| i64::from(word as i32) as u64),
        Kind::SInt32 => varints(elements, out, |word| u64::from(zigzag32(word as i32))),
        Kind::SInt64 => varints(elements, out, |word| zigzag64(word as i64)),
        // The arena stores these elements in the bytes of the wire format.
        Kind::Float | Kind::Fixed32 | Kind::SFixed32 | Kind::Double | Kind::Fixed64 | Kind::SFixed64 => {
            out.raw(elements.bytes());
        }
        _ => varints(elements, out, |word| word),
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn varints<O: Output>(elements: Elements<'_>, out: &mut O, of: impl Fn(u64) -> u64) {
    out.reserve(elements.len());
    for_each_width!(elements, words => words.for_each(|word| out.varint(of(word))));
}
