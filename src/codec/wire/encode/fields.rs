//! Writes the fields of a message and single values.

use super::Walk;
use super::output::{Output, TagBytes};
use crate::error::Error;
use crate::layout::{MadeFunctions, Storage, UnknownFields, text};
use crate::object::{access, mismatch};
use crate::table::{Inner, Kind, OneofMembers, Op, Part, Row, Step, Table};
use crate::wire::{utf8_by_call, varint_len, zigzag32, zigzag64};

impl Step {
    #[inline]
    pub(super) fn tag_bytes(&self) -> TagBytes {
        TagBytes { word: self.tag, len: self.tag_len }
    }
}

impl<O: Output> Walk<O> {
    /// Writes the content of a message, one level further down.
    #[inline(always)]
    pub(super) unsafe fn content(
        &mut self,
        table: &Table,
        base: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: the table is that of the struct at the address, which is live and borrowed while it is encoded.
        // `leaves` gets bits of the leaves of the part alone, and the cursor is the one that the last call of the
        // output gave.
        unsafe {
            // A message of leaves alone takes one call; most nested messages are like that.
            if table.steps().are_leaves && self.depth > 0 {
                let part = &table.steps().parts[0];
                if let Some(at) = self.out.leaves(part, base, part.leaves, at) {
                    return Some(self.unknown(table, base, at));
                }
            }
            self.fields(table, base, at)
        }
    }

    /// Writes the fields of a message, one level further down.
    #[inline(never)]
    unsafe fn fields(&mut self, table: &Table, base: *const u8, at: O::Cursor) -> Option<O::Cursor> {
        let Some(depth) = self.depth.checked_sub(1) else { return self.too_deep() };
        self.depth = depth;
        let mut at = at;
        // SAFETY: the table is that of the struct at the address, which is live and borrowed while it is encoded, so
        // that at the offset of each step there is a value of it. Only steps with a bit in `needed` are walked: one
        // whose value lies in an option has it only where there is a value; the cursor is the one that the last call of
        // the output gave.
        unsafe {
            for part in table.steps().parts {
                let mut set = part.needed(base);
                let missing = part.required & !set;
                if missing != 0 && !self.settings.partial {
                    return self.incomplete(table, part, base, missing & missing.wrapping_neg(), at);
                }
                while set != 0 {
                    // First the leaves before the next field that is not a leaf.
                    let other = set & !part.leaves;
                    let bit = other & other.wrapping_neg();
                    let leaves = set & bit.wrapping_sub(1) & part.leaves;
                    if leaves != 0 {
                        at = match self.out.leaves(part, base, leaves, at) {
                            Some(at) => at,
                            None => self.steps(table, part, base, leaves, at)?,
                        };
                    }
                    if other == 0 {
                        break;
                    }
                    let step = &part.steps[other.trailing_zeros() as usize];
                    at = self.step(table, step, base.add(step.offset as usize), at)?;
                    set &= (bit << 1).wrapping_neg();
                }
            }
            self.depth = depth + 1;
            Some(self.unknown(table, base, at))
        }
    }

    /// Writes the unknown fields of a message.
    #[inline]
    unsafe fn unknown(&mut self, table: &Table, base: *const u8, at: O::Cursor) -> O::Cursor {
        let Some(offset) = table.unknown else { return at };
        // SAFETY: the table is that of the struct at the address, which is live and borrowed while it is encoded, and
        // it says that `UnknownFields` are at this offset of the struct.
        unsafe {
            let unknown = &*base.add(offset as usize).cast::<UnknownFields>();
            if unknown.is_empty() { at } else { self.out.raw(at, unknown.as_bytes()) }
        }
    }

    /// Writes some of the steps of a part.
    #[inline(never)]
    unsafe fn steps(
        &mut self,
        table: &Table,
        part: &Part,
        base: *const u8,
        mut set: u64,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let mut at = at;
        while set != 0 {
            let step = &part.steps[set.trailing_zeros() as usize];
            // SAFETY: the table is that of the struct at the address, which is live and borrowed while it is encoded,
            // and the part is one of the table: so at the offset of each step there is a value of it. Both callers pass
            // a part of `needed`, in which a step whose value lies in an option has a bit only where there is a value;
            // the cursor is the one that the last call of the output gave.
            at = unsafe { self.step(table, step, base.add(step.offset as usize), at)? };
            set &= set - 1;
        }
        Some(at)
    }

