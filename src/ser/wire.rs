//! The wire format as a sink, and the same as a counter.
//!
//! Specification: <https://protobuf.dev/programming-guides/encoding/>.

use super::sink::{Fork, Handed};
use super::{Single, Sink};
use crate::error::Result;
use crate::plan::{EnumPlan, FieldPlan, Head, Kind, MessagePlan};
use crate::wire::{Open, Tag, Tip, WireType, Writer, varint_len, zigzag32, zigzag64};

/// Key and value of a map entry whose length is known before it is written are no longer than this together.
const SHORT_PAIR: usize = 4096;

/// For so few numbers at most no room is made before they are written.
const FEW: usize = 16;

/// Puts bytes down, or counts them.
pub(crate) trait Output: Sized {
    type Open;
    fn raw(&mut self, bytes: &[u8]);
    fn tag(&mut self, field: &FieldPlan);
    fn varint(&mut self, value: u64);
    fn fixed32(&mut self, value: u32);
    fn fixed64(&mut self, value: u64);
    fn len_prefixed(&mut self, bytes: &[u8]);
    /// The first `len` bytes of a tag, and a varint; likewise below.
    fn tag_varint(&mut self, tag: [u8; 8], len: u8, value: u64);
    fn tag_fixed32(&mut self, tag: [u8; 8], len: u8, value: u32);
    fn tag_fixed64(&mut self, tag: [u8; 8], len: u8, value: u64);
    fn tag_len_prefixed(&mut self, tag: [u8; 8], len: u8, bytes: &[u8]);
    fn tag_open(&mut self, tag: [u8; 8], len: u8) -> Self::Open;
    /// The same, of a region like the one before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_open_again(&mut self, tag: [u8; 8], len: u8) -> Self::Open {
        self.tag_open(tag, len)
    }
    fn open(&mut self) -> Self::Open;
    fn close(&mut self, open: Self::Open);
    fn reserve(&mut self, bytes: usize);
}

/// A single value as the wire format has it.
enum Form<'a> {
    Varint(u64),
    Fixed32(u32),
    Fixed64(u64),
    /// With its length before it.
    Part(&'a [u8]),
}

impl<'a> Form<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(value: Single<'a>) -> Self {
        match value {
            Single::Bool(value) => Form::Varint(u64::from(value)),
            Single::I32(Kind::SInt32, value) => Form::Varint(u64::from(zigzag32(value))),
            Single::I32(Kind::SFixed32, value) => Form::Fixed32(value as u32),
            Single::I32(_, value) | Single::Enum(_, value) => Form::Varint(i64::from(value) as u64),
            Single::I64(Kind::SInt64, value) => Form::Varint(zigzag64(value)),
            Single::I64(Kind::SFixed64, value) => Form::Fixed64(value as u64),
            Single::I64(_, value) => Form::Varint(value as u64),
            Single::U32(Kind::Fixed32, value) => Form::Fixed32(value),
            Single::U32(_, value) => Form::Varint(u64::from(value)),
            Single::U64(Kind::Fixed64, value) => Form::Fixed64(value),
            Single::U64(_, value) => Form::Varint(value),
            Single::F32(value) => Form::Fixed32(value.to_bits()),
            Single::F64(value) => Form::Fixed64(value.to_bits()),
            Single::Str(value) => Form::Part(value.as_bytes()),
            Single::Bytes(value) => Form::Part(value),
        }
    }
}

/// The wire format over an output.
#[derive(Debug)]
pub(crate) struct Wire<O>(pub(crate) O);

