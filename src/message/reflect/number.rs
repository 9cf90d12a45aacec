//! Turns numbers into values.

use crate::message::reflect::ValueRef;
use crate::table::ValueKind;

/// The kind of a number or enum value.
#[derive(Clone, Copy)]
pub(crate) struct Number(ValueKind);

impl Number {
    /// Returns the kind as a `Number`; `None` if its values are not numbers.
    #[inline(always)]
    pub(crate) fn of(kind: ValueKind) -> Option<Number> {
        kind.is_number().then_some(Number(kind))
    }

    /// Returns the number with the bits `word`. A number of 32 bits is in the lower half.
    #[inline(always)]
    pub(crate) fn value<'a>(self, word: u64) -> ValueRef<'a> {
        match self.0 {
            ValueKind::I32 => ValueRef::I32(word as i32),
            ValueKind::I64 => ValueRef::I64(word as i64),
            ValueKind::U32 => ValueRef::U32(word as u32),
            ValueKind::U64 => ValueRef::U64(word),
            ValueKind::F32 => ValueRef::F32(f32::from_bits(word as u32)),
            ValueKind::F64 => ValueRef::F64(f64::from_bits(word)),
            _ => ValueRef::Enum(word as i32),
        }
    }
}