    /// Reports a required field that has no value. The fields before it are written first, because one of them may
    /// contain an earlier error.
    #[cold]
    #[inline(never)]
    unsafe fn incomplete(
        &mut self,
        table: &Table,
        part: &Part,
        base: *const u8,
        missing: u64,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: the table is that of the struct at the address, which is live and borrowed while it is encoded, and
        // the part is one of the table. The set is what `needed` gives of the steps before the missing field: one whose
        // value lies in an option has a bit only where there is a value.
        unsafe { self.steps(table, part, base, part.needed(base) & (missing - 1), at)? };
        let step = &part.steps[missing.trailing_zeros() as usize];
        self.error = Some(Error::required(&table.rows[usize::from(step.row)].name));
        self.failed(table, step)
    }

    /// Writes a field that has a value.
    #[inline(always)]
    unsafe fn step(
        &mut self,
        table: &Table,
        step: &Step,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: the value of the step in a live struct is at the address, and the step is walked only where there is
        // one, so that the option of a message is not empty. The address in a box or an option is that of a live
        // message of the table of the row, and the cursor is the one that the last call of the output gave.
        let next = unsafe {
            match (step.op, &step.storage) {
                (Op::Message, _) => self.message(table, step, value, at),
                (Op::BoxMessage, _) => self.message(table, step, access::unboxed(value), at),
                (Op::OptionMessage, Storage::Option(option)) => {
                    self.message(table, step, option.get(value), at)
                }
                _ => self.compound(table, step, value, at),
            }
        };
        if next.is_none() { self.failed(table, step) } else { next }
    }

    /// Adds the field of the message to the error.
    #[cold]
    #[inline(never)]
    fn failed<T>(&mut self, table: &Table, step: &Step) -> Option<T> {
        let row = &table.rows[usize::from(step.row)];
        // A member of a oneof has already added itself.
        if step.op == Op::Variant { None } else { self.locate(|error| error.in_field(&row.name)) }
    }

    #[cold]
    pub(super) fn mismatch<T>(&mut self) -> Option<T> {
        self.fail(mismatch())
    }

    /// Writes a field other than a number, a string or a message.
    #[inline(never)]
    unsafe fn compound(
        &mut self,
        table: &Table,
        step: &Step,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let row = &table.rows[usize::from(step.row)];
        if let (Op::Variant, Inner::Oneof(members)) = (step.op, &step.inner) {
            // SAFETY: the value of the step in a live struct is at the address, a oneof of the type of its members, and
            // the cursor is the one that the last call of the output gave.
            return unsafe { self.oneof(table, members, value, at) };
        }
        // SAFETY: the value of the step in a live struct is at the address, and the cursor is the one that the last call
        // of the output gave.
        unsafe { self.several(step, row, value, at) }
    }

    /// Writes a field other than a number, a string, a message or a oneof.
    #[inline(never)]
    unsafe fn several(
        &mut self,
        step: &Step,
        row: &Row,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: the value of the step in a live struct is at the address: a oneof of the type of its members, or a
        // value with the storage of the step, from which the functions of lists, maps and options come. What `get` of
        // an option gives is null or the address of a value of the step `inner`, and the cursor is the one that the
        // last call of the output gave.
        unsafe {
            match (step.op, &step.inner) {
                (Op::Messages, _) => self.messages(step, row, value, at),
                (Op::List, Inner::Value(element)) => self.list(step, element, row, value, at),
                (Op::Map, Inner::Entry(entry)) => self.map(step, entry, row, value, at),
                (Op::Option, Inner::Value(inner)) => {
                    let Storage::Option(option) = step.storage else { return self.mismatch() };
                    // With other settings the message may be written as other bytes.
                    if let Some(lazy) = option.lazy()
                        && !self.settings.deterministic
                        && let Some((bytes, levels)) = (lazy.raw)(value)
                        && levels <= self.depth
                    {
                        return Some(self.out.slice(at, inner.tag_bytes(), &*bytes));
                    }
                    match option.get(value) {
                        value if value.is_null() => Some(at),
                        value => self.value(inner, row, value, at),
                    }
                }
                _ => self.value(step, row, value, at),
            }
        }
    }

    /// Writes the member of a oneof that is set, if it is in this run.
    #[inline(never)]
    unsafe fn oneof(
        &mut self,
        table: &Table,
        members: &OneofMembers,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: a live oneof is at the address, the one from whose type the functions of the members come. They give
        // the index of the variant that is set and the address of its value, of which the step with that index is the
        // description, and the cursor is the one that the last call of the output gave.
        unsafe {
            let Some((variant, value)) = members.functions.get(value) else {
                return match members.functions.refuse_skipped(value) {
                    Ok(()) => Some(at),
                    Err(error) => self.fail(error),
                };
            };
            let Some(step) = members.get(variant) else { return Some(at) };
            let row = &table.rows[usize::from(step.row)];
            match self.value(step, row, value, at) {
                Some(at) => Some(at),
                None => self.locate(|error| error.in_field(&row.name)),
            }
        }
    }