impl<O: Output> Wire<O> {
    /// A single value after its tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn single(&mut self, tag: [u8; 8], len: u8, value: Single<'_>) {
        let out = &mut self.0;
        // Each is named once: what is in place of a call is in place as often as it is named.
        match Form::of(value) {
            Form::Varint(value) => out.tag_varint(tag, len, value),
            Form::Fixed32(value) => out.tag_fixed32(tag, len, value),
            Form::Fixed64(value) => out.tag_fixed64(tag, len, value),
            Form::Part(value) => out.tag_len_prefixed(tag, len, value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_group(&mut self, field: &FieldPlan) {
        self.0.varint(u64::from(Tag::new(field.number, WireType::EndGroup).value()));
    }
}

impl<O: Output> Sink for Wire<O> {
    type Message = Option<O::Open>;
    type List = Option<O::Open>;
    type Entry = O::Open;
    type Mark = ();

    const MERGES: bool = true;

    fn mark(&self) {}

    fn rewind(&mut self, (): ()) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field(&mut self, field: &FieldPlan) {
        self.0.tag(field);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_message(&mut self, field: Option<&FieldPlan>, _plan: &MessagePlan) -> Option<O::Open> {
        field.filter(|field| field.kind == Kind::Message).map(|_| self.0.open())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_member(
        &mut self,
        _field: Option<&FieldPlan>,
        head: Head,
        _plan: &MessagePlan,
        again: bool,
    ) -> Option<O::Open> {
        Some(match again {
            true => self.0.tag_open_again(head.tag_bytes, head.tag_len),
            false => self.0.tag_open(head.tag_bytes, head.tag_len),
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_message(
        &mut self,
        field: Option<&FieldPlan>,
        _plan: &MessagePlan,
        message: Option<O::Open>,
    ) -> Result<()> {
        match (message, field) {
            (Some(open), _) => self.0.close(open),
            (None, Some(field)) => self.end_group(field),
            (None, None) => {}
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_list(&mut self, field: &FieldPlan, len: usize) -> Option<O::Open> {
        field.packed.then(|| {
            self.0.tag(field);
            let open = self.0.open();
            if len > FEW {
                self.0.reserve(len);
            }
            open
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn element(&mut self, field: &FieldPlan, _first: bool) {
        if !field.packed {
            self.0.tag(field);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_list(&mut self, _field: &FieldPlan, list: Option<O::Open>) {
        if let Some(open) = list {
            self.0.close(open);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_map(&mut self, _field: &FieldPlan) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_entry(&mut self, field: &FieldPlan, key: &FieldPlan, _first: bool) -> O::Open {
        self.0.tag(field);
        let open = self.0.open();
        self.0.tag(key);
        open
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry_value(&mut self, value: &FieldPlan) {
        self.0.tag(value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_entry(&mut self, entry: O::Open) {
        self.0.close(entry);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_map(&mut self, _field: &FieldPlan) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field_value(&mut self, field: &FieldPlan, value: Single<'_>) {
        self.single(field.tag_bytes, field.tag_len, value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn member_value(&mut self, _plan: &MessagePlan, _index: usize, head: Head, value: Single<'_>) {
        self.single(head.tag_bytes, head.tag_len, value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bool(&mut self, value: bool) {
        self.0.varint(u64::from(value));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i32(&mut self, kind: Kind, value: i32) {
        match kind {
            Kind::SInt32 => self.0.varint(u64::from(zigzag32(value))),
            Kind::SFixed32 => self.0.fixed32(value as u32),
            _ => self.0.varint(i64::from(value) as u64),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i64(&mut self, kind: Kind, value: i64) {
        match kind {
            Kind::SInt64 => self.0.varint(zigzag64(value)),
            Kind::SFixed64 => self.0.fixed64(value as u64),
            _ => self.0.varint(value as u64),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u32(&mut self, kind: Kind, value: u32) {
        match kind {
            Kind::Fixed32 => self.0.fixed32(value),
            _ => self.0.varint(u64::from(value)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u64(&mut self, kind: Kind, value: u64) {
        match kind {
            Kind::Fixed64 => self.0.fixed64(value),
            _ => self.0.varint(value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f32(&mut self, value: f32) {
        self.0.fixed32(value.to_bits());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f64(&mut self, value: f64) {
        self.0.fixed64(value.to_bits());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn str(&mut self, value: &str) {
        self.0.len_prefixed(value.as_bytes());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(&mut self, value: &[u8]) {
        self.0.len_prefixed(value);
    }

    fn text_bytes(&mut self, value: &[u8]) -> Result<()> {
        self.0.len_prefixed(value);
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enumeration(&mut self, _plan: &EnumPlan, number: i32) {
        self.0.varint(i64::from(number) as u64);
    }

    fn unknown(&mut self, _plan: &MessagePlan, fields: &[u8]) -> Result<()> {
        self.0.raw(fields);
        Ok(())
    }
}

/// Writes to a writer through its end.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn at_tip<R>(writer: &mut Writer, write: impl FnOnce(&mut Wire<Tip<'_>>) -> R) -> R {
    let mut sink = Wire(writer.tip());
    let out = write(&mut sink);
    sink.settle();
    out
}

impl<'w> Handed for Wire<Tip<'w>> {
    const TOLD: bool = true;
    const BY_HEAD: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_pair(&mut self, field: &FieldPlan, _key: &FieldPlan, first: bool) -> Open {
        match first {
            true => self.0.tag_open(field.tag_bytes, field.tag_len),
            false => self.0.tag_open_again(field.tag_bytes, field.tag_len),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pair_value(&mut self, _value: &FieldPlan) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_pair(&mut self, field: &FieldPlan, key: usize, value: usize) -> Option<usize> {
        // Long ones may not be written at all. So short a sum takes two bytes at most, and so do its parts.
        if key + value > SHORT_PAIR {
            return None;
        }
        let prefix = |len: usize| if len < 0x80 { 1 } else { 2 };
        let len = 1 + prefix(key) + key + 1 + prefix(value) + value;
        self.0.short_and_varint(field.tag_bytes, field.tag_len, len as u64);
        Some(self.0.len() + len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_known_pair(&self, len: usize) -> bool {
        self.0.len() == len
    }

    type Piece = Writer;
    type Over<'x>
        = Wire<Tip<'x>>
    where
        'w: 'x;

    fn piece(&self) -> Writer {
        Writer::new()
    }

    fn over<'x>(piece: &'x mut Writer) -> Wire<Tip<'x>>
    where
        'w: 'x,
    {
        Wire(piece.tip())
    }

    fn append(&mut self, piece: Writer) -> Result<()> {
        self.0.raw(&piece.finish()?);
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn settle(self) {
        self.0.settle();
    }
}

impl Output for Tip<'_> {
    type Open = Open;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn raw(&mut self, bytes: &[u8]) {
        Tip::raw(self, bytes);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag(&mut self, field: &FieldPlan) {
        self.short(field.tag_bytes, field.tag_len);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn varint(&mut self, value: u64) {
        Tip::varint(self, value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed32(&mut self, value: u32) {
        Tip::fixed32(self, value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed64(&mut self, value: u64) {
        Tip::fixed64(self, value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len_prefixed(&mut self, bytes: &[u8]) {
        Tip::len_prefixed(self, bytes);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_varint(&mut self, tag: [u8; 8], len: u8, value: u64) {
        self.short_and_varint(tag, len, value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_fixed32(&mut self, tag: [u8; 8], len: u8, value: u32) {
        self.short_and(tag, len, value.to_le_bytes());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_fixed64(&mut self, tag: [u8; 8], len: u8, value: u64) {
        self.short_and(tag, len, value.to_le_bytes());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_len_prefixed(&mut self, tag: [u8; 8], len: u8, bytes: &[u8]) {
        self.short_and_len_prefixed(tag, len, bytes);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_open(&mut self, tag: [u8; 8], len: u8) -> Open {
        self.short_and_open(tag, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_open_again(&mut self, tag: [u8; 8], len: u8) -> Open {
        self.short_and_open_again(tag, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open(&mut self) -> Open {
        Tip::open(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn close(&mut self, open: Open) {
        Tip::close(self, open);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reserve(&mut self, bytes: usize) {
        Tip::reserve(self, bytes);
    }
}

impl Fork for Wire<Count> {
    fn fork(&self) -> Self {
        Wire(Count(0))
    }

    fn append(&mut self, piece: Self) -> Result<()> {
        self.0.0 += piece.0.0;
        Ok(())
    }
}

/// Counts the bytes that a writer would put down.
#[derive(Debug, Default)]
pub(crate) struct Count(pub(crate) u64);

impl Output for Count {
    type Open = u64;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn raw(&mut self, bytes: &[u8]) {
        self.0 += bytes.len() as u64;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag(&mut self, field: &FieldPlan) {
        self.0 += u64::from(field.tag_len);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn varint(&mut self, value: u64) {
        self.0 += varint_len(value) as u64;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed32(&mut self, _value: u32) {
        self.0 += 4;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed64(&mut self, _value: u64) {
        self.0 += 8;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len_prefixed(&mut self, bytes: &[u8]) {
        self.0 += (varint_len(bytes.len() as u64) + bytes.len()) as u64;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_varint(&mut self, _tag: [u8; 8], len: u8, value: u64) {
        self.0 += u64::from(len) + varint_len(value) as u64;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_fixed32(&mut self, _tag: [u8; 8], len: u8, _value: u32) {
        self.0 += u64::from(len) + 4;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_fixed64(&mut self, _tag: [u8; 8], len: u8, _value: u64) {
        self.0 += u64::from(len) + 8;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_len_prefixed(&mut self, _tag: [u8; 8], len: u8, bytes: &[u8]) {
        self.0 += u64::from(len);
        self.len_prefixed(bytes);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag_open(&mut self, _tag: [u8; 8], len: u8) -> u64 {
        self.0 += u64::from(len);
        self.open()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open(&mut self) -> u64 {
        self.0
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn close(&mut self, open: u64) {
        self.0 += varint_len(self.0 - open) as u64;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reserve(&mut self, _bytes: usize) {}
}
