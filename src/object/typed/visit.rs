//! Visits all fields of a struct that are set.
//!
//! [`Typed::set_value`] gives the same values one by one. A visit is faster, because it matches on the operation of each row,
//! so most fields cost one jump and no call.

use super::message::field;
use super::{Typed, TypedField, TypedList, TypedMap};
use crate::layout::Storage;
use crate::object::access;
use crate::table::{Location, Op, Presence, Row};
use std::ptr::NonNull;

pub(crate) trait VisitFields<'a> {
    /// Receives a field that is set. Returns false to end the visit. Implementations should be inlined, so that the
    /// kind of the value is known at compile time.
    fn field(&mut self, row: &'a Row, value: TypedField<'a>) -> bool;

    /// Receives a number, bool or enum value that is set, as its bits. Returns false to end the visit.
    fn scalar(&mut self, row: &'a Row, bits: u64) -> bool;
}

impl<'a> Typed<'a> {
    /// Visits the fields that are set, in the order of their numbers. Skips a field with messages if their Rust type does not
    /// fit their schema.
    #[inline]
    pub(crate) fn visit(self, visitor: &mut impl VisitFields<'a>) {
        let rows = &self.table.rows;
        let mut left = rows.iter();
        while let Some(mut row) = left.next() {
            // SAFETY: `row.offset` is the offset of a member of the struct, or zero.
            let (mut op, mut at) = (row.op, unsafe { self.at.add(row.offset as usize) });
            if op == Op::Variant {
                // Fields of one oneof that follow each other are handled together, because at most one of them is set.
                let run = row.index..row.after;
                left = rows[usize::from(row.after)..].iter();
                let Some((set, value)) = self.chosen(row).filter(|(set, _)| run.contains(set)) else {
                    continue;
                };
                row = &rows[usize::from(set)];
                (op, at) = (if row.op == Op::Variant { row.inner } else { Op::Other }, value.as_ptr());
            }
            if let (Op::Option, Some(option)) = (op, row.option()) {
                // SAFETY: `op` says that the value at `at` is an option of this type.
                at = unsafe { option.get(at) };
                if at.is_null() {
                    continue;
                }
                op = row.inner;
            }
            if !self.visit_value(row, op, at, visitor) {
                return;
            }
        }
    }