    /// Writes a single value with its tag.
    #[inline(never)]
    pub(super) unsafe fn value(
        &mut self,
        step: &Step,
        row: &Row,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: a live value with the storage of the step is at the address. `Plain` lives no longer than this call,
        // during which the message is borrowed, the address in a box is that of a live message, and the cursor is the
        // one that the last call of the output gave.
        unsafe {
            match Plain::at(step, value) {
                Some(plain) => Some(self.plain(step.tag_bytes(), plain, at)),
                None => match step.op {
                    Op::Message => self.message_of(step, row, value, at),
                    Op::BoxMessage => self.message_of(step, row, access::unboxed(value), at),
                    _ => self.other(step, row, value, at),
                },
            }
        }
    }

    /// Writes a value by its row: a group, an enum of Rust, a string in bytes that must be checked, or a boxed value.
    #[cold]
    #[inline(never)]
    unsafe fn other(&mut self, step: &Step, row: &Row, value: *const u8, at: O::Cursor) -> Option<O::Cursor> {
        // SAFETY: a live value with the storage of the step is at the address. `present` gives the value in options and
        // boxes with its storage, by which it is read, and the cursor is the one that the last call of the output gave.
        unsafe {
            if let (Storage::Made(functions), Inner::Value(inner)) = (step.storage, &step.inner) {
                return self.made(functions, inner, row, value, at);
            }
            let Some((storage, value)) = access::present(step.storage, value) else { return Some(at) };
            if let Storage::Message(_) = storage {
                return self.group(step, row, value, at);
            }
            if let Some(bits) = access::scalar(storage, value) {
                return Some(self.plain(step.tag_bytes(), Plain::of_bits(row.kind, bits), at));
            }
            let Some(bytes) = text::get(storage, value) else { return self.mismatch() };
            if row.kind == Kind::String && row.utf8 && utf8_by_call(bytes).is_err() {
                return self.fail(Error::ty("the bytes of a string are not valid UTF-8"));
            }
            Some(self.plain(step.tag_bytes(), Plain::Text(bytes), at))
        }
    }

    /// Writes a member for which a conversion makes the proto value, by the step of that value.
    #[inline(never)]
    unsafe fn made(
        &mut self,
        functions: &MadeFunctions,
        step: &Step,
        row: &Row,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let mut next = None;
        // SAFETY: a live member of the type that the functions are for is at the address. The closure is called once, with
        // the address of a live proto value, which the step describes: at its offset there is the value in it, because
        // an option is walked only where there is one. The cursor is the one that the last call of the output gave.
        unsafe {
            (functions.read)(value, &mut |proto| {
                let proto = proto.add(step.offset as usize);
                next = match (step.op, &step.storage) {
                    (Op::Message, _) => self.message_of(step, row, proto, at),
                    (Op::BoxMessage, _) => self.message_of(step, row, access::unboxed(proto), at),
                    (Op::OptionMessage, Storage::Option(option)) => {
                        self.message_of(step, row, option.get(proto), at)
                    }
                    _ => self.several(step, row, proto, at),
                };
            });
        }
        next
    }

    /// Writes a number or text with its tag.
    #[inline(never)]
    pub(super) unsafe fn plain(&mut self, tag: TagBytes, value: Plain<'_>, at: O::Cursor) -> O::Cursor {
        // SAFETY: the value is no address but a number or a borrowed text, and the cursor is the one that the last call
        // of the output gave.
        unsafe {
            match value {
                Plain::Varint(value) => self.out.varint(at, tag, value),
                Plain::Fixed32(value) => self.out.fixed(at, tag, value.to_le_bytes()),
                Plain::Fixed64(value) => self.out.fixed(at, tag, value.to_le_bytes()),
                Plain::Text(text) => self.out.slice(at, tag, text),
            }
        }
    }

    /// Writes a message with its tag, by the step of its field.
    #[inline]
    unsafe fn message(
        &mut self,
        table: &Table,
        step: &Step,
        base: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: the caller passes the address of a live message of the table of the row that the step has; the cursor
        // is the one that the last call of the output gave.
        unsafe { self.message_of(step, &table.rows[usize::from(step.row)], base, at) }
    }

    /// Writes a message with its tag.
    #[inline(never)]
    pub(super) unsafe fn message_of(
        &mut self,
        step: &Step,
        row: &Row,
        base: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let table = self.table_of(row)?;
        // SAFETY: the caller passes the address of a live message of the row, and the table is that of the row's
        // messages; the cursor is the one that the last call of the output gave.
        unsafe { self.delimited(step, table, base, at, 1).map(|(at, _)| at) }
    }

