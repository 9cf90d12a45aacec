//! Writes the fields of a message, and single values. The encoder walks the steps of a message's table. A step describes how to
//! write one field: its tag, and the place and type of its value.

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
    #[inline(always)]
    pub(super) unsafe fn content(
        &mut self,
        table: &Table,
        base: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: `table` describes the live struct at `base`, which stays borrowed during the call. `leaves` gets only bits of
        // steps of the part that are leaves, and `at` is the last cursor of the output.
        unsafe {
            // If a message has only leaves (numbers and strings), one call writes all its fields. Most nested messages are like
            // this.
            if table.steps().are_leaves && self.depth > 0 {
                let part = &table.steps().parts[0];
                if let Some(at) = self.out.leaves(part, base, part.leaves, at) {
                    return Some(self.unknown(table, base, at));
                }
            }
            self.fields(table, base, at)
        }
    }

    /// Writes the fields of the message at `base`, and its unknown fields. Takes one level of `depth` during the call.
    #[inline(never)]
    unsafe fn fields(&mut self, table: &Table, base: *const u8, at: O::Cursor) -> Option<O::Cursor> {
        let Some(depth) = self.depth.checked_sub(1) else { return self.too_deep() };
        self.depth = depth;
        let mut at = at;
        // SAFETY: `table` describes the live struct at `base`, which stays borrowed during the call. So at the offset of each
        // step there is the value of the step. The encoder visits only steps with a bit in `needed`. If the value of a step
        // lies in an option, the step has a bit only if the option has a value. `at` is the last cursor of the output.
        unsafe {
            for part in table.steps().parts {
                let mut set = part.needed(base);
                let missing = part.required & !set;
                if missing != 0 && !self.settings.partial {
                    return self.incomplete(table, part, base, missing & missing.wrapping_neg(), at);
                }
                while set != 0 {
                    // The encoder first writes the leaves that come before the next field that is not a leaf.
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

    #[inline]
    unsafe fn unknown(&mut self, table: &Table, base: *const u8, at: O::Cursor) -> O::Cursor {
        let Some(offset) = table.unknown else { return at };
        // SAFETY: `table` describes the live struct at `base`, which stays borrowed during the call, and says that the struct
        // has a member of type `UnknownFields` at this offset.
        unsafe {
            let unknown = &*base.add(offset as usize).cast::<UnknownFields>();
            if unknown.is_empty() { at } else { self.out.raw(at, unknown.as_bytes()) }
        }
    }

    /// Writes the fields of the steps of `part` whose bits are in `set`.
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
            // SAFETY: `table` describes the live struct at `base`, which stays borrowed during the call, and `part` is a part
            // of `table`. So at the offset of each step there is the value of the step. Both callers pass bits of `needed`. If
            // the value of a step lies in an option, the step has a bit there only if the option has a value. `at` is the last
            // cursor of the output.
            at = unsafe { self.step(table, step, base.add(step.offset as usize), at)? };
            set &= set - 1;
        }
        Some(at)
    }

    /// Reports a required field that has no value. First writes the fields before the missing field, because one of them may
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
        // SAFETY: `table` describes the live struct at `base`, which stays borrowed during the call, and `part` is a part of
        // `table`. The bits are those of `needed` for the steps before the missing field. If the value of a step lies in an
        // option, the step has a bit only if the option has a value.
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
        // SAFETY: `value` is the address of the value of `step` in a live struct. The encoder visits the step only if there is
        // a value, so the option of a message is not empty. The address in a box or an option is the address of a live message
        // of the table of the step's row. `at` is the last cursor of the output.
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

    /// Adds the field of `step` to the path of the error.
    #[cold]
    #[inline(never)]
    fn failed<T>(&mut self, table: &Table, step: &Step) -> Option<T> {
        let row = &table.rows[usize::from(step.row)];
        // A field of a oneof is already in the path.
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
            // SAFETY: `value` is the address of the value of `step` in a live struct. The value is a oneof of the type that
            // `members` are for. `at` is the last cursor of the output.
            return unsafe { self.oneof(table, members, value, at) };
        }
        // SAFETY: `value` is the address of the value of `step` in a live struct, and `at` is the last cursor of the output.
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
        // SAFETY: `value` is the address of a live value with the storage of `step`, from which the functions of lists, maps
        // and options come. `option.get` returns null or the address of a value of the step `inner`. `at` is the last cursor of
        // the output.
        unsafe {
            match (step.op, &step.inner) {
                (Op::Messages, _) => self.messages(step, row, value, at),
                (Op::List, Inner::Value(element)) => self.list(step, element, row, value, at),
                (Op::Map, Inner::Entry(entry)) => self.map(step, entry, row, value, at),
                (Op::Option, Inner::Value(inner)) => {
                    let Storage::Option(option) = step.storage else { return self.mismatch() };
                    // Deterministic output does not use the bytes that were read, because map entries may have another order
                    // there.
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

    /// Writes the field that is set in a oneof, if `members` contains this field.
    #[inline(never)]
    unsafe fn oneof(
        &mut self,
        table: &Table,
        members: &OneofMembers,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: `value` is the address of a live oneof, and the functions of `members` are the functions of its type. They
        // return the index of the variant that is set and the address of its value. The step with this index describes this
        // value. `at` is the last cursor of the output.
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
        // SAFETY: `value` is the address of a live value with the storage of `step`. `plain` is used only in this call, during
        // which the message is borrowed. The address in a box is the address of a live message. `at` is the last cursor of the
        // output.
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

    /// Writes a value of an unusual type: a group, a Rust enum, a string whose bytes must be checked, a boxed value, or a value
    /// with a conversion.
    #[cold]
    #[inline(never)]
    unsafe fn other(&mut self, step: &Step, row: &Row, value: *const u8, at: O::Cursor) -> Option<O::Cursor> {
        // SAFETY: `value` is the address of a live value with the storage of `step`. `present` returns the address of the value
        // inside of options and boxes, together with the storage of this value. `at` is the last cursor of the output.
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

    /// Writes a member with a conversion, which makes a proto value of the member. `step` describes this proto value.
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
        // SAFETY: `value` is the address of a live member of the type that `functions` are for. `read` calls the closure once,
        // with the address of a live proto value, which `step` describes. So at the offset of `step` there is the value of the
        // step, and an option has a value. `at` is the last cursor of the output.
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

    #[inline(never)]
    pub(super) unsafe fn plain(&mut self, tag: TagBytes, value: Plain<'_>, at: O::Cursor) -> O::Cursor {
        // SAFETY: `value` is not an address, but a number or a borrowed string. `at` is the last cursor of the output.
        unsafe {
            match value {
                Plain::Varint(value) => self.out.varint(at, tag, value),
                Plain::Fixed32(value) => self.out.fixed(at, tag, value.to_le_bytes()),
                Plain::Fixed64(value) => self.out.fixed(at, tag, value.to_le_bytes()),
                Plain::Text(text) => self.out.slice(at, tag, text),
            }
        }
    }

    /// Writes the message at `base` with its tag. `step` is the step of its field.
    #[inline]
    unsafe fn message(
        &mut self,
        table: &Table,
        step: &Step,
        base: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: the caller passes as `base` the address of a live message of the field whose row `step` names. `at` is the
        // last cursor of the output.
        unsafe { self.message_of(step, &table.rows[usize::from(step.row)], base, at) }
    }

    /// Writes the message at `base` with its tag. The message is the value of the field `row`.
    #[inline(never)]
    pub(super) unsafe fn message_of(
        &mut self,
        step: &Step,
        row: &Row,
        base: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let table = self.table_of(row)?;
        // SAFETY: the caller passes as `base` the address of a live message of the field `row`, and `table` is the table of
        // such messages. `at` is the last cursor of the output.
        unsafe { self.delimited(step, table, base, at, 1).map(|(at, _)| at) }
    }

    /// Writes a group, which is a message between two tags, without a length prefix.
    unsafe fn group(&mut self, step: &Step, row: &Row, base: *const u8, at: O::Cursor) -> Option<O::Cursor> {
        let table = self.table_of(row)?;
        // SAFETY: `other` found a live message of the field `row` at `base`, and `table` is the table of such messages. Each
        // cursor is the last cursor of the output.
        unsafe {
            let at = self.out.tag(at, step.tag_bytes());
            let at = self.content(table, base, at)?;
            // The tag that ends a group is the tag that starts the group, plus one.
            Some(self.out.tag(at, TagBytes { word: step.tag + 1, len: step.tag_len }))
        }
    }

    /// Writes a message with its tag and its length prefix, for which it first reserves `width` bytes. Returns the cursor after
    /// the message, and the number of bytes of the length prefix.
    #[inline(always)]
    pub(super) unsafe fn delimited(
        &mut self,
        step: &Step,
        table: &Table,
        base: *const u8,
        at: O::Cursor,
        width: usize,
    ) -> Option<(O::Cursor, usize)> {
        // SAFETY: `table` describes the live struct at `base`. Each region is closed after all regions inside of it. `at` is
        // the last cursor of the output.
        unsafe {
            let (at, region) = self.out.open(at, step.tag_bytes(), width);
            let at = self.content(table, base, at)?;
            Some(self.out.close(at, region))
        }
    }
}

/// A number or string in its wire form.
#[derive(Clone, Copy)]
pub(super) enum Plain<'v> {
    Varint(u64),
    Fixed32(u32),
    Fixed64(u64),
    Text(&'v [u8]),
}

impl<'v> Plain<'v> {
    /// Reads the value at the address `value`. Returns `None` if the value is not a plain number or string.
    ///
    /// # Safety
    /// `value` is the address of a live value with the storage of `step`, and the value does not change while the result is
    /// used.
    #[inline]
    pub(super) unsafe fn at(step: &Step, value: *const u8) -> Option<Plain<'v>> {
        // SAFETY: the caller says that `value` is the address of a live value with the storage of `step`, and `step.op` names
        // the type of such a value. So each read is aligned and reads initialized memory. A string is borrowed from a value
        // that does not change while the result is used.
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

    /// Returns the wire form of the number of the kind `kind` whose bits are `bits`.
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

    /// Returns the number of bytes that the value takes on the wire, without its tag.
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
