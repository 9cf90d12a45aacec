//! The fields of a message and single values.

use super::output::Output;
use super::plain::Plain;
use super::unknown;
use super::walk::{Type, Walk};
use crate::error::Error;
use crate::layout::{Storage, text};
use crate::object::{access, mismatch};
use crate::table::{Action, Inner, Kind, OneofMembers, Row, Step, Table};
use crate::wire::{utf8_by_call, zigzag32, zigzag64};

/// The value of an option; for `None`, continues with the next field.
macro_rules! option {
    ($next:lifetime, $walk:ident, $table:ident, $step:ident, $value:ident, $at:ident, $ty:ty) => {
        match &*$value.cast::<Option<$ty>>() {
            Some(value) => value,
            None if $step.required => match $walk.absent($table, $step, $at) {
                Some(_) => continue $next,
                None => return None,
            },
            None => continue $next,
        }
    };
}

impl<O: Output> Walk<O> {
    /// Says of the error in which field of the message it is.
    #[cold]
    #[inline(never)]
    pub(super) fn failed<T>(&mut self, table: &Table, step: &Step) -> Option<T> {
        let row = &table.rows[usize::from(step.row)];
        // A member of a oneof has said so itself.
        if step.action == Action::Oneof { None } else { self.locate(|error| error.in_field(&row.name)) }
    }

    /// A required field of a message has no value.
    #[cold]
    #[inline(never)]
    fn absent(&mut self, table: &Table, step: &Step, at: O::Cursor) -> Option<O::Cursor> {
        match self.missing(&table.rows[usize::from(step.row)], at) {
            None => self.failed(table, step),
            at => at,
        }
    }

    /// The fields of a message.
    #[inline(never)]
    pub(super) unsafe fn fields(
        &mut self,
        ty: Type<'_>,
        base: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: see the module; offsets of the table are those of the struct.
        unsafe { O::fields(self, ty, base, at).map(|at| self.unknown(ty.table, base, at)) }
    }