    /// Writes a group: a message between two tags, without a length.
    unsafe fn group(&mut self, step: &Step, row: &Row, base: *const u8, at: O::Cursor) -> Option<O::Cursor> {
        let table = self.table_of(row)?;
        // SAFETY: `other` found a live message at the address, and the table is that of the row's messages; the cursor
        // is the one that the last call of the output gave, first that of the tag, then that of the content.
        unsafe {
            let at = self.out.tag(at, step.tag_bytes());
            let at = self.content(table, base, at)?;
            // The tag that ends a group is the tag that starts it, plus one.
            Some(self.out.tag(at, TagBytes { word: step.tag + 1, len: step.tag_len }))
        }
    }

    /// Writes a message by its fields, in a region that reserves that many bytes for its length. Also returns the
    /// size of the length.
    #[inline(always)]
    pub(super) unsafe fn delimited(
        &mut self,
        step: &Step,
        table: &Table,
        base: *const u8,
        at: O::Cursor,
        width: usize,
    ) -> Option<(O::Cursor, usize)> {
        // SAFETY: a live struct of the table is at the address. The region is closed after all that was opened within
        // it, and the cursor is the one that the last call of the output gave, or none after an error.
        unsafe {
            let (at, region) = self.out.open(at, step.tag_bytes(), width);
            let at = self.content(table, base, at)?;
            Some(self.out.close(at, region))
        }
    }
}

/// A number or text in the form of the wire.
#[derive(Clone, Copy)]
pub(super) enum Plain<'v> {
    Varint(u64),
    Fixed32(u32),
    Fixed64(u64),
    Text(&'v [u8]),
}

impl<'v> Plain<'v> {
    /// The value at an address; `None` for types that need more than a read.
    ///
    /// # Safety
    /// A live value with the storage of the step is at the address, and it is not changed while the result is used.
    #[inline]
    pub(super) unsafe fn at(step: &Step, value: *const u8) -> Option<Plain<'v>> {
        // SAFETY: the caller says that a live value with the storage of the step is at the address, and the operation
        // names the type of such a value. So each read is aligned and of initialized memory, and a text is borrowed
        // from a value that is not changed meanwhile.
        unsafe {
            Some(match step.op {
                Op::Int32 => Plain::Varint(i64::from(*value.cast::<i32>()) as u64),
                Op::UInt32 => Plain::Varint(u64::from(*value.cast::<u32>())),
                Op::Int64 => Plain::Varint(*value.cast::<u64>()),
                Op::SInt32 => Plain::Varint(u64::from(zigzag32(*value.cast::<i32>()))),
                Op::SInt64 => Plain::Varint(zigzag64(*value.cast::<i64>())),
                Op::Bool => Plain::Varint(u64::from(*value.cast::<bool>())),
                Op::Fixed32 => Plain::Fixed32(*value.cast::<u32>()),
                Op::Fixed64 => Plain::Fixed64(*value.cast::<u64>()),
                Op::String => Plain::Text((*value.cast::<String>()).as_bytes()),
                Op::Vec => Plain::Text((*value.cast::<Vec<u8>>()).as_slice()),
                Op::Str => Plain::Text((*value.cast::<&str>()).as_bytes()),
                Op::Slice => Plain::Text(*value.cast::<&[u8]>()),
                Op::Text => Plain::Text(text::get(step.storage, value).unwrap_or_default()),
                _ => return None,
            })
        }
    }

    /// The number with these bits.
    #[inline]
    pub(super) fn of_bits(kind: Kind, bits: u64) -> Self {
        match kind {
            Kind::Int32 | Kind::Enum => Plain::Varint(i64::from(bits as i32) as u64),
            Kind::UInt32 | Kind::Bool => Plain::Varint(u64::from(bits as u32)),
            Kind::SInt32 => Plain::Varint(u64::from(zigzag32(bits as i32))),
            Kind::SInt64 => Plain::Varint(zigzag64(bits as i64)),
            Kind::Float | Kind::Fixed32 | Kind::SFixed32 => Plain::Fixed32(bits as u32),
            Kind::Double | Kind::Fixed64 | Kind::SFixed64 => Plain::Fixed64(bits),
            _ => Plain::Varint(bits),
        }
    }

    /// How many bytes it takes, without the tag.
    #[inline]
    pub(super) fn len(self) -> usize {
        match self {
            Plain::Varint(value) => varint_len(value),
            Plain::Fixed32(_) => 4,
            Plain::Fixed64(_) => 8,
            Plain::Text(text) => varint_len(text.len() as u64) + text.len(),
        }
    }
}
