//! Fills messages by appending wire bytes.
//!
//! Fields are appended in the order in which they are set. The length of a message or packed list is written when the
//! message or list ends. A field that is set twice is written twice, so the caller must set each field once.

use crate::error::{Error, Result, WireError};
use crate::layout::Text;
use crate::object::{Fill, ListMut, ObjectMut, mismatch};
use crate::table::{Kind, Presence, Row, Table};
use crate::wire::{CursorMut, Open, Output, Tag, WireType, zigzag32, zigzag64};

/// A message whose fields are appended to the written bytes.
pub(crate) struct WireSink<'a, 't> {
    out: &'a mut CursorMut<'t>,
    table: &'t Table,
    end: End,
}

/// What follows the fields of a message.
enum End {
    Nothing,
    Length(Open),
    Group(u32),
}

/// A list whose elements are appended to the written bytes.
pub(crate) struct ListSink<'a, 't> {
    out: &'a mut CursorMut<'t>,
    row: &'t Row,
    /// The length, still open, of a packed list that has elements.
    packed: Option<Open>,
}

/// An entry of a map whose key and value are appended to the written bytes.
pub(crate) struct EntrySink<'a, 't> {
    out: &'a mut CursorMut<'t>,
    length: Open,
}

impl<'a, 't> WireSink<'a, 't> {
    pub(crate) fn new(out: &'a mut CursorMut<'t>, table: &'t Table) -> Self {
        WireSink { out, table, end: End::Nothing }
    }

    #[inline]
    fn open(out: &'a mut CursorMut<'t>, row: &'t Row) -> Result<Self> {
        let end = match row.kind {
            Kind::Message => End::Length(out.short_and_open(row.tag_bytes, row.tag_len)),
            Kind::Group => {
                out.short(row.tag_bytes, row.tag_len);
                End::Group(row.number)
            }
            _ => return Err(mismatch()),
        };
        Ok(WireSink { out, table: row.message()?, end })
    }

    #[inline]
    pub(crate) fn entry(&mut self, row: &'t Row) -> EntrySink<'_, 't> {
        let length = self.out.short_and_open_again(row.tag_bytes, row.tag_len);
        EntrySink { out: self.out, length }
    }
}

impl EntrySink<'_, '_> {
    /// Ends the entry.
    ///
    /// # Errors
    /// `filled` is an error, or is false, which means that the entry must not be inserted. In both cases, the bytes that were
    /// written stay in the output.
    #[inline]
    pub(crate) fn end(self, filled: Result<bool>) -> Result<bool> {
        if !filled? {
            return Err(mismatch());
        }
        self.out.close(self.length);
        Ok(true)
    }
}

/// Writes a tag and a number of the kind `kind`.
#[inline]
pub(crate) fn put_scalar(out: &mut CursorMut<'_>, row: &Row, kind: Kind, bits: u64) {
    let (tag, len) = (row.tag_bytes, row.tag_len);
    let varint = match kind {
        Kind::Int32 | Kind::Enum => i64::from(bits as i32) as u64,
        Kind::UInt32 => u64::from(bits as u32),
        Kind::SInt32 => zigzag32(bits as i32).into(),
        Kind::SInt64 => zigzag64(bits as i64),
        Kind::Fixed32 | Kind::SFixed32 | Kind::Float => {
            return out.short_and(tag, len, (bits as u32).to_le_bytes());
        }
        Kind::Fixed64 | Kind::SFixed64 | Kind::Double => return out.short_and(tag, len, bits.to_le_bytes()),
        _ => bits,
    };
    out.short_and_varint(tag, len, varint);
}

#[inline]
pub(crate) fn put_packed(out: &mut CursorMut<'_>, kind: Kind, bits: &[u64]) {
    match kind {
        Kind::Int32 | Kind::Enum => bits.iter().for_each(|bits| out.varint(i64::from(*bits as i32) as u64)),
        Kind::UInt32 => bits.iter().for_each(|bits| out.varint(u64::from(*bits as u32))),
        Kind::SInt32 => bits.iter().for_each(|bits| out.varint(zigzag32(*bits as i32).into())),
        Kind::SInt64 => bits.iter().for_each(|bits| out.varint(zigzag64(*bits as i64))),
        Kind::Fixed32 | Kind::SFixed32 | Kind::Float => {
            bits.iter().for_each(|bits| out.fixed32(*bits as u32))
        }
        Kind::Fixed64 | Kind::SFixed64 | Kind::Double => bits.iter().for_each(|bits| out.fixed64(*bits)),
        _ => bits.iter().for_each(|bits| out.varint(*bits)),
    }
}