    // Each arm calls the visitor itself. If the arms returned their values to one common call, the values would go
    // through memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_value(self, row: &'a Row, op: Op, at: *const u8, visitor: &mut impl VisitFields<'a>) -> bool {
        let implicit = row.presence == Presence::Implicit;
        // SAFETY: `op` names the type of the value at `at`.
        unsafe {
            match op {
                Op::Int32 | Op::UInt32 | Op::SInt32 | Op::Fixed32 => {
                    number(visitor, row, unless_zero(at.cast::<u32>().read().into(), implicit))
                }
                Op::Int64 | Op::SInt64 | Op::Fixed64 => {
                    number(visitor, row, unless_zero(at.cast::<u64>().read(), implicit))
                }
                Op::Bool => number(visitor, row, unless_zero(at.cast::<bool>().read().into(), implicit)),
                Op::String => text(visitor, row, unless_empty((*at.cast::<String>()).as_str(), implicit)),
                Op::Str => text(visitor, row, unless_empty(*at.cast::<&str>(), implicit)),
                Op::Vec => bytes(visitor, row, unless_empty((*at.cast::<Vec<u8>>()).as_slice(), implicit)),
                Op::Slice => bytes(visitor, row, unless_empty(*at.cast::<&[u8]>(), implicit)),
                Op::Message => message(visitor, row, at),
                Op::BoxMessage => message(visitor, row, access::unboxed(at)),
                Op::Numbers | Op::Strings | Op::Vecs | Op::Strs | Op::Slices | Op::Texts | Op::Messages => {
                    match row.location {
                        Location::Member { storage: Storage::List(functions), .. } => {
                            match TypedList::new(row, functions, functions.elements(at)) {
                                Ok(list) if list.len() > 0 => visitor.field(row, TypedField::List(list)),
                                _ => true,
                            }
                        }
                        _ => true,
                    }
                }
                Op::Map | Op::MessageMap => match row.location {
                    Location::Member { storage: Storage::Map(functions), .. } => {
                        match TypedMap::new(row, functions, at) {
                            Ok(map) if map.len() > 0 => visitor.field(row, TypedField::Map(map)),
                            _ => true,
                        }
                    }
                    _ => true,
                },
                Op::Enum | Op::Variant | Op::Bit | Op::Text | Op::Option | Op::Other => {
                    match self.visited_slow(row) {
                        Some(value) => visitor.field(row, value),
                        None => true,
                    }
                }
                // Only arenas and the encoder use these operations.
                Op::Group | Op::List | Op::OptionMessage => true,
            }
        }
    }

    /// Returns the value of a field for whose operation `visit_value` has no code. Returns `None` if the field is not
    /// set.
    #[inline(never)]
    fn visited_slow(self, row: &'a Row) -> Option<TypedField<'a>> {
        let Location::Variant { storage, .. } = row.location else { return self.set_value(row).ok()? };
        let (_, at) = self.chosen(row).filter(|(set, _)| *set == row.index)?;
        // SAFETY: `chosen` returned the address of the value of the variant that is set, and the row of this variant,
        // so the value has the storage `storage`. The struct is not changed for `'a`.
        unsafe {
            if let Some(made) = row.made() {
                return self.kept(row, made, at.as_ptr()).ok()?;
            }
            let (storage, at) = access::present(storage, at.as_ptr())?;
            field(row, storage, at).ok()
        }
    }

    /// Returns the index of the row of the field that is set in the oneof of `row`, and the address of its value.
    #[inline(never)]
    fn chosen(self, row: &Row) -> Option<(u16, NonNull<u8>)> {
        let Location::Variant { offset, oneof, .. } = row.location else { return None };
        // SAFETY: the table has the offsets of the members of the struct.
        let (variant, value) = unsafe { (oneof.functions.value)(self.at.add(offset as usize)) }?;
        // Usually the variants are declared in the order of their field numbers.
        let next = usize::from(row.index) + variant;
        if next < usize::from(row.after) && self.table.rows[next].is_variant(variant) {
            return Some((next as u16, value));
        }
        // A table of all fields has a row for each variant, in the order of the variants.
        let set = *self.table.oneofs[usize::from(row.oneof?)].rows.get(variant)?;
        self.table.rows[usize::from(set)].is_variant(variant).then_some((set, value))
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn number<'a>(visitor: &mut impl VisitFields<'a>, row: &'a Row, bits: Option<u64>) -> bool {
    bits.is_none_or(|bits| visitor.scalar(row, bits))
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn text<'a>(visitor: &mut impl VisitFields<'a>, row: &'a Row, text: Option<&'a str>) -> bool {
    text.is_none_or(|text| visitor.field(row, TypedField::Str(text)))
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn bytes<'a>(visitor: &mut impl VisitFields<'a>, row: &'a Row, bytes: Option<&'a [u8]>) -> bool {
    bytes.is_none_or(|bytes| visitor.field(row, TypedField::Bytes(bytes)))
}

/// # Safety
/// `at` is null, or the address of a struct that lives for `'a` and has the message type of `row`.
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn message<'a>(visitor: &mut impl VisitFields<'a>, row: &'a Row, at: *const u8) -> bool {
    let Ok(table) = row.message() else { return true };
    if at.is_null() {
        return true;
    }
    // SAFETY: `at` is not null here, so the caller promises that it is the address of a live struct of the message type
    // of `row`. `table` is the table of this type.
    let message = unsafe { Typed::new(at, table) };
    visitor.field(row, TypedField::Message(message))
}

/// Returns the bits of a number, unless they are the default of a field without presence.
#[inline]
fn unless_zero(bits: u64, implicit: bool) -> Option<u64> {
    (bits != 0 || !implicit).then_some(bits)
}

/// Returns a string or byte string, unless it is empty and the field has no presence.
#[inline]
fn unless_empty<T: AsRef<[u8]> + ?Sized>(text: &T, implicit: bool) -> Option<&T> {
    (!text.as_ref().is_empty() || !implicit).then_some(text)
}
