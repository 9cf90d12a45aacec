//! All fields of a struct that are set, one after the other.
//!
//! Beside [`Typed::set_value`], which says the same of one field: a visit goes by the operations of the rows, so that most
//! fields cost one jump and no call.

use super::message::field;
use super::{Typed, TypedField, TypedList, TypedMap};
use crate::layout::Storage;
use crate::object::access;
use crate::table::{Location, Op, Presence, Row};
use std::ptr::NonNull;

/// What is done with the fields of a struct.
pub(crate) trait VisitFields<'a> {
    /// Takes a field that is set; false ends the visit. To be compiled in place: then it knows of which kind the value is.
    fn field(&mut self, row: &'a Row, value: TypedField<'a>) -> bool;

    /// The same of a number, bool or enum, by its bits.
    fn scalar(&mut self, row: &'a Row, bits: u64) -> bool;
}

impl<'a> Typed<'a> {
    /// Visits the fields that are set, in the order of their numbers; a message whose Rust type does not fit its schema is
    /// passed over.
    #[inline]
    pub(crate) fn visit(self, visitor: &mut impl VisitFields<'a>) {
        let rows = &self.table.rows;
        let mut left = rows.iter();
        while let Some(mut row) = left.next() {
            // SAFETY: the offset is that of a member or zero.
            let (mut op, mut at) = (row.op, unsafe { self.at.add(row.offset as usize) });
            if op == Op::Variant {
                // One look for all members of the oneof that follow each other.
                let run = row.index..row.after;
                left = rows[usize::from(row.after)..].iter();
                let Some((set, value)) = self.chosen(row).filter(|(set, _)| run.contains(set)) else {
                    continue;
                };
                row = &rows[usize::from(set)];
                (op, at) = (if row.op == Op::Variant { row.inner } else { Op::Other }, value.as_ptr());
            }
            if let (Op::Option, Some(option)) = (op, row.option()) {
                // SAFETY: the row says that such an option is there.
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

    // Every operation gives the value away by itself: one that were first brought together would go through memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_value(self, row: &'a Row, op: Op, at: *const u8, visitor: &mut impl VisitFields<'a>) -> bool {
        let implicit = row.presence == Presence::Implicit;
        // SAFETY: the operation says of which type the value there is.
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
                // Of an arena, and of the encoder.
                Op::Group | Op::List | Op::OptionMessage => true,
            }
        }
    }

    /// The value of a field that is set and has no operation.
    #[inline(never)]
    fn visited_slow(self, row: &'a Row) -> Option<TypedField<'a>> {
        let Location::Variant { storage, .. } = row.location else { return self.set_value(row).ok()? };
        let (_, at) = self.chosen(row).filter(|(set, _)| *set == row.index)?;
        // SAFETY: `chosen` gives the address of the value of the variant that is set, and the row is the one that it
        // names, so the storage is that of this variant. The struct is not changed for `'a`.
        unsafe {
            if let Some(made) = row.made() {
                return self.kept(row, made, at.as_ptr()).ok()?;
            }
            let (storage, at) = access::present(storage, at.as_ptr())?;
            field(row, storage, at).ok()
        }
    }

    /// The row that is set of the oneof that a row is a member of, and where its value lies.
    #[inline(never)]
    fn chosen(self, row: &Row) -> Option<(u16, NonNull<u8>)> {
        let Location::Variant { offset, oneof, .. } = row.location else { return None };
        // SAFETY: offsets of the table are those of the struct.
        let (variant, value) = unsafe { (oneof.functions.value)(self.at.add(offset as usize)) }?;
        // Mostly the variants are in the order of their numbers.
        let next = usize::from(row.index) + variant;
        if next < usize::from(row.after) && self.table.rows[next].is_variant(variant) {
            return Some((next as u16, value));
        }
        // A whole table has a row for each variant, in their order.
        let set = *self.table.oneofs[usize::from(row.oneof?)].rows.get(variant)?;
        self.table.rows[usize::from(set)].is_variant(variant).then_some((set, value))
    }
}

/// Visits a number, where there is one; likewise below.
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
/// The address is null, or a struct of the type that the row holds lies there and lives for `'a`.
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn message<'a>(visitor: &mut impl VisitFields<'a>, row: &'a Row, at: *const u8) -> bool {
    let Ok(table) = row.message() else { return true };
    if at.is_null() {
        return true;
    }
    // SAFETY: the caller promises that a live struct of the type of the row's messages is at an address that is not
    // null, and the row's table was built for this type.
    let message = unsafe { Typed::new(at, table) };
    visitor.field(row, TypedField::Message(message))
}

/// The bits of a number, unless it is the default of a field without presence.
#[inline]
fn unless_zero(bits: u64, implicit: bool) -> Option<u64> {
    (bits != 0 || !implicit).then_some(bits)
}

/// The same for strings and byte strings.
#[inline]
fn unless_empty<T: AsRef<[u8]> + ?Sized>(text: &T, implicit: bool) -> Option<&T> {
    (!text.as_ref().is_empty() || !implicit).then_some(text)
}