    /// The unknown fields of a message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn unknown(&mut self, table: &Table, base: *const u8, at: O::Cursor) -> O::Cursor {
        // SAFETY: as above.
        match unsafe { unknown(table, base) } {
            [] => at,
            // SAFETY: see the module.
            bytes => unsafe { self.out.raw(at, bytes) },
        }
    }

    /// The fields of a message by the steps of its table.
    #[inline(never)]
    pub(super) unsafe fn by_steps(
        &mut self,
        Type { table, steps }: Type<'_>,
        base: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let mut at = at;
        // SAFETY: as for all fields.
        unsafe {
            for (part, set) in steps.list.chunks(64).zip(steps.sets) {
                let mut set = set.of(base);
                'fields: while set != 0 {
                    let step = &part[set.trailing_zeros() as usize];
                    set &= set - 1;
                    let value = base.add(step.offset as usize);
                    // One jump by the action, and one branch per way of writing.
                    let bits = 'varint: {
                        let bytes = 'slice: {
                            let four = 'four: {
                                let eight = match step.action {
                                    Action::Int32 => break 'varint i64::from(*value.cast::<i32>()) as u64,
                                    Action::UInt32 => break 'varint u64::from(*value.cast::<u32>()),
                                    Action::Int64 => break 'varint *value.cast::<u64>(),
                                    Action::SInt32 => {
                                        break 'varint u64::from(zigzag32(*value.cast::<i32>()));
                                    }
                                    Action::SInt64 => break 'varint zigzag64(*value.cast::<i64>()),
                                    Action::Bool => break 'varint u64::from(*value.cast::<bool>()),
                                    Action::OptionI32 => {
                                        let value = *option!('fields, self, table, step, value, at, i32);
                                        break 'varint i64::from(value) as u64;
                                    }
                                    Action::OptionU32 => {
                                        break 'varint u64::from(
                                            *option!('fields, self, table, step, value, at, u32),
                                        );
                                    }
                                    Action::OptionI64 => {
                                        break 'varint *option!('fields, self, table, step, value, at, i64)
                                            as u64;
                                    }
                                    Action::OptionU64 => {
                                        break 'varint *option!('fields, self, table, step, value, at, u64);
                                    }
                                    Action::OptionSInt32 => {
                                        let value = *option!('fields, self, table, step, value, at, i32);
                                        break 'varint u64::from(zigzag32(value));
                                    }
                                    Action::OptionSInt64 => {
                                        break 'varint zigzag64(
                                            *option!('fields, self, table, step, value, at, i64),
                                        );
                                    }
                                    Action::OptionBool => {
                                        break 'varint u64::from(*option!(
                                            'fields, self, table, step, value, at, bool
                                        ));
                                    }
                                    Action::String => break 'slice (*value.cast::<String>()).as_bytes(),
                                    Action::Vec => break 'slice (*value.cast::<Vec<u8>>()).as_slice(),
                                    Action::Str => break 'slice (*value.cast::<&str>()).as_bytes(),
                                    Action::Slice => break 'slice *value.cast::<&[u8]>(),
                                    Action::OptionString => {
                                        break 'slice option!('fields, self, table, step, value, at, String)
                                            .as_bytes();
                                    }
                                    Action::OptionVec => {
                                        break 'slice option!('fields, self, table, step, value, at, Vec<u8>)
                                            .as_slice();
                                    }
                                    Action::Fixed32 => break 'four *value.cast::<u32>(),
                                    Action::OptionFixedU32 => {
                                        break 'four *option!('fields, self, table, step, value, at, u32);
                                    }
                                    Action::OptionFixedI32 => {
                                        break 'four *option!('fields, self, table, step, value, at, i32)
                                            as u32;
                                    }
                                    Action::OptionF32 => {
                                        break 'four option!('fields, self, table, step, value, at, f32)
                                            .to_bits();
                                    }
                                    Action::Fixed64 => *value.cast::<u64>(),
                                    Action::OptionFixedU64 => {
                                        *option!('fields, self, table, step, value, at, u64)
                                    }
                                    Action::OptionFixedI64 => {
                                        *option!('fields, self, table, step, value, at, i64) as u64
                                    }
                                    Action::OptionF64 => {
                                        option!('fields, self, table, step, value, at, f64).to_bits()
                                    }
                                    _ => match self.compound(table, step, value, at) {
                                        Some(next) => {
                                            at = next;
                                            continue 'fields;
                                        }
                                        None => return self.failed(table, step),
                                    },
                                };
                                if eight != 0 || step.always {
                                    at = self.out.fixed(at, step.tag_bytes(), eight.to_le_bytes());
                                }
                                continue 'fields;
                            };
                            if four != 0 || step.always {
                                at = self.out.fixed(at, step.tag_bytes(), four.to_le_bytes());
                            }
                            continue 'fields;
                        };
                        if !bytes.is_empty() || step.always {
                            at = self.out.slice(at, step.tag_bytes(), bytes);
                        }
                        continue 'fields;
                    };
                    if bits != 0 || step.always {
                        at = self.out.varint(at, step.tag_bytes(), bits);
                    }
                }
            }
            Some(at)
        }
    }

    /// A field that is more than a scalar or a string.
    #[inline(never)]
    pub(super) unsafe fn compound(
        &mut self,
        table: &Table,
        step: &Step,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: see the module.
        unsafe {
            let row = &table.rows[usize::from(step.row)];
            match (step.action, &step.inner) {
                (Action::OptionBoxMessage | Action::Message | Action::OptionMessage, _) => {
                    let message = match (step.action, &step.storage) {
                        // An option of a box is the address, or null.
                        (Action::OptionBoxMessage, _) => access::unboxed(value),
                        (Action::OptionMessage, Storage::Option(option)) => option.get(value),
                        _ => value,
                    };
                    if message.is_null() {
                        return if step.required { self.missing(row, at) } else { Some(at) };
                    }
                    self.message(step, row, message, at)
                }
                (Action::Option | Action::OptionEnum | Action::OptionText, Inner::Value(inner)) => {
                    let Storage::Option(option) = step.storage else { return self.mismatch() };
                    // Other settings may have it written in other bytes.
                    if let Some(lazy) = option.lazy()
                        && !self.settings.deterministic
                        && let Some((bytes, levels)) = (lazy.raw)(value)
                        && levels <= self.depth
                    {
                        return Some(self.text(inner.tag_bytes(), &*bytes, at));
                    }
                    let value = option.get(value);
                    if value.is_null() {
                        return if step.required { self.missing(row, at) } else { Some(at) };
                    }
                    self.value(inner, row, value, at)
                }
                (Action::List, Inner::Value(element)) => self.list(step, element, row, value, at),
                (Action::Map, Inner::Entry(entry)) => self.map(step, entry, row, value, at),
                (Action::Oneof, Inner::Oneof(members)) => self.oneof(table, members, value, at),
                _ => self.value(step, row, value, at),
            }
        }
    }

    /// The set member of a oneof, if it is one of these; a call, so that other fields take less.
    #[inline(never)]
    pub(super) unsafe fn oneof(
        &mut self,
        table: &Table,
        members: &OneofMembers,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: see the module.
        unsafe {
            let Some((variant, value)) = members.functions.get(value) else {
                return match members.functions.refuse_skipped(value) {
                    Ok(()) => Some(at),
                    Err(error) => self.fail(error),
                };
            };
            let Some(step) = members.get(variant) else { return Some(at) };
            if let Some(plain) = Plain::at(step, value) {
                return Some(self.plain(step.tag_bytes(), plain, at));
            }
            let row = &table.rows[usize::from(step.row)];
            match self.wide_value(step, row, value, at) {
                Some(at) => Some(at),
                None => self.locate(|error| error.in_field(&row.name)),
            }
        }
    }

    #[cold]
    pub(super) fn mismatch<T>(&mut self) -> Option<T> {
        self.fail(mismatch())
    }

    /// A single value with its tag.
    #[inline(never)]
    pub(super) unsafe fn value(
        &mut self,
        step: &Step,
        row: &Row,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: see the module.
        unsafe {
            match Plain::at(step, value) {
                Some(Plain::Text([])) if !step.always => Some(at),
                Some(plain) => Some(self.plain(step.tag_bytes(), plain, at)),
                None => self.wide_value(step, row, value, at),
            }
        }
    }

    /// A value that is neither a plain number nor text: a call of its own, so that those take less.
    #[inline(never)]
    unsafe fn wide_value(
        &mut self,
        step: &Step,
        row: &Row,
        value: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: see the module.
        unsafe {
            let message = match step.action {
                Action::Message => value,
                Action::BoxMessage => access::unboxed(value),
                Action::Enum | Action::Other => return self.other(step, row, value, at),
                _ => return self.mismatch(),
            };
            self.message(step, row, message, at)
        }
    }

    /// A value by its row: an enum of Rust, a string in bytes that must be checked, a boxed value.
    #[cold]
    #[inline(never)]
    unsafe fn other(&mut self, step: &Step, row: &Row, value: *const u8, at: O::Cursor) -> Option<O::Cursor> {
        // SAFETY: see the module.
        unsafe {
            let Some((storage, value)) = access::present(step.storage, value) else {
                return if step.required { self.missing(row, at) } else { Some(at) };
            };
            if let Storage::Message(_) = storage {
                return self.message(step, row, value, at);
            }
            if let Some(bits) = access::scalar(storage, value) {
                if !step.always && access::is_default(row, bits) {
                    return Some(at);
                }
                return Some(self.plain(step.tag_bytes(), Plain::of_bits(row.kind, bits), at));
            }
            let Some(bytes) = text::get(storage, value) else { return self.mismatch() };
            if row.kind == Kind::String && row.utf8 && utf8_by_call(bytes).is_err() {
                return self.fail(Error::ty("the bytes of a string are not valid UTF-8"));
            }
            if bytes.is_empty() && !step.always {
                return Some(at);
            }
            Some(self.text(step.tag_bytes(), bytes, at))
        }
    }
}