fn put_text(out: &mut CursorMut<'_>, row: &Row, text: Text<'_>) -> Result<()> {
    if row.kind == Kind::String && row.utf8 && crate::wire::utf8(text.bytes).is_err() {
        return Err(Error::wire(WireError::Utf8, 0).nowhere());
    }
    out.short_and_len_prefixed(row.tag_bytes, row.tag_len, text.bytes);
    Ok(())
}

impl<'t> Fill<'t> for WireSink<'_, 't> {
    type Child<'b>
        = WireSink<'b, 't>
    where
        Self: 'b;

    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        if bits != 0 || row.presence != Presence::Implicit {
            put_scalar(self.out, row, row.kind, bits);
        }
        Ok(())
    }

    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        if text.bytes.is_empty() && row.presence == Presence::Implicit {
            return Ok(());
        }
        put_text(self.out, row, text)
    }

    fn set_str(&mut self, row: &'t Row, text: &str, _: bool) -> Result<()> {
        if !text.is_empty() || row.presence != Presence::Implicit {
            self.out.short_and_len_prefixed(row.tag_bytes, row.tag_len, text.as_bytes());
        }
        Ok(())
    }

    #[inline]
    fn message(&mut self, row: &'t Row) -> Result<WireSink<'_, 't>> {
        WireSink::open(self.out, row)
    }
}

impl<'t> ObjectMut<'t> for WireSink<'_, 't> {
    type Entry<'b>
        = EntrySink<'b, 't>
    where
        Self: 'b;
    type List<'b>
        = ListSink<'b, 't>
    where
        Self: 'b;

    #[inline]
    fn table(&self) -> &'t Table {
        self.table
    }

    #[inline]
    fn list(&mut self, row: &'t Row, _: &dyn Fn() -> usize) -> Result<ListSink<'_, 't>> {
        Ok(ListSink { out: self.out, row, packed: None })
    }

    fn insert<'s>(
        &'s mut self,
        row: &'t Row,
        fill: &mut dyn FnMut(&mut EntrySink<'s, 't>) -> Result<bool>,
    ) -> Result<bool> {
        let mut entry = self.entry(row);
        let filled = fill(&mut entry);
        entry.end(filled)
    }

    fn add_unknown(&mut self, fields: &[u8]) {
        self.out.raw(fields);
    }

    #[inline]
    fn end(self) {
        match self.end {
            End::Nothing => {}
            End::Length(open) => self.out.close(open),
            End::Group(number) => self.out.varint(Tag::new(number, WireType::EndGroup).value().into()),
        }
    }
}

impl<'t> ListMut<'t> for ListSink<'_, 't> {
    type Child<'b>
        = WireSink<'b, 't>
    where
        Self: 'b;

    fn push_scalars(&mut self, bits: &[u64]) -> Result<()> {
        if !self.row.packed {
            bits.iter().for_each(|bits| put_scalar(self.out, self.row, self.row.kind, *bits));
            return Ok(());
        }
        if self.packed.is_none() && !bits.is_empty() {
            self.packed = Some(self.out.short_and_open(self.row.tag_bytes, self.row.tag_len));
        }
        put_packed(self.out, self.row.kind, bits);
        Ok(())
    }

    fn push_str(&mut self, text: &str, _: bool) -> Result<()> {
        self.out.short_and_len_prefixed(self.row.tag_bytes, self.row.tag_len, text.as_bytes());
        Ok(())
    }

    fn push_text(&mut self, text: Text<'_>) -> Result<()> {
        put_text(self.out, self.row, text)
    }

    #[inline]
    fn push_message(&mut self) -> Result<WireSink<'_, 't>> {
        if self.row.kind != Kind::Message {
            return WireSink::open(self.out, self.row);
        }
        let length = self.out.short_and_open_again(self.row.tag_bytes, self.row.tag_len);
        Ok(WireSink { out: self.out, table: self.row.message()?, end: End::Length(length) })
    }

    #[inline]
    fn end(self) {
        if let Some(length) = self.packed {
            self.out.close(length);
        }
    }
}

impl<'t> Fill<'t> for EntrySink<'_, 't> {
    type Child<'b>
        = WireSink<'b, 't>
    where
        Self: 'b;

    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        put_scalar(self.out, row, row.kind, bits);
        Ok(())
    }

    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        put_text(self.out, row, text)
    }

    fn set_str(&mut self, row: &'t Row, text: &str, _: bool) -> Result<()> {
        self.out.short_and_len_prefixed(row.tag_bytes, row.tag_len, text.as_bytes());
        Ok(())
    }

    #[inline]
    fn message(&mut self, row: &'t Row) -> Result<WireSink<'_, 't>> {
        WireSink::open(self.out, row)
    }
}
